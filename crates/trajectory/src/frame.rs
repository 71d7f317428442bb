//! Bodies, contacts and force chains of a simulation as points and lines.

use crate::options::Fields;
use crate::vtk::{Array, PolyData, Values};
use glam::DVec3;
use moreau_dynamics::bodies::{Bodies, BodyKind};
use moreau_dynamics::simulation::Simulation;

/// All bodies as points.
pub(crate) fn bodies(simulation: &Simulation, fields: &Fields) -> PolyData {
    let bodies = simulation.bodies();
    let positions = bodies.poses.iter().map(|pose| pose.position);
    let mut data = PolyData::of_points(double(positions));
    let out = &mut data.point_data;
    out.push(Array::new("tag", 1, tags(bodies, 0..bodies.len())));
    if fields.size {
        let size = |shape: &u32| {
            let entry = simulation.shapes().get(*shape);
            let size = entry.map_or(0.0, |entry| entry.shape.size());
            if size.is_finite() { size as f32 } else { 0.0 }
        };
        let sizes = bodies.shapes.iter().map(size).collect();
        out.push(Array::new("size", 1, Values::F32(sizes)));
    }
    if fields.shape {
        // A body without a shape has the largest index, which becomes -1.
        let shapes = bodies.shapes.iter().map(|shape| shape.cast_signed());
        out.push(Array::new("shape", 1, Values::I32(shapes.collect())));
    }
    if fields.material {
        let materials = bodies.materials.iter().map(|m| m.cast_signed());
        out.push(Array::new("material", 1, Values::I32(materials.collect())));
    }
    if fields.kind {
        let kinds = bodies.kinds.iter().map(|kind| match kind {
            BodyKind::Rigid => 0,
            BodyKind::Fixed => 1,
            BodyKind::Driven => 2,
        });
        out.push(Array::new("kind", 1, Values::U8(kinds.collect())));
    }
    if fields.velocity {
        let linear = single(bodies.velocities.iter().map(|v| v.linear));
        out.push(Array::new("velocity", 3, linear));
    }
    if fields.angular_velocity {
        let angular = single(bodies.velocities.iter().map(|v| v.angular));
        out.push(Array::new("angular velocity", 3, angular));
    }
    if fields.orientation {
        let rotations = bodies
            .poses
            .iter()
            .flat_map(|pose| pose.rotation.to_array());
        let rotations = rotations.map(|x| x as f32).collect();
        out.push(Array::new("orientation", 4, Values::F32(rotations)));
    }
    if fields.contact_force {
        let sums = Values::F32(force_sums(simulation));
        out.push(Array::new("contact force magnitude", 1, sums));
    }
    data
}

/// All contacts as points.
pub(crate) fn contacts(simulation: &Simulation) -> PolyData {
    let contacts = simulation.contacts();
    let mut data = PolyData::of_points(double(contacts.iter().map(|c| c.point)));
    let forces: Vec<DVec3> = (0..contacts.len())
        .map(|contact| simulation.contact_force(contact).linear)
        .collect();
    let lengths = forces.iter().map(|force| force.length() as f32).collect();
    let normals = single(contacts.iter().map(|c| c.normal));
    let gaps = contacts.iter().map(|c| c.gap as f32).collect();
    let side = |side: usize| {
        let bodies = contacts.iter().map(|c| c.bodies[side] as usize);
        tags(simulation.bodies(), bodies)
    };
    data.point_data = vec![
        Array::new("force", 3, single(forces.iter().copied())),
        Array::new("force magnitude", 1, Values::F32(lengths)),
        Array::new("normal", 3, normals),
        Array::new("gap", 1, Values::F32(gaps)),
        Array::new("first tag", 1, side(0)),
        Array::new("second tag", 1, side(1)),
    ];
    data
}

/// Lines between the centres of bodies that press on each other. Only rigid bodies have a centre that says something:
/// on the side of a wall the line ends at the contact point.
pub(crate) fn chains(simulation: &Simulation) -> PolyData {
    let bodies = simulation.bodies();
    let mut ends = Vec::new();
    let mut lengths = Vec::new();
    for (index, contact) in simulation.contacts().iter().enumerate() {
        let force = simulation.contact_force(index).linear.length();
        if force > 0.0 {
            lengths.push(force as f32);
            ends.extend(contact.bodies.map(|body| match body as usize {
                body if bodies.is_rigid(body) => bodies.poses[body].position,
                _ => contact.point,
            }));
        }
    }
    PolyData {
        lines: (0..lengths.len() as i32)
            .map(|line| [2 * line, 2 * line + 1])
            .collect(),
        points: single(ends.into_iter()),
        cell_data: vec![Array::new("force magnitude", 1, Values::F32(lengths))],
        ..PolyData::default()
    }
}

fn force_sums(simulation: &Simulation) -> Vec<f32> {
    let mut sums = vec![0.0; simulation.bodies().len()];
    for (index, contact) in simulation.contacts().iter().enumerate() {
        let force = simulation.contact_force(index).linear.length();
        for body in contact.bodies {
            sums[body as usize] += force;
        }
    }
    sums.into_iter().map(|sum: f64| sum as f32).collect()
}

fn tags(bodies: &Bodies, which: impl Iterator<Item = usize>) -> Values {
    Values::I64(which.map(|body| bodies.tags[body].cast_signed()).collect())
}

fn double(vectors: impl Iterator<Item = DVec3>) -> Values {
    Values::F64(vectors.flat_map(|v| v.to_array()).collect())
}

/// Vectors in single precision.
pub(crate) fn single(vectors: impl Iterator<Item = DVec3>) -> Values {
    Values::F32(vectors.flat_map(|v| v.as_vec3().to_array()).collect())
}
