//! Rod, rope or strut between two points. With a length: one row. Without one: the distance is a free coordinate, which
//! limits turn into a rope (largest distance) or a strut (smallest distance).

use super::parts::{Direction, Ends, Row};

/// |x_b − x_a|, whose derivative is along the unit vector between the points.
fn between(ends: &Ends) -> Row {
    let line = ends.separation();
    // Points in one place leave the direction open.
    let direction = line.try_normalize().unwrap_or(ends.first_axis(2));
    Row {
        direction: Direction::Linear(direction),
        value: line.length(),
    }
}

pub(super) fn constraints(ends: &Ends, length: f64, rows: &mut Vec<Row>) {
    let row = between(ends);
    rows.push(Row {
        value: row.value - length,
        ..row
    });
}

pub(super) fn coordinates(ends: &Ends, rows: &mut Vec<Row>) {
    rows.push(between(ends));
}
