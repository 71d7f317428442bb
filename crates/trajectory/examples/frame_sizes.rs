//! Measures what a frame takes on disk: 20 000 spheres in a dense packing after some steps.
//!
//! `cargo run --release -p moreau-trajectory --example frame_sizes`

use glam::DVec3;
use moreau_collision::shapes::{Shape, Sphere};
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::settings::SimulationSettings;
use moreau_dynamics::simulation::Simulation;
use moreau_trajectory::{Format, TrajectoryOptions, TrajectoryWriter};
use std::time::Instant;

/// Spheres along each edge.
const EDGES: [usize; 3] = [25, 25, 32];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut settings = SimulationSettings {
        time_step: Some(1e-3),
        ..SimulationSettings::default()
    };
    settings.solver.max_iterations = Some(20);
    let mut simulation = Simulation::new(settings);
    let ball = simulation.add_shape(Shape::Sphere(Sphere::new(0.5)?));
    let mut state = 1_u64;
    let mut noise = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as f64 / f64::from(1_u32 << 31) - 0.5
    };
    for index in 0..EDGES.iter().product::<usize>() {
        let [i, j, k] = [
            index % EDGES[0],
            index / EDGES[0] % EDGES[1],
            index / EDGES[0] / EDGES[1],
        ];
        let place =
            DVec3::new(i as f64, j as f64, k as f64) + 0.01 * DVec3::new(noise(), noise(), noise());
        let speed = DVec3::new(noise(), noise(), noise());
        simulation.add_body(NewBody::rigid(ball, 1000.0).at(place).moving(speed, speed))?;
    }
    for _ in 0..3 {
        simulation.step()?;
    }
    let (bodies, contacts) = (simulation.bodies().len(), simulation.contacts().len());
    println!("{bodies} bodies, {contacts} contacts");
    let folder = std::env::temp_dir().join(format!("frame-sizes-{}", std::process::id()));
    for compression in [0, 1, 2, 3, 6, 9] {
        let options = TrajectoryOptions {
            compression,
            most_spheres: usize::MAX,
            chains: true,
            ..TrajectoryOptions::default()
        };
        let began = Instant::now();
        let info = TrajectoryWriter::create(&folder, options.clone())?.frame(&simulation)?;
        println!(
            "level {compression}: {:.2} s",
            began.elapsed().as_secs_f64()
        );
        for file in &info.files {
            let size = std::fs::metadata(file)?.len() as f64;
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            println!(
                "  {name}: {:.1} bytes a body, {:.1} a contact",
                size / bodies as f64,
                size / contacts as f64
            );
        }
        if cfg!(feature = "hdf5") {
            let format = Format::VtkHdf;
            let mut writer =
                TrajectoryWriter::create(&folder, TrajectoryOptions { format, ..options })?;
            let info = writer.frame(&simulation)?;
            println!(
                "  VTKHDF: {:.1} bytes a body",
                info.bytes as f64 / bodies as f64
            );
        }
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}
