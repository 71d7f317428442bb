//! Slider: the second origin stays on the z axis of the first and nothing turns, five rows. Free: the displacement
//! along z.

use super::parts::{Ends, Row, displacement, point_on_axis, rotations_coincide};

pub(super) fn constraints(ends: &Ends, rows: &mut Vec<Row>) {
    point_on_axis(ends, rows);
    rotations_coincide(ends, rows);
}

pub(super) fn coordinates(ends: &Ends, rows: &mut Vec<Row>) {
    rows.push(displacement(ends, 2));
}
