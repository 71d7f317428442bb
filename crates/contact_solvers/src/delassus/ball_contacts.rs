//! Contacts of balls, 48 bytes each, and the products Dγ and Dᵀv over them, four contacts at a time.
//!
//! Forces and velocities of four contacts are computed at once, in lanes; momenta are then added contact by contact, in the order of
//! the contacts, so four neighbours may share bodies. The frame is computed anew in both products: it takes a tenth of their
//! instructions, and storing it would double what they read.

use super::rigid::RigidContact;
use crate::grouped::lanes::{cross, dot, minus, times};
use crate::grouped::machine::{Machine, Wide, WideVector, Work, expect_lines, run};
use rayon::prelude::*;

/// Contacts at least that are worth a second thread.
const PARALLEL_FROM: usize = 4096;
/// Contacts of a piece that one thread takes; a multiple of four.
const PIECE: usize = 2048;

/// A contact of balls: the arms are ρ_a n and −ρ_b n.
#[derive(Clone, Copy, Debug)]
pub(super) struct BallContact {
    pub bodies: [u32; 2],
    /// n, ρ_a, ρ_b.
    geometry: [f64; 5],
}

/// Arms that deviate from the normal by no more than this, relative, are those of a ball: rounding of a point that was
/// computed from a centre some hundred radii away from the origin.
const STRAIGHT: f64 = 1e-11;

impl BallContact {
    /// A contact that nobody has.
    pub const NOBODY: Self = Self {
        bodies: [RigidContact::FIXED; 2],
        geometry: [0.0; 5],
    };

    /// `None` if an arm does not lie along the normal.
    pub fn of(contact: &RigidContact) -> Option<Self> {
        let n = contact.normal;
        let mut levers = [0.0; 2];
        for side in 0..2 {
            if contact.bodies[side] == RigidContact::FIXED {
                continue;
            }
            let arm = contact.arms[side];
            let along = dot(arm, n);
            let off = minus(arm, times(along, n));
            if dot(off, off) > STRAIGHT * STRAIGHT * dot(arm, arm) {
                return None;
            }
            levers[side] = if side == 0 { along } else { -along };
        }
        Some(Self {
            bodies: contact.bodies,
            geometry: [n[0], n[1], n[2], levers[0], levers[1]],
        })
    }

    /// ρ_a and ρ_b.
    #[inline(always)]
    pub fn levers(&self) -> [f64; 2] {
        [self.geometry[3], self.geometry[4]]
    }

    #[inline(always)]
    pub fn normal(&self) -> [f64; 3] {
        let [x, y, z, ..] = self.geometry;
        [x, y, z]
    }

    #[inline(always)]
    pub fn contact(&self) -> RigidContact {
        let (normal, [a, b]) = (self.normal(), self.levers());
        RigidContact {
            bodies: self.bodies,
            normal,
            arms: [times(a, normal), times(-b, normal)],
        }
    }
}

/// n, ρ_a and ρ_b of four contacts, and what their tangents t and s of [`contact_frame`](super::contact_frame) are made of: σ, the sign of n_z,
/// and c = 1/(σ + n_z).
///
/// With n = (x, y, z), t = (1 − σx²c, −σxyc, −σx) and s = (−xyc, σ − y²c, −y). A sum γ_t t + γ_s s therefore is
/// (γ_t − xcq, σγ_s − ycq, −q) with q = σxγ_t + yγ_s, and so are t·v and s·v written below: with half as many operations as by t and s
/// themselves.
pub(super) struct Four<M: Machine> {
    normal: WideVector<M>,
    sign: Wide<M>,
    c: Wide<M>,
    levers: [Wide<M>; 2],
}

impl<M: Machine> Four<M> {
    #[inline(always)]
    pub fn new(machine: M, contacts: &[BallContact; 4]) -> Self {
        let mut rows = [machine.load(&[0.0; 4]); 4];
        let mut b = [0.0; 4];
        for lane in 0..4 {
            let geometry = &contacts[lane].geometry;
            rows[lane] = machine.load(geometry.first_chunk().expect("four of five"));
            b[lane] = geometry[4];
        }
        let [x, y, z, a] = wide(machine, machine.transpose(rows));
        let one = Wide::all(machine, 1.0);
        let sign = one.copy_sign(z);
        Self {
            normal: [x, y, z],
            sign,
            c: one / (sign + z),
            levers: [a, Wide(machine, machine.load(&b))],
        }
    }
}

/// The force on the second bodies of four contacts, given by rows, and n × force.
#[inline(always)]
pub(super) fn pressed<M: Machine>(
    machine: M,
    four: &Four<M>,
    impulses: &[[f64; 3]; 4],
) -> (WideVector<M>, WideVector<M>) {
    let [along_n, along_t, along_s] = machine.vectors_of_twelve(impulses);
    let Four { sign, c, .. } = *four;
    let [x, y, z] = four.normal;
    let (signed_t, signed_s) = (sign * along_t, sign * along_s);
    let q = x * signed_t + y * along_s;
    let w = along_n - c * q;
    let force = [along_t + x * w, signed_s + y * w, z * along_n - q];
    // n × t = s and n × s = −t: n × force is γ_t s − γ_s t.
    let q = x * signed_s - y * along_t;
    let w = c * q;
    (force, [x * w - along_s, signed_t + y * w, q])
}

/// The velocities of four contacts by rows, from v_b − v_a and ρ_a ω_a + ρ_b ω_b.
#[inline(always)]
pub(super) fn seen<M: Machine>(
    machine: M,
    four: &Four<M>,
    linear: WideVector<M>,
    angular: WideVector<M>,
) -> [[f64; 3]; 4] {
    let Four { sign, c, .. } = *four;
    let [x, y, z] = four.normal;
    let [v_x, v_y, v_z] = minus(linear, cross(angular, four.normal));
    let level = x * v_x + y * v_y;
    let q = c * level + v_z;
    machine.twelve_of_vectors([level + z * v_z, v_x - sign * (x * q), sign * v_y - y * q])
}

/// Adds Dγ of contacts of three rows, momentum and angular momentum, to each body.
pub(super) fn add_impulses(
    contacts: &[BallContact],
    impulses: &[[f64; 3]],
    momenta: &mut [[f64; 6]],
) {
    let (fours, rest) = contacts.as_chunks::<4>();
    let (four_impulses, rest_impulses) = impulses[..contacts.len()].as_chunks::<4>();
    run(Scatter {
        contacts: fours,
        impulses: four_impulses,
        momenta,
    });
    if let Some((contacts, impulses)) = filled(rest, rest_impulses) {
        run(Scatter {
            contacts: &[contacts],
            impulses: &[impulses],
            momenta,
        });
    }
}

/// Writes Dᵀv of contacts of three rows.
pub(super) fn velocities(contacts: &[BallContact], bodies: &[[f64; 6]], result: &mut [[f64; 3]]) {
    let work = |(contacts, result): (&[BallContact], &mut [[f64; 3]])| {
        let (fours, rest) = contacts.as_chunks::<4>();
        let (four_results, rest_results) = result.as_chunks_mut::<4>();
        run(Gather {
            contacts: fours,
            bodies,
            result: four_results,
        });
        if let Some((contacts, mut last)) = filled(rest, rest_results) {
            run(Gather {
                contacts: &[contacts],
                bodies,
                result: std::slice::from_mut(&mut last),
            });
            rest_results.copy_from_slice(&last[..rest.len()]);
        }
    };
    if contacts.len() < PARALLEL_FROM {
        work((contacts, result));
    } else {
        let pieces = contacts.par_chunks(PIECE).zip(result.par_chunks_mut(PIECE));
        pieces.for_each(work);
    }
}

/// The last one to three contacts as four: the others touch nothing.
fn filled(
    contacts: &[BallContact],
    rows: &[[f64; 3]],
) -> Option<([BallContact; 4], [[f64; 3]; 4])> {
    let mut four = [BallContact {
        bodies: [RigidContact::FIXED; 2],
        ..*contacts.first()?
    }; 4];
    let mut four_rows = [[0.0; 3]; 4];
    four[..contacts.len()].copy_from_slice(contacts);
    four_rows[..rows.len()].copy_from_slice(rows);
    Some((four, four_rows))
}

/// Dγ.
struct Scatter<'a> {
    contacts: &'a [[BallContact; 4]],
    impulses: &'a [[[f64; 3]; 4]],
    momenta: &'a mut [[f64; 6]],
}

impl Work for Scatter<'_> {
    type Found = ();

    #[inline(always)]
    fn on<M: Machine>(self, machine: M) {
        let zero = Wide::all(machine, 0.0);
        for (index, (contacts, impulses)) in self.contacts.iter().zip(self.impulses).enumerate() {
            expect_lines(machine, self.contacts, (index, true));
            expect_lines(machine, self.impulses, (index, true));
            let four = Four::new(machine, contacts);
            let (force, torque) = pressed(machine, &four, impulses);
            let levers = four.levers;
            // What is subtracted from each side: a row of force and first number of the torque, and its other two numbers.
            let [fx, fy, fz] = force;
            let (of_a, of_b) = (levers[0] * torque[0], levers[1] * torque[0]);
            let rows = [
                machine.transpose([fx.1, fy.1, fz.1, of_a.1]),
                machine.transpose([(zero - fx).1, (zero - fy).1, (zero - fz).1, of_b.1]),
            ];
            let rest = [
                [levers[0] * torque[1], levers[0] * torque[2]],
                [levers[1] * torque[1], levers[1] * torque[2]],
            ];
            let rest = [
                [rest[0][0].lanes(), rest[0][1].lanes()],
                [rest[1][0].lanes(), rest[1][1].lanes()],
            ];
            for lane in 0..4 {
                for side in 0..2 {
                    let body = contacts[lane].bodies[side] as usize;
                    let Some(six) = self.momenta.get_mut(body) else {
                        continue;
                    };
                    let (four, two) = six.split_first_chunk_mut().expect("four of six");
                    let row = machine.subtract(machine.load(four), rows[side][lane]);
                    *four = machine.numbers(row);
                    two[0] -= rest[side][0].0[lane];
                    two[1] -= rest[side][1].0[lane];
                }
            }
        }
    }
}

/// Dᵀv.
struct Gather<'a> {
    contacts: &'a [[BallContact; 4]],
    bodies: &'a [[f64; 6]],
    result: &'a mut [[[f64; 3]; 4]],
}

impl Work for Gather<'_> {
    type Found = ();

    #[inline(always)]
    fn on<M: Machine>(self, machine: M) {
        let still = [0.0; 6];
        let zero = machine.load(&[0.0; 4]);
        for (index, (contacts, result)) in self.contacts.iter().zip(self.result).enumerate() {
            expect_lines(machine, self.contacts, (index, true));
            let (mut linear, mut angular) = ([zero; 4], [zero; 4]);
            for lane in 0..4 {
                let [a, b] = contacts[lane].bodies;
                let a = self.bodies.get(a as usize).unwrap_or(&still);
                let b = self.bodies.get(b as usize).unwrap_or(&still);
                let [of_a, of_b] = contacts[lane].levers();
                linear[lane] = machine.subtract(front(machine, b), front(machine, a));
                let of_a = machine.scale(of_a, back(machine, a));
                angular[lane] = machine.add(of_a, machine.scale(of_b, back(machine, b)));
            }
            let [vx, vy, vz, _] = wide(machine, machine.transpose(linear));
            let [_, wx, wy, wz] = wide(machine, machine.transpose(angular));
            let four = Four::new(machine, contacts);
            *result = seen(machine, &four, [vx, vy, vz], [wx, wy, wz]);
        }
    }
}

/// Rows with their machine.
#[inline(always)]
fn wide<M: Machine>(machine: M, [a, b, c, d]: [M::Row; 4]) -> [Wide<M>; 4] {
    [
        Wide(machine, a),
        Wide(machine, b),
        Wide(machine, c),
        Wide(machine, d),
    ]
}

/// v and one more number.
#[inline(always)]
pub(super) fn front<M: Machine>(machine: M, six: &[f64; 6]) -> M::Row {
    machine.load(six.first_chunk().expect("four of six"))
}

/// One number and ω.
#[inline(always)]
pub(super) fn back<M: Machine>(machine: M, six: &[f64; 6]) -> M::Row {
    machine.load(six.last_chunk().expect("four of six"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_at_a_time_are_the_blocks_one_by_one() {
        for count in [1, 2, 3, 4, 7, 40] {
            let contacts: Vec<RigidContact> = (0..count).map(contact).collect();
            let balls: Vec<BallContact> = contacts
                .iter()
                .map(|c| BallContact::of(c).expect("straight arms"))
                .collect();
            let numbers = |k: usize| std::array::from_fn(|j| ((5 * k + 3 * j) % 7) as f64 - 3.0);
            let impulses: Vec<[f64; 3]> = (0..count).map(numbers).collect();
            let bodies: Vec<[f64; 6]> = (0..9)
                .map(|k| std::array::from_fn(|j| ((3 * k + 5 * j) % 11) as f64 - 5.0))
                .collect();
            let (mut momenta, mut expected) = (bodies.clone(), bodies.clone());
            add_impulses(&balls, &impulses, &mut momenta);
            let mut found = vec![[9.0; 3]; count];
            velocities(&balls, &bodies, &mut found);
            for (k, contact) in contacts.iter().enumerate() {
                let mut rows = [0.0; 3];
                for side in 0..2 {
                    let body = contact.bodies[side] as usize;
                    if body >= bodies.len() {
                        continue;
                    }
                    let block = contact.jacobian(side);
                    for (row, j) in block.as_chunks::<6>().0.iter().take(3).enumerate() {
                        for m in 0..6 {
                            rows[row] += j[m] * bodies[body][m];
                            expected[body][m] += j[m] * impulses[k][row];
                        }
                    }
                }
                assert_near(&found[k], &rows);
            }
            assert_near(momenta.as_flattened(), expected.as_flattened());
        }
    }

    /// Neighbours share bodies, some sides are fixed, and normals point up and down.
    fn contact(k: usize) -> RigidContact {
        let v = [1.0 + k as f64, 2.0 - (k % 5) as f64, 1.5 - (k % 4) as f64];
        let normal = times(1.0 / dot(v, v).sqrt(), v);
        let mut bodies = [(k % 9) as u32, ((k + 1 + k % 3) % 9) as u32];
        if k % 5 == 1 {
            bodies[k % 2] = RigidContact::FIXED;
        }
        RigidContact {
            bodies,
            normal,
            arms: [times(0.3 + 0.1 * k as f64, normal), times(-0.7, normal)],
        }
    }

    fn assert_near(found: &[f64], expected: &[f64]) {
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() < 1e-12 * (1.0 + b.abs()), "{a} and {b}");
        }
    }
}
