//! What collision detection is given.

use crate::bounds::Bounds;
use crate::pose::Pose;
use crate::shapes::ShapeTable;
use serde::{Deserialize, Serialize};

/// Which bodies may touch which: two bodies are tested when each one's `member` bits meet the other's `collides` bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Groups {
    /// Groups that the body belongs to.
    pub member: u16,
    /// Groups that it collides with.
    pub collides: u16,
}

impl Default for Groups {
    /// In every group, colliding with every group.
    fn default() -> Self {
        Self {
            member: u16::MAX,
            collides: u16::MAX,
        }
    }
}

/// What can make a body move; two bodies are tested only if one of them can move into the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mobility {
    /// Nothing.
    Still,
    /// It moves, whatever it meets.
    Driven,
    /// It rests, until something that moves meets it.
    Asleep,
    /// Forces, and what it meets.
    Free,
}

impl Mobility {
    /// Whether two bodies can push one another, which neither does alone.
    #[inline]
    pub fn can_meet(self, other: Mobility) -> bool {
        use Mobility::{Asleep, Driven, Free};
        self == Free
            || other == Free
            || matches!((self, other), (Asleep, Driven) | (Driven, Asleep))
    }
}

/// All bodies, seen as shapes in space. The arrays are parallel: one entry for each body.
///
/// ```
/// use glam::DVec3;
/// use moreau_collision::broad_phase::BroadPhase;
/// use moreau_collision::colliders::{Colliders, Groups, Mobility};
/// use moreau_collision::narrow_phase::NarrowPhase;
/// use moreau_collision::pose::Pose;
/// use moreau_collision::shapes::{Shape, ShapeTable, Sphere};
///
/// let mut table = ShapeTable::default();
/// let ball = table.add(Shape::Sphere(Sphere::new(0.5)?));
/// let poses = [0.0, 0.9, 5.0].map(|x| Pose::at(DVec3::new(x, 0.0, 0.0)));
/// let colliders = Colliders {
///     poses: &poses,
///     shapes: &[ball; 3],
///     table: &table,
///     envelopes: &[0.05; 3],
///     mobility: &[Mobility::Free; 3],
///     groups: &[Groups::default(); 3],
///     excluded: &[],
/// };
/// let mut broad = BroadPhase::default();
/// let mut narrow = NarrowPhase::default();
/// let pairs = broad.find_pairs(&colliders);
/// assert_eq!(pairs, [[0, 1]]);
/// let contacts = narrow.find_contacts(&colliders, pairs);
/// assert!((contacts[0].gap + 0.1).abs() < 1e-12);
/// # Ok::<(), moreau_collision::shapes::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Colliders<'a> {
    /// Pose of the body's frame (its centre of mass).
    pub poses: &'a [Pose],
    /// Index into the table, or [`ShapeTable::NONE`] for a body without a shape.
    pub shapes: &'a [u32],
    /// The shapes.
    pub table: &'a ShapeTable,
    /// δ: contacts of a pair are wanted up to a gap of the sum of its two envelopes.
    pub envelopes: &'a [f64],
    /// What can make each body move.
    pub mobility: &'a [Mobility],
    /// Groups of each body.
    pub groups: &'a [Groups],
    /// Pairs that never touch (joined bodies), smaller index first, sorted.
    pub excluded: &'a [[u32; 2]],
}

impl Colliders<'_> {
    /// The number of bodies.
    pub fn len(&self) -> usize {
        self.poses.len()
    }

    /// Whether there is no body.
    pub fn is_empty(&self) -> bool {
        self.poses.is_empty()
    }

    /// Whether two bodies, whose boxes overlap, are to be tested.
    #[inline]
    pub fn may_touch(&self, a: u32, b: u32) -> bool {
        self.can_meet(a, b) && self.groups_meet(a, b) && !self.is_excluded(a, b)
    }

    /// The same where [`Colliders::all_groups_meet`]: of most pairs it looks at the first body alone, which spares the caches.
    #[inline]
    pub(crate) fn may_touch_in_any_group(&self, a: u32, b: u32) -> bool {
        self.can_meet(a, b) && !self.is_excluded(a, b)
    }

    /// Whether all bodies are in the same groups, which collide with each other: the usual case.
    pub(crate) fn all_groups_meet(&self) -> bool {
        self.groups.first().is_none_or(|first| {
            first.member & first.collides != 0 && self.groups.iter().all(|groups| groups == first)
        })
    }

    #[inline]
    fn can_meet(&self, a: u32, b: u32) -> bool {
        let first = self.mobility[a as usize];
        first == Mobility::Free || first.can_meet(self.mobility[b as usize])
    }

    #[inline]
    fn groups_meet(&self, a: u32, b: u32) -> bool {
        let (first, second) = (&self.groups[a as usize], &self.groups[b as usize]);
        first.member & second.collides != 0 && second.member & first.collides != 0
    }

    #[inline]
    fn is_excluded(&self, a: u32, b: u32) -> bool {
        !self.excluded.is_empty() && self.excluded.binary_search(&[a.min(b), a.max(b)]).is_ok()
    }

    /// The box around a body, grown by its envelope; [`Bounds::EMPTY`] for a body without a shape.
    pub fn bounds(&self, body: usize) -> Bounds {
        match self.table.get(self.shapes[body]) {
            Some(entry) => entry
                .shape
                .bounds(&entry.pose(&self.poses[body]))
                .grown(self.envelopes[body]),
            None => Bounds::EMPTY,
        }
    }
}
