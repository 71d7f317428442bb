//! A tree of boxes over triangles: which ones are near a box.

use crate::bounds::Bounds;
use glam::DVec3;

/// Triangles in one leaf.
const LEAF: usize = 4;

/// A binary tree; the two halves of a node split its triangles at the median of their middles along the longest axis.
#[derive(Clone, Debug)]
pub(crate) struct TriangleTree {
    /// Root first; the children of a node follow it.
    nodes: Vec<Node>,
    /// Triangle numbers in the order of the leaves.
    order: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Bounds,
    /// The part of `order` below this node.
    range: [u32; 2],
    /// The second child; the first follows its parent. Zero for a leaf.
    second: u32,
}

impl TriangleTree {
    /// Builds the tree.
    pub(crate) fn new(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Self {
        let boxes: Vec<Bounds> = triangles
            .iter()
            .map(|triangle| {
                let [a, b, c] = triangle.map(|i| vertices[i as usize]);
                Bounds {
                    lower: a.min(b).min(c),
                    upper: a.max(b).max(c),
                }
            })
            .collect();
        let mut tree = Self {
            nodes: Vec::with_capacity(triangles.len()),
            order: (0..triangles.len() as u32).collect(),
        };
        tree.build(&boxes, 0, triangles.len());
        tree
    }

    fn build(&mut self, boxes: &[Bounds], start: usize, end: usize) {
        let around = |range: &[u32]| {
            range
                .iter()
                .fold(Bounds::EMPTY, |all, &t| all.union(&boxes[t as usize]))
        };
        let bounds = around(&self.order[start..end]);
        let node = self.nodes.len();
        self.nodes.push(Node {
            bounds,
            range: [start as u32, end as u32],
            second: 0,
        });
        if end - start <= LEAF {
            return;
        }
        let extent = bounds.extent();
        let axis = (0..3).fold(0, |best, k| if extent[k] > extent[best] { k } else { best });
        let middle = |t: &u32| boxes[*t as usize].lower[axis] + boxes[*t as usize].upper[axis];
        // The number decides between equal middles, so that the order is the same everywhere.
        self.order[start..end]
            .sort_unstable_by(|s, t| middle(s).total_cmp(&middle(t)).then(s.cmp(t)));
        let half = start + (end - start) / 2;
        self.build(boxes, start, half);
        self.nodes[node].second = self.nodes.len() as u32;
        self.build(boxes, half, end);
    }

    /// Appends the triangles whose leaf overlaps the box.
    pub(crate) fn near(&self, bounds: &Bounds, found: &mut Vec<u32>) {
        let mut stack = vec![0_u32];
        while let Some(index) = stack.pop() {
            let Some(node) = self.nodes.get(index as usize) else {
                continue;
            };
            if !node.bounds.overlaps(bounds) {
                continue;
            }
            if node.second == 0 {
                let [start, end] = node.range.map(|i| i as usize);
                found.extend_from_slice(&self.order[start..end]);
            } else {
                stack.push(node.second);
                stack.push(index + 1);
            }
        }
    }
}
