use super::super::lanes::{Lanes, ShortLanes, Vector};
use super::plain::Plain;
use super::*;

struct Everything([[f64; 4]; 4]);

impl Work for Everything {
    type Found = [[f64; 4]; 4];

    #[inline(always)]
    fn on<M: Machine>(self, machine: M) -> Self::Found {
        let [a, b, c, d] = self.0.map(|row| Wide(machine, machine.load(&row)));
        let root = (a / b + c).square_root();
        let tenth = Wide::short_of_groups(machine, [&ShortLanes([0.1; 4]); 2]);
        let chosen = a.at_most(b, root - c, tenth * root);
        let rows = machine.transpose([chosen.1, root.1, b.copy_sign(d).1, d.1]);
        rows.map(|row| machine.numbers(row))
    }
}

const ROWS: [[f64; 4]; 4] = [
    [1.0, 0.3, f64::NAN, 7.0],
    [0.7, 0.3, 1.0, 9.0],
    [0.1, 0.2, 0.3, 0.4],
    [-1.0, 2.0, -0.0, 0.0],
];

#[test]
fn every_machine_gives_the_bits_of_one_number_after_another() {
    let found = Everything(ROWS).on(Plain);
    for k in 0..4 {
        let [a, b, c, d] = ROWS.map(|row| row[k]);
        let root = (a / b + c).sqrt();
        let tenth = f64::from(0.1f32);
        let chosen = if a <= b { root - c } else { tenth * root };
        let expected = [chosen, root, b.copysign(d), d];
        assert_eq!(found[k].map(f64::to_bits), expected.map(f64::to_bits));
    }
    let on_this = run(Everything(ROWS));
    for k in 0..4 {
        assert_eq!(on_this[k].map(f64::to_bits), found[k].map(f64::to_bits));
    }
}

/// Four groups, one or two at once: everything that a stride does.
struct Strides {
    /// The numbers of each group.
    numbers: [Lanes; 4],
    short: [ShortLanes; 4],
    /// Rows of the bodies of each contact of each group.
    bodies: [[[f64; 4]; 4]; 4],
}

/// What is found of each group, the sum of all numbers, and the rows of the vectors that bodies were made.
type OfStrides = ([Vector; 4], Lanes, [[[f64; 4]; 4]; 4]);

impl StridingWork for Strides {
    type Found = OfStrides;

    #[inline(always)]
    fn on<S: Stride>(self, stride: S) -> OfStrides {
        let one = stride.one();
        let mut sum = Wide::all(one, 0.0);
        let mut vectors = [Vector::default(); 4];
        let mut back = self.bodies;
        for first in (0..4).step_by(S::GROUPS) {
            let last = first + S::GROUPS - 1;
            let x = Wide::of_groups(stride, [&self.numbers[first], &self.numbers[last]]);
            let y = Wide::short_of_groups(stride, [&self.short[first], &self.short[last]]);
            let root = (x / y + y * x).square_root() - y;
            let z = x.at_most(y, root, Wide::all(stride, 0.5));
            sum = z.added_to(sum);
            Wide::write([x, y, z], &mut vectors, first);
            let rows = [first, last].map(|group| self.bodies[group].map(|row| one.load(&row)));
            let of_contacts = stride.vectors_of_bodies(rows);
            let rows = stride.bodies_of_vectors(of_contacts);
            for group in 0..S::GROUPS {
                back[first + group] = rows[group].map(|row| one.numbers(row));
            }
        }
        (vectors, sum.lanes(), back)
    }
}

fn strides() -> Strides {
    let number = |group: usize, lane: usize| 0.37 * (1 + 5 * group + lane * lane) as f64;
    let lanes = |group| std::array::from_fn(|lane| number(group, lane));
    Strides {
        numbers: [0, 1, 2, 3].map(|group| Lanes(lanes(group))),
        short: [3, 0, 2, 1].map(|group| ShortLanes(lanes(group).map(|x| x as f32))),
        bodies: std::array::from_fn(|group| {
            std::array::from_fn(|lane| std::array::from_fn(|k| number(group + 4 * k, lane)))
        }),
    }
}

#[test]
fn two_groups_at_once_give_the_bits_of_one_after_the_other() {
    let (vectors, sum, back) = run_striding(strides());
    let given = strides();
    let mut expected = [0.0; 4];
    for group in 0..4 {
        for lane in 0..4 {
            let (x, y) = (
                given.numbers[group].0[lane],
                f64::from(given.short[group].0[lane]),
            );
            let root = (x / y + y * x).sqrt() - y;
            let z = if x <= y { root } else { 0.5 };
            let found = [0, 1, 2].map(|k| vectors[group][k].0[lane].to_bits());
            assert_eq!(found, [x, y, z].map(f64::to_bits));
            expected[lane] += z;
            let [a, b, c, _] = given.bodies[group][lane];
            assert_eq!(back[group][lane], [a, b, c, 0.0]);
        }
    }
    assert!(expected.iter().all(|sum| sum.is_finite()));
    assert_eq!(sum.0.map(f64::to_bits), expected.map(f64::to_bits));
}
