//! A tree of boxes over bodies of like size, eight children to a node.

use crate::bounds::Bounds;
use glam::{DVec3, Vec4};
use rayon::prelude::*;

/// Boxes in a block, children of a node.
pub(super) const WIDTH: usize = 8;
const WIDTH_LOG2: u32 = 3;

/// Marks a lane without a body.
pub(super) const NO_BODY: u32 = u32::MAX;

/// Eight boxes in single precision, rounded outwards: 192 bytes, three cache lines. One box is tested against all eight
/// in twelve comparisons of four lanes. Rejected: double precision, twice the bytes and twice the comparisons, to save
/// the exact test of those few that pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    lower: [[Vec4; 2]; 3],
    upper: [[Vec4; 2]; 3],
}

/// One box, each coordinate in all four lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Query {
    lower: [Vec4; 3],
    upper: [Vec4; 3],
}

/// One box in single precision.
#[derive(Clone, Copy, Debug)]
struct SmallBounds {
    lower: [f32; 3],
    upper: [f32; 3],
}

impl SmallBounds {
    /// Overlaps nothing, not even an unbounded box: NaN fails every comparison.
    const NOTHING: Self = Self {
        lower: [f32::NAN; 3],
        upper: [f32::NAN; 3],
    };

    /// Rounds outwards, relative to `origin`. Subtraction rounds too, but never swaps two numbers, so boxes that overlap
    /// still do.
    #[inline]
    fn around(bounds: &Bounds, origin: DVec3) -> Self {
        Self {
            lower: (bounds.lower - origin).to_array().map(below),
            upper: (bounds.upper - origin).to_array().map(above),
        }
    }
}

/// A number of single precision that is not above x, at most three units in the last place away. Without a branch: the
/// neighbour of the nearest number would take several.
#[inline]
fn below(x: f64) -> f32 {
    let nearest = (x as f32).min(f32::MAX);
    nearest - (f32::EPSILON * nearest.abs() + f32::MIN_POSITIVE)
}

/// The same, not below x.
#[inline]
fn above(x: f64) -> f32 {
    let nearest = (x as f32).max(f32::MIN);
    nearest + (f32::EPSILON * nearest.abs() + f32::MIN_POSITIVE)
}

impl Block {
    #[inline]
    fn new(boxes: &[SmallBounds; WIDTH]) -> Self {
        let mut block = Self {
            lower: [[Vec4::ZERO; 2]; 3],
            upper: [[Vec4::ZERO; 2]; 3],
        };
        for axis in 0..3 {
            for half in 0..2 {
                let [a, b, c, d] = [0, 1, 2, 3].map(|lane| &boxes[4 * half + lane]);
                block.lower[axis][half] =
                    Vec4::new(a.lower[axis], b.lower[axis], c.lower[axis], d.lower[axis]);
                block.upper[axis][half] =
                    Vec4::new(a.upper[axis], b.upper[axis], c.upper[axis], d.upper[axis]);
            }
        }
        block
    }

    /// A bit for each box that shares a point with the query.
    #[inline]
    pub fn overlaps(&self, query: &Query) -> u32 {
        let half = |h: usize| {
            let x = self.lower[0][h].cmple(query.upper[0]) & query.lower[0].cmple(self.upper[0][h]);
            let y = self.lower[1][h].cmple(query.upper[1]) & query.lower[1].cmple(self.upper[1][h]);
            let z = self.lower[2][h].cmple(query.upper[2]) & query.lower[2].cmple(self.upper[2][h]);
            (x & y & z).bitmask()
        };
        half(0) | half(1) << 4
    }

    /// One of the boxes.
    #[inline]
    pub fn query(&self, lane: usize) -> Query {
        let (half, lane) = (lane / 4, lane % 4);
        Query {
            lower: self.lower.map(|x| Vec4::splat(x[half][lane])),
            upper: self.upper.map(|x| Vec4::splat(x[half][lane])),
        }
    }

    /// The box around all eight; lanes without a body do not count.
    fn union(&self) -> SmallBounds {
        let fold = |x: &[Vec4; 2], start: f32, pick: fn(f32, f32) -> f32| {
            let lanes = x.iter().flat_map(Vec4::to_array);
            lanes.fold(start, pick)
        };
        SmallBounds {
            lower: std::array::from_fn(|k| fold(&self.lower[k], f32::INFINITY, f32::min)),
            upper: std::array::from_fn(|k| fold(&self.upper[k], f32::NEG_INFINITY, f32::max)),
        }
    }
}

/// Boxes over bodies in Morton order: level 0 holds the bodies, each level above the boxes around the blocks below. No
/// pointers: child c of node i is node 8 i + c one level below.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    /// Body in each lane of level 0, or [`NO_BODY`].
    pub bodies: Vec<u32>,
    /// Place of the first body of each block among all bodies in Morton order.
    pub ranks: Vec<u32>,
    levels: Vec<Vec<Block>>,
}

impl Tree {
    /// Forgets all bodies, keeps the storage.
    pub fn clear(&mut self) {
        self.bodies.clear();
        self.ranks.clear();
    }

    /// Adds a body; call in Morton order, before [`Tree::build`].
    #[inline]
    pub fn push(&mut self, body: u32, rank: u32) {
        if self.bodies.len().is_multiple_of(WIDTH) {
            self.ranks.push(rank);
        }
        self.bodies.push(body);
    }

    /// Makes the boxes of all levels.
    pub fn build(&mut self, bounds: &[Bounds], origin: DVec3) {
        self.bodies
            .resize(self.bodies.len().next_multiple_of(WIDTH), NO_BODY);
        let mut height = 0;
        let mut count = self.bodies.len();
        while count > 0 && (height == 0 || count > 1) {
            if self.levels.len() == height {
                self.levels.push(Vec::new());
            }
            let (below, rest) = self.levels.split_at_mut(height);
            let boxes_below = below.last();
            let bodies = &self.bodies;
            let child = |i: usize| match boxes_below {
                None if bodies[i] != NO_BODY => {
                    SmallBounds::around(&bounds[bodies[i] as usize], origin)
                }
                Some(blocks) if i < count => blocks[i].union(),
                _ => SmallBounds::NOTHING,
            };
            let block = |i: usize| Block::new(&std::array::from_fn(|c| child(WIDTH * i + c)));
            let blocks = count.div_ceil(WIDTH);
            (0..blocks)
                .into_par_iter()
                .with_min_len(256)
                .map(block)
                .collect_into_vec(&mut rest[0]);
            count = blocks;
            height += 1;
        }
        self.levels.truncate(height);
    }

    /// The blocks of bodies.
    pub fn leaves(&self) -> &[Block] {
        self.levels.first().map_or(&[], |level| level)
    }

    /// The box around block `leaf`.
    #[inline]
    pub fn leaf_box(&self, leaf: usize) -> Query {
        match self.levels.get(1) {
            Some(parents) => parents[leaf / WIDTH].query(leaf % WIDTH),
            None => Query::from(self.levels[0][leaf].union()),
        }
    }

    /// Calls `visit` with each block from `from` on whose box overlaps the query, and that box, in rising order.
    #[inline]
    pub fn for_each_leaf(&self, query: &Query, from: usize, visit: &mut impl FnMut(usize, &Query)) {
        match self.levels.len() {
            0 => {}
            1 => visit(0, &self.leaf_box(0)),
            height => self.descend(height - 1, 0, query, from, visit),
        }
    }

    fn descend(
        &self,
        level: usize,
        node: usize,
        query: &Query,
        from: usize,
        visit: &mut impl FnMut(usize, &Query),
    ) {
        let block = &self.levels[level][node];
        let mut hits = block.overlaps(query);
        let first = from >> (WIDTH_LOG2 as usize * (level - 1));
        if first / WIDTH == node {
            hits &= u32::MAX << (first % WIDTH);
        }
        while hits != 0 {
            let lane = hits.trailing_zeros() as usize;
            hits &= hits - 1;
            let child = WIDTH * node + lane;
            if level == 1 {
                visit(child, &block.query(lane));
            } else {
                self.descend(level - 1, child, query, from, visit);
            }
        }
    }

    /// Bytes of the storage that is kept.
    pub fn bytes(&self) -> usize {
        let blocks: usize = self.levels.iter().map(Vec::capacity).sum();
        4 * (self.bodies.capacity() + self.ranks.capacity()) + size_of::<Block>() * blocks
    }
}

impl From<SmallBounds> for Query {
    fn from(bounds: SmallBounds) -> Self {
        Self {
            lower: bounds.lower.map(Vec4::splat),
            upper: bounds.upper.map(Vec4::splat),
        }
    }
}
