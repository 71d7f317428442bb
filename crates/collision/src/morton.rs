//! Morton codes: numbers for points in space such that points with close numbers are close in space.
//!
//! The bits of the three cell coordinates are interleaved, so that sorting by the code walks through an octree: first
//! all of one octant, then the next, and the same within each.

use crate::bounds::Bounds;
use glam::DVec3;

/// Bits of the code for each axis: three times 21 fill 63 of the 64 bits.
pub const BITS: u32 = 21;

/// The code of the cell with the given coordinates, each below 2²¹ (higher bits are ignored): bit i of the axes x, y, z
/// becomes bit 3i, 3i + 1, 3i + 2.
///
/// ```
/// use moreau_collision::morton::interleave;
/// assert_eq!(interleave([0b11, 0, 0]), 0b001_001);
/// assert_eq!(interleave([0b01, 0b10, 0b11]), 0b110_101);
/// ```
#[inline]
pub fn interleave(cell: [u32; 3]) -> u64 {
    spread(cell[0]) | spread(cell[1]) << 1 | spread(cell[2]) << 2
}

/// The code of a point in a box that is cut into cubes, 2²¹ along its longest edge.
///
/// Points outside count as being in the nearest cell along each axis, and a coordinate that is not a number as zero: a
/// code says where to look first, never what is true. For many points of one box, keep the [`Cells`].
///
/// ```
/// use glam::DVec3;
/// use moreau_collision::{bounds::Bounds, morton};
/// let bounds = Bounds { lower: DVec3::ZERO, upper: DVec3::new(2.0, 1.0, 1.0) };
/// let half = 1 << 20; // cells in one unit of length
/// assert_eq!(morton::code(DVec3::new(1.0, 0.5, 0.0), &bounds), morton::interleave([half, half / 2, 0]));
/// ```
pub fn code(point: DVec3, bounds: &Bounds) -> u64 {
    Cells::new(bounds).code(point)
}

/// A box cut into cubes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cells {
    lower: DVec3,
    per_length: f64,
}

impl Cells {
    /// Cuts the longest edge into 2²¹ and the others into cells of the same size: a flat box gets no flat cells, whose
    /// neighbours in the code would be far apart in space.
    pub fn new(bounds: &Bounds) -> Self {
        Self {
            lower: bounds.lower,
            per_length: f64::from(1 << BITS) / bounds.extent().max_element(),
        }
    }

    /// The code of a point, see [`code`].
    #[inline]
    pub fn code(&self, point: DVec3) -> u64 {
        // `as` takes NaN to 0 and what is out of range to its end.
        let last = (1 << BITS) - 1;
        let cell = (point - self.lower) * self.per_length;
        interleave(cell.to_array().map(|x| (x as u32).min(last)))
    }
}

/// Moves bit i to bit 3i, for the lowest 21 bits.
#[inline]
fn spread(x: u32) -> u64 {
    let mut x = u64::from(x) & 0x1f_ffff;
    x = (x | x << 32) & 0x001f_0000_0000_ffff;
    x = (x | x << 16) & 0x001f_0000_ff00_00ff;
    x = (x | x << 8) & 0x100f_00f0_0f00_f00f;
    x = (x | x << 4) & 0x10c3_0c30_c30c_30c3;
    (x | x << 2) & 0x1249_2492_4924_9249
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_has_its_place() {
        for bit in 0..BITS {
            for axis in 0..3 {
                let mut cell = [0; 3];
                cell[axis] = 1 << bit;
                assert_eq!(interleave(cell), 1 << (3 * bit + axis as u32));
            }
        }
        assert_eq!(interleave([u32::MAX; 3]), (1 << 63) - 1);
    }

    #[test]
    fn no_point_and_no_box_is_too_odd_for_a_code() {
        let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 0.0];
        for a in odd {
            for b in odd {
                let bounds = Bounds {
                    lower: DVec3::splat(a),
                    upper: DVec3::splat(b),
                };
                for c in odd {
                    assert!(code(DVec3::new(c, 1.0, -c), &bounds) < 1 << 63);
                }
            }
        }
    }
}
