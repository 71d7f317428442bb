//! Grouped sweeps against sweeps one by one, on the same contacts in the order of the groups.

use super::arms::{Arms, Body, Group, Inertia};
use super::grouping::NONE;
use super::halves::{Halves, Halving, Node};
use super::kernel::{Iterates, Sweep, Sweeping};
use super::lanes::Vector;
use super::machine::{Plain, StridingWork, run_striding};
use super::stepping::{JudgingAndStepping, Start, Stepping, Turn};
use super::{Gradient, Grouped, Groups};
use crate::cones::Cone;
use crate::delassus::{BodyInertia, Delassus, JacobianBlock, MatrixFree, RigidContact};
use crate::law::FrictionLaw;
use crate::methods::apgd::Steps;
use crate::metric_sweep::Metric;
use crate::monitor::Monitor;
use crate::observer::Silent;
use crate::problem::{ContactProblem, offsets_of};
use crate::residual::Measure;
use crate::settings::Settings;

const BODIES: usize = 60;
const CONTACTS: usize = 150;

/// Several levels even of a few bodies.
const FINE: Halving = Halving {
    from_contacts: 0,
    leaf: 3,
};

/// The impulses that were kept, by rows.
fn kept_rows(grouped: &Grouped) -> Vec<f64> {
    let rest = grouped.rest.as_ref();
    Grouped::kept_rows(&grouped.members, grouped.problem, grouped.kept, rest)
}

/// In (−1, 1).
fn noise(seed: &mut u64) -> f64 {
    *seed = seed
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*seed >> 33) as f64 / (1u64 << 30) as f64 - 1.0
}

/// A random problem with its contacts in the given order: walls, mixed friction, joints if asked for.
fn problem(balls: bool, joints: bool, order: &[usize]) -> ContactProblem {
    let mut seed = 5;
    let inertias: Vec<BodyInertia> = (0..BODIES)
        .map(|_| {
            let e: [f64; 3] = std::array::from_fn(|_| if balls { 0.0 } else { noise(&mut seed) });
            BodyInertia {
                inverse_mass: 1.5 + noise(&mut seed),
                inverse_inertia: [4.0 + e[0], 4.0 + e[1], 4.0 + e[2], e[1], 0.5 * e[0], e[2]],
            }
        })
        .collect();
    let mut all = Vec::new();
    for index in 0..CONTACTS {
        let v: [f64; 3] = std::array::from_fn(|_| noise(&mut seed));
        let length = v.iter().map(|v| v * v).sum::<f64>().sqrt();
        let normal = v.map(|v| v / length);
        let first = index % BODIES;
        let mut bodies = [first as u32, ((first + 1 + index % 13) % BODIES) as u32];
        if index % 6 == 0 {
            bodies[index / 6 % 2] = RigidContact::FIXED;
        }
        let arms = [1.0, -1.0].map(|sign| {
            let length = sign * (1.0 + 0.3 * noise(&mut seed));
            let off: [f64; 3] = std::array::from_fn(|_| if balls { 0.0 } else { noise(&mut seed) });
            std::array::from_fn(|k| length * normal[k] + off[k])
        });
        let contact = RigidContact {
            bodies,
            normal,
            arms,
        };
        let friction = [0.0, 0.3, 0.9][index % 3];
        let free: [f64; 3] = std::array::from_fn(|k| noise(&mut seed) - [1.0, 0.0, 0.0][k]);
        all.push((contact, Cone::Friction { friction }, free));
    }
    let chosen: Vec<_> = order.iter().map(|&index| all[index]).collect();
    let mut cones: Vec<Cone> = chosen.iter().map(|c| c.1).collect();
    let mut free: Vec<f64> = chosen.iter().flat_map(|c| c.2).collect();
    let mut blocks = Vec::new();
    for joint in 0..if joints { 3 } else { 0 } {
        for body in [joint, 7 * joint + 20] {
            blocks.push(JacobianBlock {
                contact: cones.len(),
                body,
                values: (0..12).map(|_| noise(&mut seed)).collect(),
            });
        }
        cones.push(Cone::Bilateral { rows: 2 });
        free.extend([noise(&mut seed), noise(&mut seed)]);
    }
    let contacts = chosen.iter().map(|c| c.0).collect();
    let operator = MatrixFree::rigid(offsets_of(&cones), inertias, contacts, blocks);
    let operator = Delassus::MatrixFree(operator.expect("contacts that fit"));
    ContactProblem::new(cones, operator, free).expect("a problem")
}

fn measured_by(measure: Measure) -> Settings {
    Settings {
        measure,
        ..Settings::default()
    }
}

fn assert_near(a: &[f64], b: &[f64], what: &str) {
    let scale = b.iter().fold(1.0, |s: f64, v| s.max(v.abs()));
    for (k, (a, b)) in a.iter().zip(b).enumerate() {
        assert!((a - b).abs() < 1e-12 * scale, "{what} {k}: {a} and {b}");
    }
}

#[test]
fn groups_are_swept_as_their_contacts_would_be_one_by_one() {
    for (law, halving) in [FrictionLaw::Relaxed, FrictionLaw::Coulomb]
        .into_iter()
        .flat_map(|law| [(law, Halving::default()), (law, FINE)])
    {
        for (balls, joints) in [(true, false), (false, false), (true, true), (false, true)] {
            let given: Vec<usize> = (0..CONTACTS).collect();
            let zero = vec![0.0; problem(balls, joints, &given).dimension()];
            let as_given = problem(balls, joints, &given);
            let settings = measured_by(Measure::Energy);
            let mut room = zero.clone();
            let first = Grouped::halved(&as_given, &settings, &mut room, halving).expect("groups");
            let order: Vec<usize> = (first.members.iter().flatten())
                .filter(|&&contact| contact != NONE)
                .map(|&contact| contact as usize)
                .collect();
            assert_eq!(order.len(), CONTACTS);
            // The same contacts in the order in which the groups have them.
            let in_order = problem(balls, joints, &order);
            let metric = Metric::new(&in_order);
            let mut grouped = first;
            let (mut x, mut state) = (zero.clone(), vec![0.0; in_order.state_length()]);
            let (mut x_before, mut state_before) = (x.clone(), state.clone());
            for (iteration, beta) in [0.0, 0.3, 0.6, 0.7, 0.2, 0.5].into_iter().enumerate() {
                let forward = iteration % 2 == 0;
                let along = grouped.iterate(law, beta, forward);
                let extrapolated = |now: &[f64], before: &[f64]| -> Vec<f64> {
                    now.iter()
                        .zip(before)
                        .map(|(a, b)| a + beta * (a - b))
                        .collect()
                };
                let y = extrapolated(&x, &x_before);
                let w = extrapolated(&state, &state_before);
                (x_before, state_before) = (x, state);
                (x, state) = (y.clone(), w);
                for forward in [forward, !forward] {
                    metric.sweep(&in_order, law, forward, &mut x, &mut state);
                }
                let expected = metric.inner(|k| (y[k] - x[k]) * (x[k] - x_before[k]));
                if law == FrictionLaw::Relaxed {
                    assert_near(&[along], &[expected], "along");
                }
                if iteration == 3 {
                    grouped.refresh();
                }
                grouped.keep();
                let rows = kept_rows(&grouped);
                let mut reordered = rows.clone();
                for (k, &index) in order.iter().enumerate() {
                    reordered[3 * k..3 * k + 3].copy_from_slice(&rows[3 * index..3 * index + 3]);
                }
                assert_near(&reordered, &x, "impulse");
                let velocities: Vec<f64> = (0..BODIES)
                    .flat_map(|body| super::six_of(&grouped.bodies[grouped.halves.place(body)]))
                    .collect();
                assert_near(&velocities, &state, "velocity");
            }
        }
    }
}

#[test]
fn groups_measure_what_the_referee_measures() {
    let given: Vec<usize> = (0..CONTACTS).collect();
    for law in [FrictionLaw::Relaxed, FrictionLaw::Coulomb] {
        for measure in [Measure::Energy, Measure::Natural, Measure::Max] {
            for (balls, joints) in [(true, false), (false, false), (false, true)] {
                let problem = problem(balls, joints, &given);
                let zero = vec![0.0; problem.dimension()];
                let settings = Settings {
                    tolerance: 1e-3,
                    approach_limits: (0..CONTACTS).map(|k| 1e-4 * (1 + k % 5) as f64).collect(),
                    ..measured_by(measure)
                };
                let mut room = zero.clone();
                let mut grouped =
                    Grouped::halved(&problem, &settings, &mut room, FINE).expect("groups");
                grouped.iterate(law, 0.0, true);
                let mut observer = Silent;
                let monitor = Monitor::new(&problem, law, &settings, 1, &mut observer);
                let found = grouped.measure(law, &monitor);
                grouped.keep();
                let (x, mut u) = (kept_rows(&grouped), zero);
                problem.velocity(&x, &mut vec![0.0; problem.state_length()], &mut u);
                let expected = monitor.measure(&x, &u);
                assert_near(&[found.error], &[expected.error], "error");
                assert_near(&[found.objective], &[expected.objective], "objective");
            }
        }
    }
}

#[test]
fn nodes_of_a_level_share_no_body_and_hold_both_sides_of_their_contacts() {
    // Bodies joined to near and far ones, and to walls.
    let sides = |k: usize| {
        let (a, step) = ((k % 400) as u32, 1 + (k % 7) as u32);
        match k % 11 {
            0 => [RigidContact::FIXED, a],
            1 => [a, (7 * a + 150) % 400],
            _ => [(a + step) % 400, a],
        }
    };
    let halves = Halves::new(400, 1200, FINE);
    let mut seen = vec![false; halves.room()];
    for body in 0..400 {
        assert!(!std::mem::replace(&mut seen[halves.place(body)], true));
        assert_eq!(halves.body_at(halves.place(body)), Some(body));
    }
    for (place, seen) in seen.iter().enumerate() {
        assert_eq!(halves.body_at(place).is_some(), *seen);
    }
    let nodes = halves.nodes();
    for pair in (0..1200).map(sides) {
        let chunk = halves.chunk_of(pair);
        assert_eq!(nodes[chunk], halves.node_of(pair));
        let places = halves.places_of(nodes[chunk]);
        for body in pair {
            let place = halves.place_in_chunk(body, &places) as usize;
            assert!(place < places.len(), "{pair:?} in chunk {chunk}");
            assert_eq!(
                seen[places.start + place],
                body != RigidContact::FIXED,
                "{pair:?}: a wall is where no body is"
            );
        }
    }
    // 134 leaves of three bodies: the nodes of each level cut all places into parts that follow each other.
    let count_of_levels = [134, 67, 34, 17, 9, 5, 3, 2, 1];
    for (level, count) in count_of_levels.into_iter().enumerate() {
        let of_level = (0..count).map(|index| Node { level, index });
        let end = of_level.fold(0, |end, node| {
            assert!(nodes.contains(&node), "{node:?}");
            let part = halves.places_of(node);
            assert_eq!(part.start, end);
            part.end
        });
        assert_eq!(end, halves.room());
    }
    assert_eq!(nodes.len(), count_of_levels.iter().sum());
    assert_eq!(halves.chunks(), nodes.len());
}

#[test]
fn halves_come_before_their_node_and_follow_each_other() {
    for leaves in 1..70 {
        let halves = Halves::new(3 * leaves, usize::MAX, FINE);
        let nodes = halves.nodes();
        let number = |node: Node| nodes.iter().position(|&other| other == node);
        let mut bodies_before = 0;
        for (chunk, &Node { level, index }) in nodes.iter().enumerate() {
            if level == 0 {
                // Leaves follow each other, and what is between leaves comes when both are done.
                assert_eq!(index, bodies_before);
                bodies_before += 1;
            } else {
                let half = |side: usize| Node {
                    level: level - 1,
                    index: 2 * index + side,
                };
                let last = number(half(1)).or(number(half(0)));
                assert_eq!(last, Some(chunk - 1), "{leaves} leaves");
            }
        }
        assert_eq!(nodes.last().map(|root| root.level), Some(halves.height()));
        let fine = (0..3 * leaves as u32).flat_map(|a| (0..a).map(move |b| [a, b]));
        for pair in fine {
            assert_eq!(nodes[halves.chunk_of(pair)], halves.node_of(pair));
        }
    }
}

#[test]
fn every_body_is_finished_once_and_after_its_last_contact() {
    let given: Vec<usize> = (0..CONTACTS).collect();
    let problem = problem(true, false, &given);
    let mut room = vec![0.0; problem.dimension()];
    let settings = measured_by(Measure::Energy);
    let grouped = Grouped::halved(&problem, &settings, &mut room, FINE).expect("groups");
    let Groups::Balls(groups) = &grouped.groups else {
        panic!("not balls");
    };
    let finished = grouped.chunks.finished(&grouped.halves, groups);
    let mut is_finished = vec![false; grouped.halves.room()];
    // On the way up, one chunk after another.
    grouped.chunks.each(|chunk| {
        let places = &mut is_finished[chunk.bodies.clone()];
        for group in &groups[chunk.groups.clone()] {
            for &place in group.bodies.as_flattened() {
                assert!(!places[place as usize], "{chunk:?} comes too late");
            }
        }
        for &place in finished.of(chunk) {
            assert!(!std::mem::replace(&mut places[place as usize], true));
        }
    });
    assert!(is_finished.into_iter().all(|done| done));
}

#[test]
fn threads_change_no_bit() {
    let given: Vec<usize> = (0..CONTACTS).collect();
    let solve = |threads: usize, balls: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| {
            let problem = problem(balls, true, &given);
            let zero = vec![0.0; problem.dimension()];
            let settings = measured_by(Measure::Energy);
            let mut room = zero.clone();
            let mut grouped =
                Grouped::halved(&problem, &settings, &mut room, FINE).expect("groups");
            let along: f64 = (0..40)
                .map(|k| grouped.iterate(FrictionLaw::Relaxed, 0.5, k % 2 == 0))
                .sum();
            grouped.keep();
            let mut rows = kept_rows(&grouped);
            rows.push(along);
            rows.into_iter().map(f64::to_bits).collect::<Vec<_>>()
        })
    };
    for balls in [true, false] {
        assert_eq!(solve(1, balls), solve(4, balls));
    }
}

/// Bits of all that a pass writes and finds, made by this machine as it likes or by a plain one, of the first `count` groups.
fn bits_of_pass<A: Arms>(
    grouped: &Grouped,
    groups: &[Group<A>],
    (count, turn): (usize, Turn),
    plain: bool,
) -> Vec<u64> {
    let old: Vec<Vector> = grouped.now.iter().rev().copied().collect();
    let (mut next, mut u) = (old.clone(), grouped.now.clone());
    let mut momenta: Vec<Body> = grouped.bodies.clone();
    momenta.iter_mut().for_each(Body::stop);
    let work = JudgingAndStepping {
        judge: match turn {
            Turn::First => grouped.measure.as_ref().map(|m| m.part(0..count)),
            Turn::Again => None,
        },
        bodies: &grouped.bodies,
        stepping: Stepping {
            groups: &groups[..count],
            frictions: grouped.frictions.part(0..count),
            start: Start {
                beta: 0.4,
                length: 0.1,
            },
            iterates: Iterates {
                now: &grouped.now[..count],
                before: &old[..count],
                next: &mut next[..count],
            },
            velocities: &mut u[..count],
            turn,
            momenta: &mut momenta,
        },
    };
    let (step, sums) = if plain {
        work.on(Plain)
    } else {
        run_striding(work)
    };
    let vectors = next.iter().chain(&u).flatten().flat_map(|lanes| lanes.0);
    let bodies = momenta.iter().flat_map(|body| [body.push, body.turn]);
    let found = [
        [step.twice_f_y, step.linear, step.distance, step.along],
        [step.size, step.free_work, sums.map, sums.work],
        [
            sums.impulse_squared,
            sums.velocity_squared,
            sums.approach,
            0.0,
        ],
    ];
    (vectors
        .chain(bodies.flatten())
        .chain(found.into_iter().flatten()))
    .map(f64::to_bits)
    .collect()
}

#[test]
fn a_step_has_the_same_bits_on_every_machine() {
    let given: Vec<usize> = (0..CONTACTS).collect();
    for balls in [true, false] {
        let problem = problem(balls, false, &given);
        let mut room = vec![0.0; problem.dimension()];
        let settings = Settings {
            approach_limits: (0..CONTACTS).map(|k| 1e-4 * (1 + k % 5) as f64).collect(),
            ..measured_by(Measure::Energy)
        };
        let mut grouped = Grouped::new(&problem, &settings, &mut room).expect("groups");
        grouped.iterate(FrictionLaw::Relaxed, 0.0, true);
        // Even and odd numbers of groups, more and fewer than are judged at once.
        for count in [1, 2, 7, 33, 36, 37] {
            for turn in [Turn::First, Turn::Again] {
                let which = (count, turn);
                let bits = |plain: bool| match &grouped.groups {
                    Groups::Balls(groups) => bits_of_pass(&grouped, groups, which, plain),
                    Groups::Bodies(groups, _) => bits_of_pass(&grouped, groups, which, plain),
                };
                assert_eq!(bits(true), bits(false), "{which:?} groups, balls: {balls}");
            }
        }
    }
}

/// Bits of all that a sweep over one piece writes and finds, made by this machine as it likes or by a plain one.
fn bits_of_sweep<A: Arms>(
    grouped: &Grouped,
    (groups, inertias): (&[Group<A>], &[Inertia]),
    kind: Sweep,
    plain: bool,
) -> Vec<u64> {
    let mut paired = 0;
    grouped.chunks.each(|chunk| paired = chunk.paired);
    assert!(
        paired >= 8 && paired < groups.len(),
        "{paired} groups in pairs"
    );
    let mut next: Vec<Vector> = grouped.before.iter().rev().copied().collect();
    let mut bodies = grouped.bodies.clone();
    let work = Sweeping {
        groups,
        paired,
        frictions: grouped.frictions.part(0..groups.len()),
        inertias,
        kind,
        iterates: Iterates {
            now: &grouped.now,
            before: &grouped.before,
            next: &mut next,
        },
        bodies: &mut bodies,
    };
    let along = if plain {
        work.on(Plain)
    } else {
        run_striding(work)
    };
    let vectors = next.iter().flatten().flat_map(|lanes| lanes.0);
    let bodies = bodies.iter().flat_map(|body| [body.push, body.turn]);
    let found = vectors.chain(bodies.flatten()).chain([along]);
    found.map(f64::to_bits).collect()
}

#[test]
fn a_sweep_has_the_same_bits_on_every_machine() {
    let given: Vec<usize> = (0..CONTACTS).collect();
    for balls in [true, false] {
        let problem = problem(balls, false, &given);
        let settings = measured_by(Measure::Energy);
        let mut room = vec![0.0; problem.dimension()];
        let mut grouped = Grouped::new(&problem, &settings, &mut room).expect("groups");
        grouped.iterate(FrictionLaw::Relaxed, 0.0, true);
        grouped.iterate(FrictionLaw::Relaxed, 0.3, false);
        for which in 0..8 {
            let kind = Sweep {
                coulomb: which & 1 > 0,
                first: which & 2 > 0,
                forward: which & 4 > 0,
                beta: 0.4,
            };
            let bits = |plain: bool| match &grouped.groups {
                Groups::Balls(groups) => bits_of_sweep(&grouped, (groups, &[]), kind, plain),
                Groups::Bodies(groups, inertias) => {
                    bits_of_sweep(&grouped, (groups, inertias), kind, plain)
                }
            };
            assert_eq!(bits(true), bits(false), "{kind:?}, balls: {balls}");
        }
    }
}

/// What three steps find and end with, the first and the last of which need a second trial.
fn three_steps(balls: bool, halving: Halving, threads: usize) -> Vec<f64> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads").install(|| {
        let given: Vec<usize> = (0..CONTACTS).collect();
        let problem = problem(balls, false, &given);
        let settings = measured_by(Measure::Energy);
        let mut observer = Silent;
        let law = FrictionLaw::Relaxed;
        let mut monitor = Monitor::new(&problem, law, &settings, 1, &mut observer);
        let mut room = vec![0.0; problem.dimension()];
        let grouped = Grouped::halved(&problem, &settings, &mut room, halving).expect("groups");
        let mut steps = Gradient::of(grouped);
        let started = steps.start(&monitor);
        let mut found = vec![started.error, started.objective];
        for (beta, lengths) in [(0.0, &[5.0, 10.0][..]), (0.4, &[9.0]), (0.6, &[8.0, 16.0])] {
            steps.extrapolate(beta);
            for (turn, &lipschitz) in lengths.iter().enumerate() {
                let trial = if turn == 0 {
                    let (measured, trial) = steps.judge_and_try_step(lipschitz, &monitor);
                    found.extend([measured.error, measured.objective]);
                    trial
                } else {
                    steps.try_step(lipschitz)
                };
                found.extend([trial.f_y, trial.f_next, trial.linear, trial.distance]);
                found.extend([trial.along, trial.size]);
            }
            steps.accept();
        }
        steps.keep(monitor.best_mut());
        steps.finish(monitor.best_mut());
        found.extend(monitor.best());
        found
    })
}

#[test]
fn steps_through_the_tree_are_those_in_one_piece_with_any_number_of_threads() {
    for balls in [true, false] {
        let in_halves = three_steps(balls, FINE, 1);
        assert_near(
            &in_halves,
            &three_steps(balls, Halving::default(), 1),
            "value",
        );
        let bits =
            |values: Vec<f64>| -> Vec<u64> { values.into_iter().map(f64::to_bits).collect() };
        assert_eq!(bits(in_halves), bits(three_steps(balls, FINE, 4)));
    }
}
