//! A box of grains under a boulder, and the contact problem of its next time step.
//!
//! Each grain is put to rest in the lowest place that is free and stable: on two grains, or on one
//! and the floor or a wall. The heap that results is as irregular as sand, and every grain is carried.

use moreau_contact_solvers::cones::Cone;
use moreau_contact_solvers::delassus::{Delassus, JacobianBlock, MatrixFree};
use moreau_contact_solvers::problem::{ContactProblem, ProblemError, offsets_of};
use std::f64::consts::PI;

/// The step in seconds, gravity in m/s², density in kg/m³.
pub const TIME_STEP: f64 = 0.01;
const GRAVITY: f64 = 9.81;
const DENSITY: f64 = 2600.0;
/// Width of the box in metres; its height has no limit.
const WIDTH: f64 = 0.7;
const GRAINS: usize = 500;
const GRAIN_RADIUS: (f64, f64) = (0.006, 0.013);
const BOULDERS: [(f64, f64); 3] = [(0.16, 0.03), (0.45, 0.041), (0.31, 0.019)];
const FRICTION: f64 = 0.4;
/// Surfaces closer than this share of the smallest radius touch, as after a little shaking: grains
/// that each rest on two others only would hold, but just so, and no force would branch.
const NEAR: f64 = 0.3;

/// A sphere with its centre in the plane of the picture.
#[derive(Clone, Copy, Debug)]
pub struct Ball {
    /// Centre, to the right.
    pub x: f64,
    /// Centre, upwards.
    pub y: f64,
    /// Radius.
    pub radius: f64,
}

/// A contact: of which ball, with which other (`None` for floor and walls), where.
pub struct Touch {
    /// The ball that the normal points into.
    pub ball: usize,
    /// The other one.
    pub other: Option<usize>,
    /// Where they touch.
    pub point: (f64, f64),
    normal: (f64, f64),
}

/// Balls at rest and where they touch.
pub struct Scene {
    /// The balls, boulders last.
    pub balls: Vec<Ball>,
    /// The contacts.
    pub touches: Vec<Touch>,
}

impl Scene {
    /// Fills the box; the same heap on every machine.
    pub fn build() -> Self {
        let mut dice = Dice(20_260_215);
        let mut heap = Heap { balls: Vec::new() };
        for _ in 0..GRAINS {
            let (low, high) = GRAIN_RADIUS;
            let radius = low + (high - low) * dice.roll();
            heap.drop_ball(radius, 0.0, WIDTH);
        }
        for (x, radius) in BOULDERS {
            heap.drop_ball(radius, x - radius, x + radius);
        }
        let touches = touches_of(&heap.balls);
        Self {
            balls: heap.balls,
            touches,
        }
    }

    /// The contact problem of one time step that begins at rest.
    ///
    /// # Errors
    /// None that this scene can cause.
    pub fn problem(&self) -> Result<ContactProblem, ProblemError> {
        let cones: Vec<_> = self
            .touches
            .iter()
            .map(|_| Cone::Friction { friction: FRICTION })
            .collect();
        let mut inverse_mass = Vec::new();
        for ball in &self.balls {
            let mass = DENSITY * 4.0 / 3.0 * PI * ball.radius.powi(3);
            let inertia = 0.4 * mass * ball.radius * ball.radius;
            for k in 0..36 {
                let entry = if k < 18 { 1.0 / mass } else { 1.0 / inertia };
                inverse_mass.push(if k % 7 == 0 { entry } else { 0.0 });
            }
        }
        let mut blocks = Vec::new();
        let mut free_velocity = Vec::new();
        for (contact, touch) in self.touches.iter().enumerate() {
            let (nx, ny) = touch.normal;
            // The frame: the normal first, the tangent in the plane, the tangent out of it.
            let frame = [[nx, ny, 0.0], [-ny, nx, 0.0], [0.0, 0.0, 1.0]];
            let bodies = [(Some(touch.ball), 1.0), (touch.other, -1.0)];
            let mut free = [0.0; 3];
            for (body, sign) in bodies {
                let Some(body) = body else { continue };
                let ball = &self.balls[body];
                let arm = [touch.point.0 - ball.x, touch.point.1 - ball.y, 0.0];
                let mut values = Vec::with_capacity(18);
                for (row, axis) in frame.iter().enumerate() {
                    values.extend(axis.map(|a| sign * a));
                    values.extend(cross(arm, *axis).map(|a| sign * a));
                    free[row] -= sign * axis[1] * GRAVITY * TIME_STEP;
                }
                blocks.push(JacobianBlock {
                    contact,
                    body,
                    values,
                });
            }
            free_velocity.extend(free);
        }
        let operator = MatrixFree::new(offsets_of(&cones), 6, inverse_mass, blocks)
            .expect("every block names a contact and a ball of this scene");
        ContactProblem::new(cones, Delassus::MatrixFree(operator), free_velocity)
    }
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// A small generator of numbers between 0 and 1, the same on every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

struct Heap {
    balls: Vec<Ball>,
}

impl Heap {
    /// Puts a ball into the lowest free and stable place with its centre between two verticals.
    fn drop_ball(&mut self, radius: f64, from: f64, to: f64) {
        let from = from.max(radius);
        let to = to.min(WIDTH - radius);
        let mut best: Option<Ball> = None;
        let mut consider = |x: f64, y: f64| {
            let place = Ball { x, y, radius };
            let lower = best.is_none_or(|b| y < b.y);
            let inside = x >= from - 1e-12 && x <= to + 1e-12 && y >= radius - 1e-12;
            if lower && inside && self.is_free(&place) {
                best = Some(place);
            }
        };
        for wall in [radius, WIDTH - radius] {
            consider(wall, radius);
        }
        for (k, a) in self.balls.iter().enumerate() {
            let reach = a.radius + radius;
            // On the floor beside a.
            let rise = radius - a.y;
            if rise.abs() < reach {
                let aside = (reach * reach - rise * rise).sqrt();
                consider(a.x - aside, radius);
                consider(a.x + aside, radius);
            }
            // On a and against a wall.
            for wall in [radius, WIDTH - radius] {
                let aside = wall - a.x;
                if aside.abs() < reach {
                    consider(wall, a.y + (reach * reach - aside * aside).sqrt());
                }
            }
            for b in &self.balls[..k] {
                if let Some((x, y)) = on_two(a, b, radius) {
                    consider(x, y);
                }
            }
        }
        self.balls.extend(best);
    }

    fn is_free(&self, place: &Ball) -> bool {
        self.balls.iter().all(|b| {
            let (dx, dy) = (b.x - place.x, b.y - place.y);
            let reach = b.radius + place.radius;
            dx * dx + dy * dy >= reach * reach * (1.0 - 1e-9)
        })
    }
}

/// The centre of a ball that rests on two others, if they are close enough and carry it between them.
fn on_two(a: &Ball, b: &Ball, radius: f64) -> Option<(f64, f64)> {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let (ra, rb) = (a.radius + radius, b.radius + radius);
    let d2 = dx * dx + dy * dy;
    if d2 >= (ra + rb) * (ra + rb) {
        return None;
    }
    let along = 0.5 * (d2 + ra * ra - rb * rb) / d2;
    let height2 = ra * ra / d2 - along * along;
    if height2 <= 0.0 {
        return None;
    }
    // The upper of the two intersections.
    let across = height2.sqrt() * dx.signum();
    let (x, y) = (
        a.x + along * dx - across * dy,
        a.y + along * dy + across * dx,
    );
    ((x - a.x) * (x - b.x) < 0.0).then_some((x, y))
}

fn touches_of(balls: &[Ball]) -> Vec<Touch> {
    let mut touches = Vec::new();
    for (ball, a) in balls.iter().enumerate() {
        let near = NEAR * GRAIN_RADIUS.0;
        for (gap, normal) in [
            (a.y - a.radius, (0.0, 1.0)),
            (a.x - a.radius, (1.0, 0.0)),
            (WIDTH - a.x - a.radius, (-1.0, 0.0)),
        ] {
            if gap < near {
                let point = (a.x - normal.0 * a.radius, a.y - normal.1 * a.radius);
                touches.push(Touch {
                    ball,
                    other: None,
                    point,
                    normal,
                });
            }
        }
        for (other, b) in balls[..ball].iter().enumerate() {
            let (dx, dy) = (a.x - b.x, a.y - b.y);
            let distance = dx.hypot(dy);
            let gap = distance - a.radius - b.radius;
            if gap < near {
                let normal = (dx / distance, dy / distance);
                touches.push(Touch {
                    ball,
                    other: Some(other),
                    point: (b.x + normal.0 * b.radius, b.y + normal.1 * b.radius),
                    normal,
                });
            }
        }
    }
    touches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_balls_overlap_and_every_ball_is_carried() {
        let scene = Scene::build();
        assert_eq!(scene.balls.len(), GRAINS + BOULDERS.len());
        let mut carried = vec![0; scene.balls.len()];
        for touch in &scene.touches {
            let lower_is_other = touch.normal.1 >= 0.0;
            if lower_is_other || touch.other.is_none() {
                carried[touch.ball] += 1;
            } else {
                carried[touch.other.unwrap_or(touch.ball)] += 1;
            }
        }
        assert!(carried.iter().all(|&count| count >= 1));
        for (k, a) in scene.balls.iter().enumerate() {
            for b in &scene.balls[..k] {
                let distance = (a.x - b.x).hypot(a.y - b.y);
                assert!(distance > (a.radius + b.radius) * (1.0 - 1e-8));
            }
        }
    }
}
