//! Weld: both frames coincide, six rows, no coordinate.

use super::parts::{Ends, Row, points_coincide, rotations_coincide};

pub(super) fn constraints(ends: &Ends, rows: &mut Vec<Row>) {
    points_coincide(ends, rows);
    rotations_coincide(ends, rows);
}
