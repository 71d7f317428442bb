//! The rooms that are filled.

use glam::{DVec2, DVec3};

/// The room that is filled, open at the top. Above z = 0 all walls go straight up.
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
            Room::Vessel { radius } => DVec2::splat(radius),
            Room::Drum {
                radius,
                half_length,
            } => DVec2::new(radius, half_length),
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
