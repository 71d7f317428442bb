//! Contacts of rigid bodies in space: what a simulation knows of them, and the frame at a contact.

use super::geometry::Geometry;
use super::inertias::Inertias;
use super::lean::LeanContacts;
use super::{JacobianBlock, MatrixFree};

/// The inverse inertia of a rigid body about its centre of mass, in the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyInertia {
    /// 1/m.
    pub inverse_mass: f64,
    /// The symmetric inverse of the inertia tensor: xx, yy, zz, xy, xz, yz.
    pub inverse_inertia: [f64; 6],
}

/// One contact between two rigid bodies, or between a body and something without freedoms.
///
/// The relative velocity is u = R ((v_b + ω_b × r_b) − (v_a + ω_a × r_a)) with a = `bodies[0]`, b = `bodies[1]`
/// and R the [`contact_frame`]: rows (n, t₁, t₂). Blocks of one row have the normal alone; blocks of five rows
/// add ω_b − ω_a along t₁ and t₂ (rolling), blocks of six also along n (spinning).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidContact {
    /// The two sides; [`RigidContact::FIXED`] for one without a body.
    pub bodies: [u32; 2],
    /// Unit normal from `bodies[0]` into `bodies[1]`.
    pub normal: [f64; 3],
    /// From the centre of mass of each side to the contact point; ignored on a fixed side.
    pub arms: [[f64; 3]; 2],
}

impl RigidContact {
    /// Marks a side that is fixed or driven: its velocity is part of the free velocity.
    pub const FIXED: u32 = u32::MAX;
}

/// The frame at a contact: rows n, t₁, t₂, orthonormal and right-handed, for a unit normal.
///
/// T. Duff et al., *Building an orthonormal basis, revisited*, JCGT 6, 2017: exact for every direction, with no
/// branch but the choice of a sign.
///
/// ```
/// use moreau_contact_solvers::delassus::contact_frame;
/// assert_eq!(contact_frame([0.0, 0.0, 1.0]), [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
/// ```
#[inline]
pub fn contact_frame(normal: [f64; 3]) -> [[f64; 3]; 3] {
    let [x, y, z] = normal;
    let sign = 1f64.copysign(z);
    let a = -1.0 / (sign + z);
    let b = x * y * a;
    [
        normal,
        [1.0 + sign * x * x * a, sign * b, -sign * x],
        [b, sign + y * y * a, -y],
    ]
}

impl MatrixFree {
    /// Builds the operator of rigid bodies in space. Blocks `0..contacts.len()` of `offsets` are the contacts, of
    /// 1, 3, 5 or 6 rows each; the blocks behind them are described by `joints`, as in [`MatrixFree::new`].
    ///
    /// # Errors
    /// A message that names the first contact, joint or length that does not fit.
    pub fn rigid(
        offsets: Vec<usize>,
        inertias: Vec<BodyInertia>,
        contacts: Vec<RigidContact>,
        joints: Vec<JacobianBlock>,
    ) -> Result<Self, String> {
        let contact = |index: usize| contacts[index];
        Self::rigid_by(offsets, inertias, (contacts.len(), contact), joints)
    }

    /// The same of so many contacts that a function gives, so that nobody needs a list of them. It is called on all threads, and again
    /// where not all contacts are those of balls.
    ///
    /// # Errors
    /// As above.
    pub fn rigid_by(
        offsets: Vec<usize>,
        inertias: Vec<BodyInertia>,
        (count, contact): (usize, impl Fn(usize) -> RigidContact + Sync),
        joints: Vec<JacobianBlock>,
    ) -> Result<Self, String> {
        let blocks = offsets.len().saturating_sub(1);
        if offsets.is_empty() || count > blocks {
            return Err(format!("{count} contacts do not fit into {blocks} blocks"));
        }
        if let Some(joint) = joints.iter().find(|joint| joint.contact < count) {
            return Err(format!(
                "the Jacobian block of a joint belongs to contact {}; joints come after all {count} contacts",
                joint.contact,
            ));
        }
        let bodies = inertias.len();
        let checked = |index: usize| {
            let contact = contact(index);
            contact.check(index, offsets[index + 1] - offsets[index], bodies)?;
            Ok(contact)
        };
        let geometry = Geometry::new(count, checked)?;
        let lean = LeanContacts::new(&offsets[..=count], geometry, Inertias::new(inertias));
        Self::with_lean_contacts(lean, offsets[count..].to_vec(), bodies, joints)
    }

    /// A contact of rigid bodies; `None` for other blocks. The arm of a fixed side need not be what it was.
    pub fn rigid_contact(&self, block: usize) -> Option<RigidContact> {
        let lean = self.lean_contacts()?;
        (block < lean.len()).then(|| lean.contact(block))
    }
}

impl BodyInertia {
    /// M⁻¹, row-major.
    pub fn matrix(&self) -> [f64; 36] {
        let [xx, yy, zz, xy, xz, yz] = self.inverse_inertia;
        let mut matrix = [0.0; 36];
        for k in 0..3 {
            matrix[7 * k] = self.inverse_mass;
        }
        matrix[21..24].copy_from_slice(&[xx, xy, xz]);
        matrix[27..30].copy_from_slice(&[xy, yy, yz]);
        matrix[33..36].copy_from_slice(&[xz, yz, zz]);
        matrix
    }
}

impl RigidContact {
    fn check(&self, index: usize, rows: usize, bodies: usize) -> Result<(), String> {
        if !matches!(rows, 1 | 3 | 5 | 6) {
            return Err(format!(
                "contact {index} has {rows} rows; 1, 3, 5 or 6 are possible"
            ));
        }
        let [a, b] = self.bodies;
        if a == b {
            return Err(format!("both sides of contact {index} are {a}"));
        }
        match self
            .bodies
            .iter()
            .find(|&&body| body != Self::FIXED && body as usize >= bodies)
        {
            Some(body) => Err(format!(
                "contact {index} names body {body}; there are {bodies} bodies"
            )),
            None => Ok(()),
        }
    }

    /// The six rows of Dᵀ for one side, row-major 6 x 6; a block of fewer rows has the first of them.
    pub(super) fn jacobian(&self, side: usize) -> [f64; 36] {
        let sign = if side == 0 { -1.0 } else { 1.0 };
        let frame = contact_frame(self.normal).map(|row| row.map(|v| sign * v));
        let mut values = [0.0; 36];
        for (row, direction) in frame.iter().enumerate() {
            values[6 * row..6 * row + 3].copy_from_slice(direction);
            values[6 * row + 3..6 * row + 6].copy_from_slice(&cross(self.arms[side], *direction));
        }
        for (row, direction) in [(3, frame[1]), (4, frame[2]), (5, frame[0])] {
            values[6 * row + 3..6 * row + 6].copy_from_slice(&direction);
        }
        values
    }
}

/// x × y.
#[inline]
pub(super) fn cross(x: [f64; 3], y: [f64; 3]) -> [f64; 3] {
    [
        x[1] * y[2] - x[2] * y[1],
        x[2] * y[0] - x[0] * y[2],
        x[0] * y[1] - x[1] * y[0],
    ]
}
