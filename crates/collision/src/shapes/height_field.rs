//! Ground given by heights on a grid.

use serde::{Deserialize, Serialize};

/// The ground below a surface z = f(x, y), given on a regular grid centred at the origin and linear on the two
/// triangles of each cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
