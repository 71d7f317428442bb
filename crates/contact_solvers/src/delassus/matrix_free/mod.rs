//! N = Dᵀ M⁻¹ D from the Jacobian blocks of bodies and their inverse masses; N is never formed.
//!
//! The blocks of a general contact are stored; those of contacts of rigid bodies, given to
//! [`MatrixFree::rigid`], are not, see the module `lean`.
//!
//! Memory per stored (contact, body) pair in space: 18 numbers of the block and 12 bytes of indices, so a
//! contact of two bodies costs about 320 bytes. Forming N instead would cost about 13 blocks of 9
//! numbers for each contact of a bed of spheres.

mod products;

use super::RigidContact;
use super::lean::LeanContacts;
use std::ops::{Deref, Range};

/// The part of D that couples one contact with one body.
#[derive(Clone, Debug)]
pub struct JacobianBlock {
    /// Block of the problem.
    pub contact: usize,
    /// Body.
    pub body: usize,
    /// Velocity at the contact per velocity of the body: (rows of the block) x (freedoms of a
    /// body), row-major.
    pub values: Vec<f64>,
}

/// Room for the two blocks of a contact that are not stored; see [`MatrixFree::pairs`].
pub type PairRoom = [f64; 72];

/// M⁻¹ of one body, row-major: borrowed where it is stored, else computed.
#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "lives on the stack for a moment; a box would allocate in loops"
)]
pub enum InverseMass<'a> {
    /// Stored as it is.
    Stored(&'a [f64]),
    /// Expanded from a mass and an inertia tensor.
    Expanded([f64; 36]),
}

impl Deref for InverseMass<'_> {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        match self {
            InverseMass::Stored(values) => values,
            InverseMass::Expanded(values) => values,
        }
    }
}

/// Bodies of equal size with their inverse masses, and the Jacobian between contacts and bodies.
#[derive(Clone, Debug)]
pub struct MatrixFree {
    /// Contacts of rigid bodies, the first blocks; the fields below know only the blocks behind them, which
    /// they number from 0, and `inverse_mass` is empty.
    lean: Option<LeanContacts>,
    /// First row of each stored block; length blocks + 1.
    offsets: Vec<usize>,
    /// Freedoms of a body: 6 in space, 3 in the plane.
    body_size: usize,
    /// M⁻¹ of each body, `body_size`² numbers, row-major.
    inverse_mass: Vec<f64>,
    /// Its diagonal, `body_size` numbers for each body, if every M⁻¹ is diagonal (spheres, and any body in
    /// its principal axes); empty otherwise. A sweep then reads 48 bytes of mass for each body, not 288.
    inverse_diagonal: Vec<f64>,
    /// Contact i owns pairs `starts[i]..starts[i + 1]`.
    starts: Vec<usize>,
    /// Body of each pair.
    bodies: Vec<u32>,
    /// Where the numbers of each pair begin.
    value_starts: Vec<usize>,
    values: Vec<f64>,
    /// Body b is touched by the pairs `touching[touching_starts[b]..touching_starts[b + 1]]`, in
    /// rising order: the fixed order in which its impulses are added.
    touching_starts: Vec<usize>,
    touching: Vec<u32>,
    /// Contact of each pair.
    contact_of: Vec<u32>,
}

impl MatrixFree {
    /// Builds the operator. `offsets` are the first rows of the blocks; `inverse_mass` holds M⁻¹ of each
    /// body, row-major. Pairs may come in any order; a body of infinite mass has none.
    ///
    /// # Errors
    /// A message that names the first pair or length that does not fit.
    pub fn new(
        offsets: Vec<usize>,
        body_size: usize,
        inverse_mass: Vec<f64>,
        blocks: Vec<JacobianBlock>,
    ) -> Result<Self, String> {
        if body_size == 0 || !inverse_mass.len().is_multiple_of(body_size * body_size) {
            return Err(format!(
                "{} numbers of inverse mass do not make bodies of {body_size} freedoms",
                inverse_mass.len()
            ));
        }
        let body_count = inverse_mass.len() / (body_size * body_size);
        let mut operator = Self::stored(offsets, body_size, body_count, blocks)?;
        operator.inverse_diagonal = diagonals(&inverse_mass, body_size);
        operator.inverse_mass = inverse_mass;
        Ok(operator)
    }

    /// Contacts of rigid bodies, then blocks of joints numbered with them; `offsets` are those of the joints.
    pub(super) fn with_lean_contacts(
        lean: LeanContacts,
        offsets: Vec<usize>,
        body_count: usize,
        mut joints: Vec<JacobianBlock>,
    ) -> Result<Self, String> {
        for joint in &mut joints {
            joint.contact -= lean.len();
        }
        let mut operator = Self::stored(offsets, 6, body_count, joints)?;
        operator.lean = Some(lean);
        Ok(operator)
    }

    /// The operator without masses.
    fn stored(
        offsets: Vec<usize>,
        body_size: usize,
        body_count: usize,
        mut blocks: Vec<JacobianBlock>,
    ) -> Result<Self, String> {
        let contacts = offsets.len().saturating_sub(1);
        for block in &blocks {
            if block.contact >= contacts || block.body >= body_count {
                return Err(format!(
                    "Jacobian block of contact {} and body {}: there are {contacts} contacts and \
                     {body_count} bodies",
                    block.contact, block.body
                ));
            }
            let rows = offsets[block.contact + 1] - offsets[block.contact];
            if block.values.len() != rows * body_size {
                return Err(format!(
                    "Jacobian block of contact {} and body {} has {} numbers, not {rows} x {body_size}",
                    block.contact,
                    block.body,
                    block.values.len()
                ));
            }
        }
        blocks.sort_by_key(|block| (block.contact, block.body));
        let mut starts = vec![0; contacts + 1];
        for block in &blocks {
            starts[block.contact + 1] += 1;
        }
        for contact in 0..contacts {
            starts[contact + 1] += starts[contact];
        }
        let mut value_starts = Vec::with_capacity(blocks.len());
        let mut values = Vec::with_capacity(blocks.iter().map(|b| b.values.len()).sum());
        let mut touching_starts = vec![0; body_count + 1];
        for block in &blocks {
            value_starts.push(values.len());
            values.extend_from_slice(&block.values);
            touching_starts[block.body + 1] += 1;
        }
        for body in 0..body_count {
            touching_starts[body + 1] += touching_starts[body];
        }
        let mut next = touching_starts.clone();
        let mut touching = vec![0u32; blocks.len()];
        for (pair, block) in blocks.iter().enumerate() {
            touching[next[block.body]] = pair as u32;
            next[block.body] += 1;
        }
        Ok(Self {
            lean: None,
            offsets,
            body_size,
            inverse_diagonal: Vec::new(),
            inverse_mass: Vec::new(),
            starts,
            bodies: blocks.iter().map(|b| b.body as u32).collect(),
            value_starts,
            values,
            touching_starts,
            touching,
            contact_of: blocks.iter().map(|b| b.contact as u32).collect(),
        })
    }

    /// The number of rows of N.
    pub fn dimension(&self) -> usize {
        self.offsets.last().copied().unwrap_or(0)
    }

    /// The number of bodies.
    pub fn bodies(&self) -> usize {
        self.touching_starts.len() - 1
    }

    /// The number of freedoms of one body.
    pub fn body_size(&self) -> usize {
        self.body_size
    }

    /// The number of freedoms of all bodies.
    pub fn body_dimension(&self) -> usize {
        self.bodies() * self.body_size
    }

    /// M⁻¹ of one body, row-major.
    pub fn inverse_mass(&self, body: usize) -> InverseMass<'_> {
        match &self.lean {
            Some(lean) => InverseMass::Expanded(lean.inertias.get(body).matrix()),
            None => {
                let length = self.body_size * self.body_size;
                InverseMass::Stored(&self.inverse_mass[body * length..(body + 1) * length])
            }
        }
    }

    /// The same contacts of bodies whose masses and inertias are multiplied by a factor each.
    pub(crate) fn with_masses_times(&self, factors: &[f64]) -> Self {
        let mut scaled = self.clone();
        if let Some(lean) = &mut scaled.lean {
            lean.multiply_masses(factors);
        }
        for (numbers, per_body) in [
            (&mut scaled.inverse_mass, self.body_size * self.body_size),
            (&mut scaled.inverse_diagonal, self.body_size),
        ] {
            for (body, factor) in numbers.chunks_exact_mut(per_body).zip(factors) {
                body.iter_mut().for_each(|value| *value /= factor);
            }
        }
        scaled
    }

    /// The contacts whose blocks are not stored.
    pub(crate) fn lean_contacts(&self) -> Option<&LeanContacts> {
        self.lean.as_ref()
    }

    /// The bodies of a block.
    pub(crate) fn bodies_of(&self, block: usize) -> impl Iterator<Item = u32> + '_ {
        let lean = self.lean.as_ref().filter(|lean| block < lean.len());
        let of_contact = lean.map(|lean| lean.bodies_of(block));
        let stored = match lean {
            Some(_) => 0..0,
            None => {
                let stored = block - self.lean_count();
                self.starts[stored]..self.starts[stored + 1]
            }
        };
        let sides = of_contact.into_iter().flatten();
        sides
            .filter(|&body| body != RigidContact::FIXED)
            .chain(stored.map(|pair| self.bodies[pair]))
    }

    /// The operator of some blocks, in rising order, and of the bodies that they touch; `numbers` are those of the bodies in the
    /// part.
    ///
    /// # Errors
    /// When the blocks touch other bodies.
    pub(crate) fn part(
        &self,
        blocks: &[u32],
        bodies: &[u32],
        numbers: &[u32],
    ) -> Result<Self, String> {
        let lean = self.lean.as_ref().ok_or("no contacts of rigid bodies")?;
        let count = blocks.partition_point(|&block| (block as usize) < lean.len());
        let number = |body: u32| numbers.get(body as usize).copied().unwrap_or(body);
        let contacts = blocks[..count].iter().map(|&block| {
            let contact = lean.contact(block as usize);
            RigidContact {
                bodies: contact.bodies.map(number),
                ..contact
            }
        });
        let mut offsets = vec![0];
        let mut joints = Vec::new();
        for (index, &block) in blocks.iter().enumerate() {
            let rows = self.rows(block as usize).len();
            offsets.push(offsets[index] + rows);
            if index >= count {
                let stored = block as usize - lean.len();
                for pair in self.starts[stored]..self.starts[stored + 1] {
                    joints.push(JacobianBlock {
                        contact: index,
                        body: number(self.bodies[pair]) as usize,
                        values: self.pair_values(pair).to_vec(),
                    });
                }
            }
        }
        let inertias = bodies.iter().map(|&body| lean.inertia(body as usize));
        Self::rigid(offsets, inertias.collect(), contacts.collect(), joints)
    }

    fn lean_count(&self) -> usize {
        self.lean.as_ref().map_or(0, LeanContacts::len)
    }

    /// The rows of a block.
    pub fn rows(&self, contact: usize) -> Range<usize> {
        match &self.lean {
            Some(lean) if contact < lean.len() => lean.rows(contact),
            _ => {
                let stored = contact - self.lean_count();
                self.offsets[stored]..self.offsets[stored + 1]
            }
        }
    }

    /// Bodies of a contact with the row-major blocks of D ᵀ between them; `room` receives blocks that are not
    /// stored.
    pub fn pairs<'a>(
        &'a self,
        contact: usize,
        room: &'a mut PairRoom,
    ) -> impl Iterator<Item = (usize, &'a [f64])> + 'a {
        let lean = self.lean.as_ref().filter(|lean| contact < lean.len());
        let mut expanded = [None; 2];
        let mut stored = 0..0;
        match lean {
            Some(lean) => {
                let numbers = 6 * lean.rows(contact).len();
                let contact = lean.contact(contact);
                let (blocks, _) = room.as_chunks_mut::<36>();
                for (side, block) in blocks.iter_mut().enumerate() {
                    *block = contact.jacobian(side);
                }
                let blocks: &'a [[f64; 36]] = blocks;
                for (side, block) in blocks.iter().enumerate() {
                    let body = contact.bodies[side] as usize;
                    if body < self.bodies() {
                        expanded[side] = Some((body, &block[..numbers]));
                    }
                }
            }
            None => {
                let contact = contact - self.lean_count();
                stored = self.starts[contact]..self.starts[contact + 1];
            }
        }
        let stored = stored.map(|pair| (self.bodies[pair] as usize, self.pair_values(pair)));
        expanded.into_iter().flatten().chain(stored)
    }

    /// Calls `touch` with the bodies of all contacts, each as often as it is touched.
    pub fn touch(&self, mut touch: impl FnMut(usize)) {
        for contact in 0..self.lean_count() {
            let sides = self.lean.iter().flat_map(|lean| lean.bodies_of(contact));
            sides
                .filter(|&body| body != RigidContact::FIXED)
                .for_each(|body| touch(body as usize));
        }
        self.bodies.iter().for_each(|&body| touch(body as usize));
    }

    fn pair_values(&self, pair: usize) -> &[f64] {
        let contact = self.contact_of[pair] as usize;
        let rows = self.offsets[contact + 1] - self.offsets[contact];
        &self.values[self.value_starts[pair]..self.value_starts[pair] + rows * self.body_size]
    }
}

/// The diagonals of all blocks, or nothing if one of them has an entry beside its diagonal.
fn diagonals(inverse_mass: &[f64], size: usize) -> Vec<f64> {
    let mut diagonals = Vec::with_capacity(inverse_mass.len() / size);
    for block in inverse_mass.chunks_exact(size * size) {
        for (k, &value) in block.iter().enumerate() {
            if k / size == k % size {
                diagonals.push(value);
            } else if value != 0.0 {
                return Vec::new();
            }
        }
    }
    diagonals
}
