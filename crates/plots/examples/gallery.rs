//! Draws one picture of each kind from invented data:
//! `cargo run -p moreau-plots --example gallery -- <directory>`.

use std::error::Error;
use std::path::Path;

use moreau_plots::{
    ConvergencePlot, Force, ForceNetworkPlot, Grain, ProfilePlot, Series, convergence,
    force_network, performance_profile,
};

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args().nth(1).unwrap_or_else(|| ".".into());
    let directory = Path::new(&directory);
    for extension in ["png", "svg"] {
        let file = |name: &str| directory.join(format!("{name}.{extension}"));
        convergence(file("convergence"), &invented_convergence())?;
        performance_profile(file("profile"), &invented_profile())?;
        force_network(file("net"), &invented_network())?;
    }
    Ok(())
}

/// A small generator of numbers between 0 and 1, the same on every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn invented_convergence() -> ConvergencePlot {
    let mut dice = Dice(7);
    let mut series = Vec::new();
    for (label, rate, noise) in [
        ("NSGS", 0.012, 0.25),
        ("NSGS, over-relaxed", 0.017, 0.6),
        ("ADMM", 0.022, 0.2),
        ("projected gradient", 0.004, 0.1),
        ("fixed point", 0.007, 0.9),
        ("interior point", 0.35, 0.1),
    ] {
        let mut points = Vec::new();
        for k in 0..2000 {
            let error = (-rate * f64::from(k) + noise * (dice.roll() - 0.5)).exp();
            points.push((f64::from(k), error));
            if error < 1e-8 {
                break;
            }
        }
        series.push(Series {
            label: label.into(),
            points,
        });
    }
    ConvergencePlot {
        title: "Convergence on a stack of 400 spheres".into(),
        x_label: "iterations".into(),
        y_label: "natural-map error".into(),
        series,
        tolerance: Some(1e-8),
        ..Default::default()
    }
}

fn invented_profile() -> ProfilePlot {
    let mut dice = Dice(3);
    let solvers = [
        "NSGS",
        "ADMM",
        "projected gradient",
        "semismooth Newton",
        "interior point",
    ];
    let speeds = [0.6, 0.9, 1.8, 0.4, 1.2];
    let failures = [0.03, 0.1, 0.2, 0.35, 0.05];
    let mut costs = Vec::new();
    for _ in 0..120 {
        let mut row = Vec::new();
        for k in 0..solvers.len() {
            let cost = speeds[k] * (2.5 * dice.roll()).exp();
            row.push((dice.roll() > failures[k]).then_some(cost));
        }
        costs.push(row);
    }
    ProfilePlot {
        title: "CPU time on 120 problems".into(),
        solvers: solvers.map(String::from).to_vec(),
        costs,
        floor: 1e-3,
        ..Default::default()
    }
}

/// Rows of grains of differing size under a load in the middle.
fn invented_network() -> ForceNetworkPlot {
    let mut dice = Dice(11);
    let mut grains: Vec<Grain> = Vec::new();
    for row in 0..12 {
        for column in 0..18 {
            let offset = if row % 2 == 0 { 0.0 } else { 0.5 };
            grains.push(Grain {
                x: 0.01 * (f64::from(column) + offset + 0.16 * (dice.roll() - 0.5)),
                y: 0.01 * (0.88 * f64::from(row) + 0.16 * (dice.roll() - 0.5)),
                radius: 0.01 * (0.46 + 0.1 * dice.roll()),
                shade: dice.roll(),
            });
        }
    }
    let mut forces = Vec::new();
    for (k, a) in grains.iter().enumerate() {
        for b in &grains[..k] {
            let distance = (a.x - b.x).hypot(a.y - b.y);
            if distance < 1.03 * (a.radius + b.radius) {
                let across = (0.5 * (a.x + b.x) - 0.088) / 0.035;
                let upright = (a.y - b.y).abs() / distance;
                let load = 5.0 + 30.0 * (-across * across).exp() * upright;
                let magnitude = load * dice.roll().powi(2);
                forces.push(Force {
                    from: (a.x, a.y),
                    to: (b.x, b.y),
                    magnitude,
                });
            }
        }
    }
    ForceNetworkPlot {
        title: "Forces in a loaded layer of grains".into(),
        caption: "Each line joins the centres of two grains in contact; \
                  its width and darkness grow with the normal force."
            .into(),
        grains,
        forces,
        largest_force: None,
        force_label: "normal force (N)".into(),
        length_unit: "m".into(),
    }
}
