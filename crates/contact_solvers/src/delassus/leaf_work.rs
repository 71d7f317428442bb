//! What is done to the contacts of one leaf of [`super::leaves`], and to those between two.
//!
//! The bodies of a leaf are put in a row of their own, one cache line each. A body that is not of the leaf, or none at all, has the place behind the last: what is
//! added there is never read for anything, so that no contact asks on which side its bodies are.

use super::ball_contacts::{BallContact, Four, back, front, pressed, seen};
use super::inertias::Ball;
use crate::grouped::machine::{Machine, Wide, WideVector, Work, expect_lines};
use std::ops::Range;

/// Bodies of a leaf: 256 kB. With 1024 and 2048 of them more contacts lie between leaves, and products took longer (by a tenth and
/// a twentieth in a bed of a million).
pub(super) const LEAF: usize = 4096;

/// Fours between the one at hand and the one that is asked for, where contacts are far from each other.
const AHEAD: usize = 3;

/// What is left at the end of a list when it is cut into fours begins here.
const FIRST_FOUR: [u32; 4] = [0, 1, 2, 3];

/// Momentum, then velocity, of a body; the fourth numbers mean nothing.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Motion {
    push: [f64; 4],
    turn: [f64; 4],
}

const AT_REST: Motion = Motion {
    push: [0.0; 4],
    turn: [0.0; 4],
};

/// The bodies of a leaf, and the place behind them.
type Motions = [Motion; LEAF + 1];

/// One leaf.
pub(super) struct Leaf<'a> {
    /// All contacts, and their impulses.
    pub contacts: &'a [BallContact],
    pub impulses: &'a [[f64; 3]],
    pub visitors: &'a [u32],
    pub own: Range<usize>,
    /// The number of its first body.
    pub first: usize,
    /// Its bodies.
    pub balls: &'a [Ball],
    pub velocities: &'a mut [[f64; 6]],
    /// Those of its own contacts, if they are asked for. What is written for contacts that visit another leaf means nothing.
    pub result: Option<&'a mut [[f64; 3]]>,
}

impl Work for Leaf<'_> {
    type Found = ();

    #[inline(always)]
    fn on<M: Machine>(self, machine: M) {
        let Self {
            contacts,
            impulses,
            visitors,
            own,
            first,
            balls,
            velocities,
            result,
        } = self;
        let first = first as u32;
        let mut motions: Motions = [AT_REST; LEAF + 1];
        add_visitors(machine, first, (contacts, impulses), visitors, &mut motions);
        let (contacts, impulses) = (&contacts[own.clone()], &impulses[own]);
        add_own(machine, first, (contacts, impulses), &mut motions);
        divide_by_mass(machine, balls, &mut motions, velocities);
        // Walls are here, too, and do not move.
        motions[LEAF] = AT_REST;
        if let Some(result) = result {
            write_own(machine, first, contacts, &motions, result);
        }
    }
}

/// Adds the impulses of visitors.
#[inline(always)]
fn add_visitors<M: Machine>(
    machine: M,
    first: u32,
    (contacts, impulses): (&[BallContact], &[[f64; 3]]),
    visitors: &[u32],
    motions: &mut Motions,
) {
    let (fours, rest) = visitors.as_chunks::<4>();
    for (index, four) in fours.iter().enumerate() {
        if let Some(ahead) = fours.get(index + AHEAD) {
            for &contact in ahead {
                machine.expect(contacts.as_ptr().wrapping_add(contact as usize));
                machine.expect(impulses.as_ptr().wrapping_add(contact as usize));
            }
        }
        let rows = some_rows(impulses, four);
        add(machine, first, &some(contacts, four), &rows, motions);
    }
    if !rest.is_empty() {
        let rows = some_rows(impulses, rest);
        add(machine, first, &some(contacts, rest), &rows, motions);
    }
}

/// Adds the impulses of a leaf's own contacts.
#[inline(always)]
fn add_own<M: Machine>(
    machine: M,
    first: u32,
    (contacts, impulses): (&[BallContact], &[[f64; 3]]),
    motions: &mut Motions,
) {
    let (fours, rest) = contacts.as_chunks::<4>();
    let (impulses, rest_impulses) = impulses.as_chunks::<4>();
    if let Some(mut four) = fours.first() {
        let mut coming = pressed(machine, &Four::new(machine, four), &impulses[0]);
        for index in 0..fours.len() {
            expect_lines(machine, fours, (index, true));
            expect_lines(machine, impulses, (index, true));
            // The next four, while the processor waits for the bodies of these.
            let (now, contacts) = (coming, four);
            let after = (index + 1).min(fours.len() - 1);
            four = &fours[after];
            coming = pressed(machine, &Four::new(machine, four), &impulses[after]);
            push(machine, first, contacts, now, motions);
        }
    }
    if !rest.is_empty() {
        let places = &FIRST_FOUR[..rest.len()];
        let rows = some_rows(rest_impulses, places);
        add(machine, first, &some(rest, places), &rows, motions);
    }
}

/// Makes velocities of momenta, four bodies after four.
#[inline(always)]
fn divide_by_mass<M: Machine>(
    machine: M,
    balls: &[Ball],
    motions: &mut Motions,
    velocities: &mut [[f64; 6]],
) {
    let (motions, rest_motions) = motions[..balls.len()].as_chunks_mut::<4>();
    let (balls, rest_balls) = balls.as_chunks::<4>();
    let (velocities, rest_velocities) = velocities.as_chunks_mut::<4>();
    for (index, four) in motions.iter_mut().enumerate() {
        expect_lines(machine, balls, (index, true));
        expect_lines(machine, velocities, (index, true));
        for k in 0..4 {
            velocities[index][k] = divided(machine, balls[index][k], &mut four[k]);
        }
    }
    for (index, motion) in rest_motions.iter_mut().enumerate() {
        rest_velocities[index] = divided(machine, rest_balls[index], motion);
    }
}

/// The same of one body; answers with its velocity.
#[inline(always)]
fn divided<M: Machine>(machine: M, [push, turn]: Ball, motion: &mut Motion) -> [f64; 6] {
    motion.push = machine.numbers(machine.scale(push, machine.load(&motion.push)));
    motion.turn = machine.numbers(machine.scale(turn, machine.load(&motion.turn)));
    let ([vx, vy, vz, _], [wx, wy, wz, _]) = (motion.push, motion.turn);
    [vx, vy, vz, wx, wy, wz]
}

/// Writes the velocities of a leaf's own contacts.
#[inline(always)]
fn write_own<M: Machine>(
    machine: M,
    first: u32,
    contacts: &[BallContact],
    motions: &Motions,
    result: &mut [[f64; 3]],
) {
    let (fours, rest) = contacts.as_chunks::<4>();
    let (results, rest_results) = result.as_chunks_mut::<4>();
    for (index, four) in fours.iter().enumerate() {
        expect_lines(machine, fours, (index, true));
        expect_lines(machine, results, (index, true));
        results[index] = velocities_of(machine, first, four, motions);
    }
    if !rest.is_empty() {
        let last = some(rest, &FIRST_FOUR[..rest.len()]);
        let last = velocities_of(machine, first, &last, motions);
        rest_results.copy_from_slice(&last[..rest.len()]);
    }
}

/// The place of a body.
#[inline(always)]
fn place(body: u32, first: u32) -> usize {
    (body.wrapping_sub(first) as usize).min(LEAF)
}

/// Adds the impulses of four contacts to the momenta of bodies that are of the leaf.
#[inline(always)]
fn add<M: Machine>(
    machine: M,
    first: u32,
    contacts: &[BallContact; 4],
    impulses: &[[f64; 3]; 4],
    motions: &mut Motions,
) {
    let pressed = pressed(machine, &Four::new(machine, contacts), impulses);
    push(machine, first, contacts, pressed, motions);
}

/// Adds forces on the second bodies of four contacts, and n × force, to the momenta.
#[inline(always)]
fn push<M: Machine>(
    machine: M,
    first: u32,
    contacts: &[BallContact; 4],
    (force, torque): (WideVector<M>, WideVector<M>),
    motions: &mut Motions,
) {
    let force = machine.rows_of_vectors(force);
    let torque = machine.rows_of_vectors(torque);
    for lane in 0..4 {
        let [a, b] = contacts[lane].bodies;
        let [of_a, of_b] = contacts[lane].levers();
        let a = &mut motions[place(a, first)];
        let turned = machine.scale(of_a, torque[lane]);
        a.push = machine.numbers(machine.subtract(machine.load(&a.push), force[lane]));
        a.turn = machine.numbers(machine.subtract(machine.load(&a.turn), turned));
        let b = &mut motions[place(b, first)];
        let turned = machine.scale(of_b, torque[lane]);
        b.push = machine.numbers(machine.add(machine.load(&b.push), force[lane]));
        b.turn = machine.numbers(machine.subtract(machine.load(&b.turn), turned));
    }
}

/// Dᵀv of four contacts whose bodies are of the leaf.
#[inline(always)]
fn velocities_of<M: Machine>(
    machine: M,
    first: u32,
    contacts: &[BallContact; 4],
    motions: &Motions,
) -> [[f64; 3]; 4] {
    let zero = machine.load(&[0.0; 4]);
    let (mut linear, mut angular) = ([zero; 4], [zero; 4]);
    for lane in 0..4 {
        let [a, b] = contacts[lane].bodies;
        let [of_a, of_b] = contacts[lane].levers();
        let (a, b) = (&motions[place(a, first)], &motions[place(b, first)]);
        linear[lane] = machine.subtract(machine.load(&b.push), machine.load(&a.push));
        let of_a = machine.scale(of_a, machine.load(&a.turn));
        angular[lane] = machine.add(of_a, machine.scale(of_b, machine.load(&b.turn)));
    }
    let (linear, angular) = (
        machine.vectors_of_rows(linear),
        machine.vectors_of_rows(angular),
    );
    seen(machine, &Four::new(machine, contacts), linear, angular)
}

/// Velocities of contacts between the leaves of a node, when those of its bodies are known.
pub(super) struct Between<'a> {
    pub contacts: &'a [BallContact],
    pub between: &'a [u32],
    /// The number of the first body of the node.
    pub first_body: usize,
    pub velocities: &'a [[f64; 6]],
    /// The number of the first of its contacts.
    pub first: usize,
    pub result: &'a mut [[f64; 3]],
}

impl Work for Between<'_> {
    type Found = ();

    #[inline(always)]
    fn on<M: Machine>(self, machine: M) {
        let Self {
            contacts,
            between,
            first_body,
            velocities,
            first,
            result,
        } = self;
        let zero = machine.load(&[0.0; 4]);
        let mut left = between;
        while !left.is_empty() {
            let (four, rest) = left.split_at(left.len().min(4));
            left = rest;
            // Contacts first, and when they are there, what they point to.
            if let Some(ahead) = rest.get(8 * AHEAD..8 * AHEAD + 4) {
                for &contact in ahead {
                    machine.expect(contacts.as_ptr().wrapping_add(contact as usize));
                }
            }
            if let Some(ahead) = rest.get(4 * AHEAD..4 * AHEAD + 4) {
                for &contact in ahead {
                    machine.expect(result.as_ptr().wrapping_add(contact as usize - first));
                    for body in contacts[contact as usize].bodies {
                        let six = velocities.as_ptr().wrapping_add(body as usize - first_body);
                        machine.expect(six);
                        machine.expect(six.cast::<f64>().wrapping_add(5));
                    }
                }
            }
            let of_four = some(contacts, four);
            let (mut linear, mut angular) = ([zero; 4], [zero; 4]);
            for lane in 0..four.len() {
                let [a, b] = of_four[lane].bodies;
                let [of_a, of_b] = of_four[lane].levers();
                let (a, b) = (
                    &velocities[a as usize - first_body],
                    &velocities[b as usize - first_body],
                );
                linear[lane] = machine.subtract(front(machine, b), front(machine, a));
                let of_a = machine.scale(of_a, back(machine, a));
                angular[lane] = machine.add(of_a, machine.scale(of_b, back(machine, b)));
            }
            let linear = machine.vectors_of_rows(linear);
            let [_, x, y, z] = machine.transpose(angular);
            let angular = [Wide(machine, x), Wide(machine, y), Wide(machine, z)];
            let rows = seen(machine, &Four::new(machine, &of_four), linear, angular);
            for (lane, &contact) in four.iter().enumerate() {
                result[contact as usize - first] = rows[lane];
            }
        }
    }
}

/// Up to four contacts; the others touch nothing.
#[inline(always)]
fn some(contacts: &[BallContact], places: &[u32]) -> [BallContact; 4] {
    let mut four = [BallContact::NOBODY; 4];
    for (lane, &place) in places.iter().enumerate() {
        four[lane] = contacts[place as usize];
    }
    four
}

/// Their impulses; zero for the others.
#[inline(always)]
fn some_rows(rows: &[[f64; 3]], places: &[u32]) -> [[f64; 3]; 4] {
    let mut four = [[0.0; 3]; 4];
    for (lane, &place) in places.iter().enumerate() {
        four[lane] = rows[place as usize];
    }
    four
}
