//! Contacts of rigid bodies, recognised in stored Jacobian blocks.
//!
//! Files state D by numbers. Where these are what rigid bodies have, normals and arms say the same in a quarter of the
//! memory, and the sweeps of [`crate::grouped`] apply. The rows of a contact are then f_k = ±(n, t₁, t₂) for the velocity of
//! a body and Rᵀ(a × f_k) for its rotation, with an arm a, and a rotation R if rotations are stated in the frame of
//! the body. With A = Σ f_k w_kᵀ over the rows of a contact,
//!
//! ```text
//!   A = −[a]ₓ R,     A Aᵀ = |a|² I − a aᵀ,
//! ```
//!
//! so one contact yields ±a, and R up to half a turn about a; of the two, that R is taken with which A Rᵀ is
//! antisymmetric for all contacts of the body.
//!
//! Tangents are turned to those of [`contact_frame`]. Friction cones do not notice; laws that look at single
//! tangential rows do, and must not be solved in this form.

#[cfg(test)]
mod tests;

use crate::cones::Cone;
use crate::delassus::{BodyInertia, Delassus, MatrixFree, PairRoom, RigidContact, contact_frame};
use crate::grouped::lanes::{cross, dot};
use crate::problem::{ContactProblem, offsets_of};

type Matrix = [[f64; 3]; 3];

/// What may be rounding of the file, relative.
const ROUNDING: f64 = 1e-12;

const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// The same problem by normals and arms.
pub(crate) struct RigidForm {
    pub problem: ContactProblem,
    /// For each contact, the tangents of the form in those of the original.
    turns: Vec<[[f64; 2]; 2]>,
}

/// One body of a contact: f_k, and A.
#[derive(Clone, Copy)]
struct Side {
    body: usize,
    frame: Matrix,
    levers: Matrix,
}

impl RigidForm {
    /// Recognises friction contacts of rigid bodies in space; `None` if one block is anything else.
    pub fn of(problem: &ContactProblem) -> Option<Self> {
        let Delassus::MatrixFree(operator) = problem.delassus() else {
            return None;
        };
        let friction = |cone: &Cone| matches!(cone, Cone::Friction { .. });
        let known = operator.lean_contacts().is_some();
        if known
            || operator.body_size() != 6
            || !problem.compliance().is_empty()
            || !problem.cones().iter().all(friction)
        {
            return None;
        }
        let mut room: PairRoom = [0.0; 72];
        let sides: Vec<Vec<Side>> = (0..problem.blocks())
            .map(|block| {
                let pairs = operator.pairs(block, &mut room);
                pairs.map(|(body, rows)| Side::of(body, rows)).collect()
            })
            .collect::<Option<_>>()?;
        let rotations = rotations(operator.bodies(), &sides)?;
        let inertias = (0..operator.bodies())
            .map(|body| inertia(&operator.inverse_mass(body), &rotations[body]))
            .collect::<Option<_>>()?;
        let contacts: Vec<RigidContact> = sides
            .iter()
            .map(|sides| contact(sides, &rotations))
            .collect::<Option<_>>()?;
        let turns = sides
            .iter()
            .zip(&contacts)
            .map(|(sides, contact)| {
                let old = sides.last()?.frame;
                let new = contact_frame(contact.normal);
                Some([1, 2].map(|j| [1, 2].map(|k| dot(new[j], old[k]))))
            })
            .collect::<Option<_>>()?;
        let offsets = offsets_of(problem.cones().iter());
        let rigid = MatrixFree::rigid(offsets, inertias, contacts, Vec::new()).ok()?;
        let mut form = Self {
            problem: problem.clone(),
            turns,
        };
        let mut free = problem.free_velocity().to_vec();
        form.enter(&mut free);
        let cones = problem.cones().clone();
        form.problem = ContactProblem::new(cones, Delassus::MatrixFree(rigid), free).ok()?;
        Some(form)
    }

    /// Turns rows of the original problem into rows of this form.
    pub fn enter(&self, rows: &mut [f64]) {
        for ([_, x, y], [a, b]) in rows.as_chunks_mut::<3>().0.iter_mut().zip(&self.turns) {
            (*x, *y) = (a[0] * *x + a[1] * *y, b[0] * *x + b[1] * *y);
        }
    }

    /// Turns rows of this form into rows of the original problem.
    pub fn leave(&self, rows: &mut [f64]) {
        for ([_, x, y], [a, b]) in rows.as_chunks_mut::<3>().0.iter_mut().zip(&self.turns) {
            (*x, *y) = (a[0] * *x + b[0] * *y, a[1] * *x + b[1] * *y);
        }
    }
}

impl Side {
    /// `None` unless the velocity of the body enters through an orthonormal frame.
    fn of(body: usize, rows: &[f64]) -> Option<Self> {
        let (rows, _) = rows.as_chunks::<6>();
        let frame: Matrix = std::array::from_fn(|k| [rows[k][0], rows[k][1], rows[k][2]]);
        let mut levers = Matrix::default();
        for k in 0..3 {
            for l in 0..3 {
                let expected = IDENTITY[k][l];
                if !((dot(frame[k], frame[l]) - expected).abs() <= ROUNDING) {
                    return None;
                }
                levers[k][l] = (0..3).map(|row| rows[row][k] * rows[row][3 + l]).sum();
            }
        }
        Some(Self {
            body,
            frame,
            levers,
        })
    }

    /// |A|, that is √2 |a|.
    fn size(&self) -> f64 {
        self.levers
            .iter()
            .map(|row| dot(*row, *row))
            .sum::<f64>()
            .sqrt()
    }

    /// The arm, if A Rᵀ is antisymmetric.
    fn arm(&self, rotation: &Matrix) -> Option<[f64; 3]> {
        let t: Matrix = self.levers.map(|row| rotation.map(|other| dot(row, other)));
        let allowed = ROUNDING * self.size();
        let antisymmetric = (0..3).all(|k| (0..=k).all(|l| (t[k][l] + t[l][k]).abs() <= allowed));
        antisymmetric.then_some([
            0.5 * (t[1][2] - t[2][1]),
            0.5 * (t[2][0] - t[0][2]),
            0.5 * (t[0][1] - t[1][0]),
        ])
    }

    /// The two rotations that this contact allows.
    fn rotations(&self) -> [Matrix; 2] {
        let a = &self.levers;
        let square = 0.5 * self.size().powi(2);
        // The column of a aᵀ with the largest diagonal is a, but for a factor.
        let outer: Matrix = std::array::from_fn(|k| {
            std::array::from_fn(|l| square * IDENTITY[k][l] - dot(a[k], a[l]))
        });
        let largest = (0..3).fold(0, |best, k| {
            if outer[k][k] > outer[best][best] {
                k
            } else {
                best
            }
        });
        let length = dot(outer[largest], outer[largest]).sqrt();
        let axis = outer[largest].map(|v| v / length);
        // eᵀ [a]ₓ A = (e × a)ᵀ A for the two directions e across.
        let [_, e1, e2] = contact_frame(axis);
        let row = |e: [f64; 3]| {
            let across = cross(e, axis);
            let turned: [f64; 3] =
                std::array::from_fn(|l| (0..3).map(|k| across[k] * a[k][l]).sum());
            turned.map(|v| v / square.sqrt())
        };
        let (r1, r2) = (row(e1), row(e2));
        let r3 = cross(r1, r2);
        [1.0, -1.0].map(|sign| {
            std::array::from_fn(|k| {
                std::array::from_fn(|l| sign * (e1[k] * r1[l] + e2[k] * r2[l]) + axis[k] * r3[l])
            })
        })
    }
}

/// R of each body.
fn rotations(bodies: usize, contacts: &[Vec<Side>]) -> Option<Vec<Matrix>> {
    let mut of_body: Vec<Vec<&Side>> = vec![Vec::new(); bodies];
    for side in contacts.iter().flatten() {
        of_body[side.body].push(side);
    }
    let rotation = |sides: &Vec<&Side>| {
        let longest = |a: &&&Side, b: &&&Side| a.size().total_cmp(&b.size());
        let possible = match sides.iter().max_by(longest) {
            Some(side) if side.size() > 0.0 => side.rotations().to_vec(),
            _ => Vec::new(),
        };
        let mut candidates = [IDENTITY].into_iter().chain(possible);
        candidates.find(|r| sides.iter().all(|side| side.arm(r).is_some()))
    };
    of_body.iter().map(rotation).collect()
}

/// The contact of one body or two: the normal points into the last.
fn contact(sides: &[Side], rotations: &[Matrix]) -> Option<RigidContact> {
    let arm = |side: &Side| side.arm(&rotations[side.body]);
    let second = sides.last()?;
    let (other, other_arm) = match sides {
        [_] => (RigidContact::FIXED, [0.0; 3]),
        [first, _] => {
            let opposed = (0..9).all(|k| {
                (first.frame[k / 3][k % 3] + second.frame[k / 3][k % 3]).abs() <= ROUNDING
            });
            if !opposed {
                return None;
            }
            (first.body as u32, arm(first)?)
        }
        _ => return None,
    };
    Some(RigidContact {
        bodies: [other, second.body as u32],
        normal: second.frame[0],
        arms: [other_arm, arm(second)?],
    })
}

/// A mass and an inertia tensor in the world frame; `None` unless M⁻¹ has that form.
fn inertia(inverse: &[f64], rotation: &Matrix) -> Option<BodyInertia> {
    let at = |row: usize, column: usize| inverse[6 * row + column];
    let mixed = (0..3).any(|k| (3..6).any(|l| at(k, l) != 0.0 || at(l, k) != 0.0));
    let lopsided = (0..3).any(|k| (0..3).any(|l| at(k, l) != IDENTITY[k][l] * at(0, 0)));
    if mixed || lopsided {
        return None;
    }
    let own: Matrix = std::array::from_fn(|k| std::array::from_fn(|l| at(3 + k, 3 + l)));
    let ball = (0..3).all(|k| (0..3).all(|l| own[k][l] == IDENTITY[k][l] * own[0][0]));
    let world = |k: usize, l: usize| {
        if ball {
            own[k][l]
        } else {
            dot(rotation[k], own.map(|row| dot(row, rotation[l])))
        }
    };
    Some(BodyInertia {
        inverse_mass: at(0, 0),
        inverse_inertia: [
            world(0, 0),
            world(1, 1),
            world(2, 2),
            world(0, 1),
            world(0, 2),
            world(1, 2),
        ],
    })
}
