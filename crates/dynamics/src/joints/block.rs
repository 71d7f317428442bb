//! What joints hand to the contact problem: small blocks of rows.

use moreau_contact_solvers::cones::Cone;

/// Free coordinates that a joint has at most.
pub const MAX_COORDINATES: usize = 2;

/// What a block of a joint is there for. A joint makes at most one block of each kind, so that joint and kind together
/// find the impulse of the last step again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// The rows that make the joint what it is.
    Constraint,
    /// The lower limit of a free coordinate.
    Lower(usize),
    /// The upper limit of a free coordinate.
    Upper(usize),
    /// The motor of a free coordinate.
    Motor(usize),
    /// The friction of a free coordinate.
    Friction(usize),
}

impl BlockKind {
    /// Numbers that hold one impulse for every row that a joint can have: six of constraints, and four for each free
    /// coordinate.
    pub const SLOTS: usize = 6 + 4 * MAX_COORDINATES;

    /// Where the impulses of the block begin among [`BlockKind::SLOTS`] numbers.
    pub fn slot(self) -> usize {
        match self {
            BlockKind::Constraint => 0,
            BlockKind::Lower(coordinate) => 6 + 4 * coordinate,
            BlockKind::Upper(coordinate) => 7 + 4 * coordinate,
            BlockKind::Motor(coordinate) => 8 + 4 * coordinate,
            BlockKind::Friction(coordinate) => 9 + 4 * coordinate,
        }
    }
}

/// One block of the contact problem that a joint makes.
#[derive(Clone, Debug, PartialEq)]
pub struct JointBlock {
    /// Which joint.
    pub joint: u32,
    /// What for.
    pub kind: BlockKind,
    /// [`Cone::Bilateral`] for constraints and motors without a bound, [`Cone::Unilateral`] for limits, [`Cone::Box`] for
    /// other motors and friction.
    pub cone: Cone,
    /// The two bodies; `u32::MAX` for the world.
    pub bodies: [u32; 2],
    /// The force or torque along a free coordinate that a unit of the row's impulse is, per s.
    pub scale: f64,
    /// For each body, its part of the Jacobian: rows x 6 (velocity, then angular velocity), row-major; the first
    /// `6 * rows` numbers count.
    pub jacobians: [[f64; 36]; 2],
    /// Added to J v: for constraints the drift over the step, for motors minus the wanted speed.
    pub bias: [f64; 6],
    /// Compliance E of each row.
    pub compliance: [f64; 6],
    /// The length that a step's error is measured by, in m: a share of it may be left of what the rows keep. Infinite for rows
    /// that keep nothing: springs, friction, and motors of a speed or a force.
    pub length: f64,
    /// What rounding may have left of each bias. A free velocity below it is none: solved for relative to its size, it
    /// would have the solver hunt for noise when joints carry no load.
    pub rounding: [f64; 6],
}

impl JointBlock {
    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.cone.dimension()
    }
}
