//! Ball and socket: the origins of both frames coincide, three rows, no coordinate.

use super::parts::{Ends, Row, points_coincide};

pub(super) fn constraints(ends: &Ends, rows: &mut Vec<Row>) {
    points_coincide(ends, rows);
}
