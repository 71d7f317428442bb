use crate::worlds::{GRAVITY, ground, in_steps_of, rubbing};
use glam::{DQuat, DVec3};
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{Cuboid, Shape};
use moreau_dynamics::bodies::NewBody;

/// Rates of a block before and after it falls from one edge to the other; the tangent of α is its width over its
/// height, and R = 1 m is half its diagonal.
fn rates(slenderness: f64, step: f64) -> [f64; 2] {
    let alpha = slenderness.atan();
    let half = DVec3::new(alpha.sin(), 0.3, alpha.cos());
    let mut simulation = ground(in_steps_of(step), rubbing(5.0));
    let shape = simulation.add_shape(Shape::Cuboid(Cuboid::new(half).unwrap()));
    // It stands on the edge at +x, tilted by 0.1 rad.
    let edge = DVec3::new(half.x, 0.0, -half.z);
    let rotation = DQuat::from_rotation_y(0.1);
    let position = DVec3::new(half.x, 0.0, 0.0) - rotation * edge;
    let body = NewBody::rigid(shape, 1000.0).posed(Pose::new(position, rotation));
    let body = simulation.add_body(body).unwrap();
    let (mut before, mut steps_after) = (0.0f64, 0);
    let other_edge = DVec3::new(-half.x, 0.0, -half.z);
    loop {
        assert!(simulation.step().unwrap().converged());
        let bodies = simulation.bodies();
        let rate = -bodies.velocities[body].angular.y;
        let [here, there] = [edge, other_edge].map(|edge| bodies.poses[body].point(edge).z);
        if here < there && steps_after == 0 {
            before = before.max(rate);
            assert!(simulation.time() < 1.0, "it never falls");
            continue;
        }
        // The impact takes two steps: the first lets the edge come down, the second stops it.
        steps_after += 1;
        if steps_after == 3 {
            return [before, rate];
        }
    }
}

/// Housner 1963: angular momentum about the new edge is kept, so that ω₊/ω₋ = 1 − (3/2) sin² α, if the block neither bounces
/// nor slips. Gravity changes the rate by at most (3 g/4R) sin α h = 7e-4 rad/s in a step, and three steps are uncertain:
/// half a percent of the rate.
#[test]
fn a_rocking_block_loses_what_housner_says() {
    for slenderness in [0.25, 0.4, 0.5] {
        let alpha = f64::atan(slenderness);
        let [before, after] = rates(slenderness, 2e-4);
        // From energy, with the moment of inertia 4/3 m R² about the edge.
        let fall = (alpha - 0.1).cos() - alpha.cos();
        let exact = (1.5 * GRAVITY * fall).sqrt();
        assert!((before / exact - 1.0).abs() < 5e-3, "{before} and {exact}");
        let kept = 1.0 - 1.5 * alpha.sin().powi(2);
        assert!(
            (after / before - kept).abs() < 5e-3,
            "slenderness {slenderness}: {} instead of {kept}",
            after / before
        );
    }
}
