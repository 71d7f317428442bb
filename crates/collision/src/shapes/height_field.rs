//! Ground given by heights on a grid.

use super::ShapeError;
use super::cuboid::box_bounds;
use crate::bounds::Bounds;
use crate::pose::Pose;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// The ground below a surface z = f(x, y), given on a regular grid centred at the origin and linear on the two
/// triangles of each cell (the cell's diagonal runs from its lower left to its upper right point). Beyond the grid
/// there is no ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedField")]
pub struct HeightField {
    /// Points along x; at least 2.
    pub columns: usize,
    /// Points along y; at least 2.
    pub rows: usize,
    /// Distance of neighbouring points along x and y; positive.
    pub spacing: [f64; 2],
    /// Heights, `heights[row * columns + column]`.
    pub heights: Vec<f64>,
}

/// A height field as it is read, before anything is known about it.
#[derive(Deserialize)]
struct UncheckedField {
    columns: usize,
    rows: usize,
    spacing: [f64; 2],
    heights: Vec<f64>,
}

impl TryFrom<UncheckedField> for HeightField {
    type Error = ShapeError;

    fn try_from(field: UncheckedField) -> Result<Self, ShapeError> {
        Self::new(field.columns, field.rows, field.spacing, field.heights)
    }
}

impl HeightField {
    /// Ground on a grid.
    ///
    /// # Errors
    /// When there are fewer than 2 points along an axis, the heights do not fill the grid, one is not finite, or a
    /// spacing is not positive.
    pub fn new(
        columns: usize,
        rows: usize,
        spacing: [f64; 2],
        heights: Vec<f64>,
    ) -> Result<Self, ShapeError> {
        for (what, points) in [("columns", columns), ("rows", rows)] {
            if points < 2 {
                return Err(ShapeError {
                    what: what.into(),
                    found: format!("are {points}"),
                    right: "a grid needs at least 2".into(),
                });
            }
        }
        super::volume::positive("spacing along x", spacing[0])?;
        super::volume::positive("spacing along y", spacing[1])?;
        if columns.checked_mul(rows) != Some(heights.len()) || heights.len() > u32::MAX as usize / 2
        {
            return Err(ShapeError {
                what: "heights".into(),
                found: format!("are {}", heights.len()),
                right: format!(
                    "a grid of {columns} by {rows} points needs one each, fewer than 2³¹"
                ),
            });
        }
        if let Some(index) = heights.iter().position(|z| !z.is_finite()) {
            return Err(ShapeError {
                what: format!("height {index}"),
                found: format!("is {}", heights[index]),
                right: "heights must be finite".into(),
            });
        }
        Ok(Self {
            columns,
            rows,
            spacing,
            heights,
        })
    }

    /// The grid point of a column and a row, on the surface.
    pub fn point(&self, column: usize, row: usize) -> DVec3 {
        let place = |index: usize, count: usize, spacing: f64| {
            (index as f64 - 0.5 * (count - 1) as f64) * spacing
        };
        DVec3::new(
            place(column, self.columns, self.spacing[0]),
            place(row, self.rows, self.spacing[1]),
            self.heights[row * self.columns + column],
        )
    }

    /// The box around the surface; the ground below it is not included, nothing is found in its depth.
    pub fn bounds(&self, pose: &Pose) -> Bounds {
        let (mut lower, mut upper) = (
            self.point(0, 0),
            self.point(self.columns - 1, self.rows - 1),
        );
        lower.z = self.heights.iter().copied().fold(f64::INFINITY, f64::min);
        upper.z = self
            .heights
            .iter()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max);
        box_bounds(pose, lower, upper)
    }

    /// The columns or rows of cells (first and one past the last) that an interval meets.
    pub(crate) fn cells(&self, axis: usize, lower: f64, upper: f64) -> [usize; 2] {
        let count = [self.columns, self.rows][axis] - 1;
        let index = |x: f64| (x / self.spacing[axis] + 0.5 * count as f64).floor();
        // A cast of a float to an integer saturates, so that intervals off the grid are empty.
        let first = index(lower).max(0.0) as usize;
        let end = (index(upper) + 1.0).max(0.0) as usize;
        [first.min(count), end.min(count)]
    }

    /// The two triangles of a cell, counter-clockwise seen from above, as grid points (column, row).
    pub(crate) fn triangles(column: usize, row: usize) -> [[[usize; 2]; 3]; 2] {
        let [a, b, c, d] = [
            [column, row],
            [column + 1, row],
            [column + 1, row + 1],
            [column, row + 1],
        ];
        [[a, b, c], [a, c, d]]
    }
}
