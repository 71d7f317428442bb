//! Where there is room for one more body.

use glam::DVec3;
use moreau_collision::bounds::Bounds;
use moreau_collision::narrow_phase::contact_points;
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{Shape, ShapeTable};
use std::collections::HashMap;

/// Bodies sorted into cells, so that those near a place are found quickly. Nothing depends on the order of the cells.
pub(crate) struct FreeSpace {
    cell: f64,
    cells: HashMap<[i64; 3], Vec<u32>>,
    /// Bodies over many cells.
    large: Vec<u32>,
    items: Vec<Item>,
}

struct Item {
    shape: u32,
    /// Of the shape's frame.
    pose: Pose,
    bounds: Bounds,
}

/// A body over more cells than this is kept apart.
const MANY_CELLS: f64 = 64.0;

impl FreeSpace {
    /// Empty space, with cells for bodies about `size` across.
    pub fn new(size: f64) -> Self {
        Self {
            cell: size,
            cells: HashMap::new(),
            large: Vec::new(),
            items: Vec::new(),
        }
    }

    fn cells_of(&self, bounds: &Bounds) -> Option<[[i64; 3]; 2]> {
        let low = (bounds.lower / self.cell).floor();
        let high = (bounds.upper / self.cell).floor();
        let counts = high - low + 1.0;
        let usable = counts.element_product() <= MANY_CELLS && low.abs().max_element() < 1e15;
        let cell = |v: DVec3| [v.x as i64, v.y as i64, v.z as i64];
        usable.then(|| [cell(low), cell(high)])
    }

    /// Puts a body there; the pose is that of its shape's frame.
    pub fn insert(&mut self, shapes: &ShapeTable, shape: u32, pose: Pose) {
        let Some(entry) = shapes.get(shape) else {
            return;
        };
        let index = self.items.len() as u32;
        let bounds = entry.shape.bounds(&pose);
        match self.cells_of(&bounds) {
            None => self.large.push(index),
            Some(range) => {
                for_each_cell(range, |cell| {
                    self.cells.entry(cell).or_default().push(index);
                });
            }
        }
        self.items.push(Item {
            shape,
            pose,
            bounds,
        });
    }

    /// Whether a shape in a pose touches nobody, or overlaps with nobody by as much as `overlap`.
    pub fn is_free(
        &self,
        shapes: &ShapeTable,
        (shape, pose): (&Shape, &Pose),
        overlap: f64,
    ) -> bool {
        let bounds = shape.bounds(pose);
        let mut points = Vec::new();
        let mut hits = |index: u32| {
            let item = &self.items[index as usize];
            let Some(entry) = shapes.get(item.shape) else {
                return false;
            };
            if !item.bounds.overlaps(&bounds) {
                return false;
            }
            points.clear();
            contact_points((&entry.shape, &item.pose), (shape, pose), 0.0, &mut points);
            points.iter().any(|point| point.gap <= -overlap)
        };
        if self.large.iter().any(|index| hits(*index)) {
            return false;
        }
        match self.cells_of(&bounds) {
            None => !(0..self.items.len() as u32).any(hits),
            Some(range) => {
                let mut free = true;
                for_each_cell(range, |cell| {
                    let near = self.cells.get(&cell).map_or(&[][..], Vec::as_slice);
                    free = free && !near.iter().any(|index| hits(*index));
                });
                free
            }
        }
    }
}

fn for_each_cell([low, high]: [[i64; 3]; 2], mut visit: impl FnMut([i64; 3])) {
    for x in low[0]..=high[0] {
        for y in low[1]..=high[1] {
            for z in low[2]..=high[2] {
                visit([x, y, z]);
            }
        }
    }
}
