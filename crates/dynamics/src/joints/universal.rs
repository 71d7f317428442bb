//! Cross of two hinges: the origins coincide, and the x axis of the first frame, u, is perpendicular to the y axis of the
//! second, w: four rows. Free: the angles about u and about w.
//!
//! The rotation from the first frame to the second is R_x(α) R_y(β), so that y_b = (0, cos α, sin α) in the first frame,
//! and x_a = (cos β, 0, sin β) in the second. The relative angular velocity is α̇ u + β̇ w, and u ⊥ w separates the two.

use super::parts::{Direction, Ends, Row, axes_perpendicular, points_coincide};

pub(super) fn constraints(ends: &Ends, rows: &mut Vec<Row>) {
    points_coincide(ends, rows);
    axes_perpendicular(ends, rows);
}

pub(super) fn coordinates(ends: &Ends, rows: &mut Vec<Row>) {
    let (u, w) = (ends.first_axis(0), ends.second_axis(1));
    rows.push(Row {
        direction: Direction::Angular(u),
        value: w.dot(ends.first_axis(2)).atan2(w.dot(ends.first_axis(1))),
    });
    rows.push(Row {
        direction: Direction::Angular(w),
        value: u.dot(ends.second_axis(2)).atan2(u.dot(ends.second_axis(0))),
    });
}
