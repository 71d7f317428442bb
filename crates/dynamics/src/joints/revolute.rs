//! Hinge: the origins coincide and the z axes are aligned, five rows. Free: the angle about z.

use super::parts::{Ends, Row, angle_about_axis, axes_aligned, points_coincide};

pub(super) fn constraints(ends: &Ends, rows: &mut Vec<Row>) {
    points_coincide(ends, rows);
    axes_aligned(ends, rows);
}

pub(super) fn coordinates(ends: &Ends, rows: &mut Vec<Row>) {
    rows.push(angle_about_axis(ends));
}
