//! Ball and socket: the origins of both frames coincide, three rows. Free: the swing and the twist.
//!
//! The rotation from the first frame to the second is a twist τ about z, then a swing θ about an axis n across z. With
//! the z axes a and b of both frames, θ is the angle between them, and changes by n·ω with n along a × b. Moving the axis
//! of the swing turns the second frame too; what is left of the relative angular velocity ω along a + b is the twist alone:
//! (a + b)·ω = (1 + a·b) τ̇.

use super::parts::{Direction, Ends, Row, points_coincide};

pub(super) fn constraints(ends: &Ends, rows: &mut Vec<Row>) {
    points_coincide(ends, rows);
}

pub(super) fn coordinates(ends: &Ends, rows: &mut Vec<Row>) {
    let (a, b) = (ends.first_axis(2), ends.second_axis(2));
    let (across, cosine) = (a.cross(b), a.dot(b));
    rows.push(Row {
        // Axes in one line leave the direction open.
        direction: Direction::Angular(across.try_normalize().unwrap_or(ends.first_axis(0))),
        value: across.length().atan2(cosine),
    });
    let relative = ends.frames[0].rotation.conjugate() * ends.frames[1].rotation;
    let twist = 2.0 * relative.z.atan2(relative.w);
    let turn = std::f64::consts::TAU;
    // Opposite axes leave the twist open.
    let size = (1.0 + cosine).max(f64::EPSILON);
    rows.push(Row {
        direction: Direction::Angular((a + b) / size),
        value: twist - turn * (twist / turn).round(),
    });
}
