//! Bodies that go.

use crate::region::Region;
use moreau_dynamics::simulation::Simulation;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A sink and what it took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sink {
    pub region: Region,
    pub count: u64,
    pub mass: f64,
}

/// Takes away the rigid bodies without joints whose centres are in a sink.
pub(super) fn drain(sinks: &mut [Sink], simulation: &mut Simulation) {
    if sinks.is_empty() {
        return;
    }
    let bodies = simulation.bodies();
    let joints = simulation.joints().iter();
    let joined: BTreeSet<u32> = joints.flat_map(|joint| joint.bodies()).collect();
    let mut gone = vec![false; bodies.len()];
    let mut any = false;
    for body in (0..bodies.len()).filter(|body| bodies.is_rigid(*body)) {
        let position = bodies.poses[body].position;
        let sink = sinks.iter_mut().find(|s| s.region.contains(position));
        if let Some(sink) = sink
            && !joined.contains(&(body as u32))
        {
            sink.count += 1;
            sink.mass += bodies.masses[body];
            gone[body] = true;
            any = true;
        }
    }
    if any {
        simulation.remove_bodies(&gone);
    }
}
