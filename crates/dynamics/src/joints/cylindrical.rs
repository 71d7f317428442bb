//! Rod in a sleeve: the second origin stays on the z axis of the first and the z axes are aligned, four rows. Free: the
//! displacement along z and the angle about it.

use super::parts::{Ends, Row, angle_about_axis, axes_aligned, displacement, point_on_axis};

pub(super) fn constraints(ends: &Ends, rows: &mut Vec<Row>) {
    point_on_axis(ends, rows);
    axes_aligned(ends, rows);
}

pub(super) fn coordinates(ends: &Ends, rows: &mut Vec<Row>) {
    rows.push(displacement(ends, 2));
    rows.push(angle_about_axis(ends));
}
