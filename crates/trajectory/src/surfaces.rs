//! The true surfaces of bodies as triangles, moved to their poses.

use crate::options::TrajectoryOptions;
use crate::vtk::{Array, PolyData, Values};
use glam::DVec3;
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{Shape, Sphere, Surface, SurfaceDetail};
use moreau_dynamics::bodies::BodyKind;
use moreau_dynamics::simulation::Simulation;
use moreau_files::Fault;
use std::collections::BTreeMap;

/// Pieces around a sphere: 26 corners, 48 triangles.
const SPHERE_SEGMENTS: usize = 8;

/// The name of the numbers that tell bodies apart.
const TAG: &str = "tag";

/// A body that stands still, as far as its surface is concerned.
#[derive(Clone, Debug, PartialEq)]
struct Standing {
    tag: u64,
    shape: u32,
    pose: Pose,
}

/// Makes surfaces; remembers those of shapes, which many bodies share.
#[derive(Debug)]
pub(crate) struct SurfaceMaker {
    segments: usize,
    most_spheres: usize,
    ball: Surface,
    shapes: BTreeMap<u32, Surface>,
    standing: Option<Vec<Standing>>,
    /// The surfaces of the fixed bodies in a trajectory that is continued, until they are compared with those that there are.
    written: Option<PolyData>,
}

impl SurfaceMaker {
    pub(crate) fn new(options: &TrajectoryOptions) -> Self {
        let detail = SurfaceDetail {
            segments: SPHERE_SEGMENTS,
            extent: 1.0,
        };
        Self {
            segments: options.segments,
            most_spheres: options.most_spheres,
            ball: Shape::Sphere(Sphere { radius: 1.0 }).surface(&detail),
            shapes: BTreeMap::new(),
            standing: None,
            written: None,
        }
    }

    /// Says which surfaces of fixed bodies the trajectory has already.
    pub(crate) fn continue_after(&mut self, written: PolyData) {
        self.written = Some(written);
    }

    /// The surfaces of all bodies that may move.
    pub(crate) fn moving(&mut self, simulation: &Simulation) -> Result<PolyData, Fault> {
        let bodies = simulation.bodies();
        let moving = |body: &usize| bodies.kinds[*body] != BodyKind::Fixed;
        let is_sphere = |body: &usize| is_sphere(simulation, *body);
        let spheres = (0..bodies.len()).filter(moving).filter(is_sphere).count();
        let with_spheres = spheres < self.most_spheres;
        let shown = |body: &usize| moving(body) && (with_spheres || !is_sphere(body));
        let moving = (0..bodies.len()).filter(shown);
        self.surfaces(simulation, moving, |body| extent_around(simulation, body))
    }

    /// The surfaces of the fixed bodies, or `None` when they are what they were at the last call or in the trajectory that is
    /// continued.
    pub(crate) fn fixed(&mut self, simulation: &Simulation) -> Result<Option<PolyData>, Fault> {
        let bodies = simulation.bodies();
        let fixed = |body: &usize| bodies.kinds[*body] == BodyKind::Fixed;
        let standing: Vec<Standing> = (0..bodies.len())
            .filter(fixed)
            .map(|body| Standing {
                tag: bodies.tags[body],
                shape: bodies.shapes[body],
                pose: bodies.poses[body],
            })
            .collect();
        if self.standing.as_ref() == Some(&standing) {
            return Ok(None);
        }
        self.standing = Some(standing);
        let fixed = || (0..bodies.len()).filter(fixed);
        let around = |body: usize| extent_around(simulation, body);
        if let Some(written) = self.written.take() {
            // How far half-spaces are drawn depends on where the others were at the time.
            let as_then = |body: usize| {
                let then = extent_in(&written, bodies.tags[body]);
                then.unwrap_or_else(|| around(body))
            };
            if self.surfaces(simulation, fixed(), as_then)? == written {
                return Ok(None);
            }
        }
        self.surfaces(simulation, fixed(), around).map(Some)
    }

    fn surfaces(
        &mut self,
        simulation: &Simulation,
        which: impl Iterator<Item = usize>,
        extent: impl Fn(usize) -> f64,
    ) -> Result<PolyData, Fault> {
        let mut out = Triangles::default();
        for body in which {
            let shape = simulation.bodies().shapes[body];
            let Some(entry) = simulation.shapes().get(shape) else {
                continue;
            };
            match &entry.shape {
                Shape::Sphere(sphere) => out.add(simulation, body, &self.ball, sphere.radius)?,
                Shape::HalfSpace(_) => {
                    let detail = SurfaceDetail {
                        segments: self.segments,
                        extent: extent(body),
                    };
                    out.add(simulation, body, &entry.shape.surface(&detail), 1.0)?;
                }
                other => {
                    let detail = SurfaceDetail {
                        segments: self.segments,
                        extent: 1.0,
                    };
                    let surface = self
                        .shapes
                        .entry(shape)
                        .or_insert_with(|| other.surface(&detail));
                    out.add(simulation, body, surface, 1.0)?;
                }
            }
        }
        Ok(out.finish())
    }
}

/// Triangles of many bodies, with the tag of the body and the speed of the surface at each corner.
#[derive(Default)]
struct Triangles {
    points: Vec<f32>,
    corners: Vec<[i32; 3]>,
    tags: Vec<i64>,
    speeds: Vec<f32>,
}

impl Triangles {
    fn add(
        &mut self,
        simulation: &Simulation,
        body: usize,
        surface: &Surface,
        scale: f64,
    ) -> Result<(), Fault> {
        let bodies = simulation.bodies();
        let entry = simulation.shapes().get(bodies.shapes[body]);
        let offset = entry.map_or(DVec3::ZERO, |entry| entry.offset);
        let (pose, velocity) = (&bodies.poses[body], &bodies.velocities[body]);
        let first = self.tags.len();
        if i32::try_from(first + surface.vertices.len()).is_err() {
            return Err(Fault::of_whole(
                "more corners of surfaces in a frame than 31 bits can count",
                "surfaces switched off, or fewer segments",
            ));
        }
        for vertex in &surface.vertices {
            let arm = pose.direction(offset + scale * *vertex);
            self.points
                .extend((pose.position + arm).as_vec3().to_array());
            self.tags.push(bodies.tags[body].cast_signed());
            self.speeds.push(velocity.at(arm).length() as f32);
        }
        let shifted = surface
            .triangles
            .iter()
            .map(|t| t.map(|corner| corner as i32 + first as i32));
        self.corners.extend(shifted);
        Ok(())
    }

    fn finish(self) -> PolyData {
        PolyData {
            points: Values::F32(self.points),
            triangles: self.corners,
            point_data: vec![
                Array::new(TAG, 1, Values::I64(self.tags)),
                Array::new("velocity magnitude", 1, Values::F32(self.speeds)),
            ],
            ..PolyData::default()
        }
    }
}

fn is_sphere(simulation: &Simulation, body: usize) -> bool {
    let entry = simulation.shapes().get(simulation.bodies().shapes[body]);
    entry.is_some_and(|entry| matches!(entry.shape, Shape::Sphere(_)))
}

/// How far a half-space is drawn: beyond the farthest body that has an end itself. A power of two, so that it stays the
/// same while bodies move a little.
fn extent_around(simulation: &Simulation, half_space: usize) -> f64 {
    let bodies = simulation.bodies();
    let origin = bodies.poses[half_space].position;
    let farthest = (0..bodies.len())
        .filter_map(|body| {
            let entry = simulation.shapes().get(bodies.shapes[body])?;
            Some(bodies.poses[body].position.distance(origin) + entry.shape.reach())
        })
        .filter(|distance| distance.is_finite())
        .fold(0.0, f64::max);
    if farthest > 0.0 {
        farthest.log2().ceil().exp2()
    } else {
        1.0
    }
}

/// How far a half-space of a tag was drawn: half of its first edge. What is not a half-space gives a number, too.
fn extent_in(written: &PolyData, tag: u64) -> Option<f64> {
    let mut arrays = written.point_data.iter();
    let Values::I64(tags) = &arrays.find(|array| array.name == TAG)?.values else {
        return None;
    };
    let Values::F32(points) = &written.points else {
        return None;
    };
    let first = tags.iter().position(|&t| t == tag.cast_signed())?;
    let corner = |index: usize| {
        let numbers = points.get(3 * index..3 * index + 3)?;
        Some(DVec3::new(
            numbers[0].into(),
            numbers[1].into(),
            numbers[2].into(),
        ))
    };
    let edge = corner(first)?.distance(corner(first + 1)?);
    Some((0.5 * edge).log2().round().exp2())
}
