//! How long the search for pairs takes, on beds of spheres: `cargo bench -p moreau-collision --bench broad_phase`.
//! Arguments: the largest number of bodies (default a million).

use glam::DVec3;
use moreau_collision::bounds::Bounds;
use moreau_collision::broad_phase::BroadPhase;
use moreau_collision::colliders::{Colliders, Groups, Mobility};
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{Shape, ShapeTable, Sphere};
use std::time::Instant;

/// A generator of random numbers in 0..1, the same on every machine (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn point(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }
}

/// Spheres anywhere in a cube, radii from `smallest` to 1/2, so many that they fill 60 % of it. They overlap, which a
/// real bed does not, but have about as many neighbours as in a dense bed.
fn mixture(count: usize, smallest: f64, random: &mut Random) -> Vec<(DVec3, f64)> {
    let radii: Vec<f64> = (0..count)
        .map(|_| 0.5 * (smallest / 0.5).powf(random.next()))
        .collect();
    let volume: f64 = radii.iter().map(|r| 4.19 * r.powi(3)).sum();
    let side = (volume / 0.6).cbrt();
    radii.iter().map(|&r| (side * random.point(), r)).collect()
}

fn measure(name: &str, spheres: &[(DVec3, f64)], slab: Option<Bounds>) {
    let count = spheres.len();
    let mut table = ShapeTable::default();
    let mut known = std::collections::HashMap::new();
    let shapes: Vec<u32> = spheres
        .iter()
        .map(|&(_, radius)| {
            *known
                .entry(radius.to_bits())
                .or_insert_with(|| table.add(Shape::Sphere(Sphere { radius })))
        })
        .collect();
    let poses: Vec<_> = spheres
        .iter()
        .map(|&(centre, _)| Pose::at(centre))
        .collect();
    let colliders = Colliders {
        poses: &poses,
        shapes: &shapes,
        table: &table,
        envelopes: &vec![0.01; count],
        mobility: &vec![Mobility::Free; count],
        groups: &vec![Groups::default(); count],
        excluded: &[],
    };
    let mut boxes: Vec<_> = (0..count).map(|i| colliders.bounds(i)).collect();
    boxes.extend(slab);
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("a pool of threads").install(|| {
            let mut broad = BroadPhase::default();
            let mut best = f64::INFINITY;
            for _ in 0..(2_000_000 / count).clamp(4, 50) {
                let start = Instant::now();
                if slab.is_some() {
                    broad.find_overlaps(&boxes, |a, b| {
                        colliders.groups[a.min(b) as usize].member != 0
                    });
                } else {
                    broad.find_pairs(&colliders);
                }
                best = best.min(start.elapsed().as_secs_f64());
            }
            let pairs = broad.pairs();
            let contacts = pairs.iter().filter(|&&[a, b]| {
                let (Some(a), Some(b)) = (spheres.get(a as usize), spheres.get(b as usize)) else {
                    return true;
                };
                a.0.distance(b.0) <= a.1 + b.1 + 0.02
            });
            println!(
                "{name:28} {threads:7} {count:9} {:9} {:9} {:8.0} {:8.0} {:10.0}",
                pairs.len(),
                contacts.count(),
                1e9 * best / count as f64,
                1e9 * best / pairs.len().max(1) as f64,
                broad.bytes() as f64 / count as f64,
            );
        });
    }
}

fn main() {
    let most = std::env::args()
        .find_map(|a| a.parse().ok())
        .unwrap_or(1_000_000);
    println!(
        "{:28} {:>7} {:>9} {:>9} {:>9} {:>8} {:>8} {:>10}",
        "scene", "threads", "bodies", "pairs", "contacts", "ns/body", "ns/pair", "bytes/body"
    );
    let mut random = Random(1);
    for count in [10_000, 100_000, 1_000_000]
        .into_iter()
        .filter(|&n| n <= most)
    {
        let spheres = mixture(count, 0.5, &mut random);
        measure("bed, numbered at random", &spheres, None);
        let mut broad = BroadPhase::default();
        let boxes: Vec<_> = spheres
            .iter()
            .map(|&(lower, _)| Bounds {
                lower,
                upper: lower,
            })
            .collect();
        broad.find_overlaps(&boxes, |_, _| false);
        let sorted: Vec<_> = broad.order().iter().map(|&i| spheres[i as usize]).collect();
        measure("bed, numbered in order", &sorted, None);
    }
    let spheres = mixture(most, 0.5, &mut random);
    let side = (most as f64).cbrt();
    let slab = Bounds {
        lower: DVec3::new(-side, -side, -1.0),
        upper: DVec3::new(2.0 * side, 2.0 * side, 0.0),
    };
    measure("bed on a slab", &spheres, Some(slab));
    let mut boulders = spheres.clone();
    for (_, radius) in &mut boulders[..300] {
        *radius = 5.0;
    }
    measure("bed with 300 boulders", &boulders, None);
    let mut straggling = spheres.clone();
    straggling[0].0 = DVec3::splat(1e9);
    measure("bed and a straggler", &straggling, None);
    let cloud: Vec<_> = spheres.iter().map(|&(c, r)| (1e3 * c, r)).collect();
    measure("sparse cloud", &cloud, None);
    measure("sizes 1:10", &mixture(most / 4, 0.05, &mut random), None);
    measure(
        "sizes 1:1000",
        &mixture(most / 4, 0.0005, &mut random),
        None,
    );
}
