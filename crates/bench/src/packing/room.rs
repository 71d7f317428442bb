//! The rooms that are filled.

use glam::{DVec2, DVec3};

/// The room that is filled, open at the top. From some height on all walls go straight up: z = 0, in a hopper the upper end of its
/// cone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Room {
    /// A bin from z = 0 upwards; half its edges in x and y.
    Bin {
        /// Half the edges.
        half: DVec2,
    },
    /// A vessel about the z axis from z = 0 upwards.
    Vessel {
        /// Of the wall.
        radius: f64,
    },
    /// A vessel about the z axis whose floor is at the lower end of a cone.
    Hopper {
        /// Of the floor at z = 0.
        outlet: f64,
        /// Of the cone.
        height: f64,
        /// Of the wall above the cone.
        radius: f64,
    },
    /// A drum about the y axis, centred at the origin.
    Drum {
        /// Of the wall.
        radius: f64,
        /// Half the distance of its ends.
        half_length: f64,
    },
}

impl Room {
    /// Half the edges of the box around it, seen from above.
    pub(super) fn half_plan(&self) -> DVec2 {
        match *self {
            Room::Bin { half } => half,
            Room::Vessel { radius } | Room::Hopper { radius, .. } => DVec2::splat(radius),
            Room::Drum {
                radius,
                half_length,
            } => DVec2::new(radius, half_length),
        }
    }

    /// From here on all walls go straight up.
    pub(super) fn straight_from(&self) -> f64 {
        match *self {
            Room::Hopper { height, .. } => height,
            _ => 0.0,
        }
    }

    /// The nearest place for the centre of a sphere that is inside.
    pub(super) fn inside(&self, mut p: DVec3, radius: f64) -> DVec3 {
        match *self {
            Room::Bin { half } => {
                let room = half - radius;
                p.x = p.x.clamp(-room.x, room.x);
                p.y = p.y.clamp(-room.y, room.y);
                p.z = p.z.max(radius);
            }
            Room::Vessel { radius: wall } => {
                let across = DVec2::new(p.x, p.y).clamp_length_max(wall - radius);
                p = across.extend(p.z.max(radius));
            }
            Room::Hopper {
                outlet,
                height,
                radius: wall,
            } => {
                // A push out of one surface never leads into another.
                p.z = p.z.max(radius);
                let (gap, normal) = cone(p, outlet, height, wall);
                p += (radius - gap).max(0.0) * normal;
                p = DVec2::new(p.x, p.y)
                    .clamp_length_max(wall - radius)
                    .extend(p.z);
            }
            Room::Drum {
                radius: wall,
                half_length,
            } => {
                let room = half_length - radius;
                p.y = p.y.clamp(-room, room);
                // Above the axis the walls go straight up: spheres come in from there.
                let across = DVec2::new(p.x, p.z.min(0.0)).clamp_length_max(wall - radius);
                p = DVec3::new(across.x, p.y, across.y + p.z.max(0.0));
            }
        }
        p
    }

    /// Normals of the walls that a sphere touches, towards it.
    pub(super) fn touched(&self, p: DVec3, reach: f64, normals: &mut Vec<DVec3>) {
        let mut wall = |gap: f64, normal: DVec3| {
            if gap < reach {
                normals.push(normal);
            }
        };
        match *self {
            Room::Bin { half } => {
                wall(p.z, DVec3::Z);
                wall(half.x - p.x.abs(), DVec3::new(-p.x.signum(), 0.0, 0.0));
                wall(half.y - p.y.abs(), DVec3::new(0.0, -p.y.signum(), 0.0));
            }
            Room::Vessel { radius } => {
                wall(p.z, DVec3::Z);
                let across = DVec3::new(p.x, p.y, 0.0);
                wall(radius - across.length(), -across.normalize_or_zero());
            }
            Room::Hopper {
                outlet,
                height,
                radius,
            } => {
                wall(p.z, DVec3::Z);
                let (gap, normal) = cone(p, outlet, height, radius);
                wall(gap, normal);
                let across = DVec3::new(p.x, p.y, 0.0);
                wall(radius - across.length(), -across.normalize_or_zero());
            }
            Room::Drum {
                radius,
                half_length,
            } => {
                wall(half_length - p.y.abs(), DVec3::new(0.0, -p.y.signum(), 0.0));
                let across = DVec3::new(p.x, 0.0, p.z.min(0.0));
                wall(radius - across.length(), -across.normalize_or_zero());
            }
        }
    }
}

/// The distance of a point from a cone that it is inside of, and the normal of the cone there, inwards.
fn cone(p: DVec3, outlet: f64, height: f64, radius: f64) -> (f64, DVec3) {
    let along = DVec2::new(radius - outlet, height).normalize();
    let across = DVec2::new(p.x, p.y);
    let gap = (outlet - across.length()) * along.y + p.z * along.x;
    let inwards = -across.normalize_or_zero() * along.y;
    (gap, inwards.extend(along.x))
}
