//! What a contact's materials, its gap and the scheme make of its block of the problem.

use super::{PIECE, Parts};
use crate::materials::Material;
use crate::settings::Scheme;
use moreau_collision::contact::Contact;
use moreau_contact_solvers::cones::{Cone, Cones};
use rayon::prelude::*;

/// What a step asks of its contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactRules {
    /// h in s.
    pub step: f64,
    /// The scheme: it decides what a gap means.
    pub scheme: Scheme,
    /// Largest speed at which overlaps are pushed apart.
    pub recovery_speed: Option<f64>,
    /// Slowest impact that bounces, in m/s.
    pub restitution_threshold: f64,
    /// Largest gap at which cohesion acts, as a share of the smaller body's size.
    pub cohesion_range: f64,
}

impl ContactRules {
    /// The normal velocity that is added to u_N, so that u_N + bias ≥ 0 is what the contact demands.
    ///
    /// Symplectic Euler demands Φ + h u_N ≥ 0. In Moreau's scheme the gap is that in the middle of the step, so that
    /// Φ + (h/2) u_N ≥ 0, and a closed contact demands u_N ≥ 0 alone, unless a recovery speed is set. A compliant
    /// contact with force k Φ + d u and τ = d/k has Φ/(h + τ) and compliance E = 1/(k h (h + τ)). An impact faster than the
    /// threshold that closes the gap in this step demands u_N ≥ −e u_N⁻ (Newton's law), or, in a series of impacts, u_N ≥
    /// `opening` ([`crate::impacts`]). Of gap and impact the stricter demand counts, never their sum.
    pub(super) fn bias(&self, gap: f64, opening: f64, material: &Material) -> f64 {
        let mut bias = gap / (self.closing_time() + material.damping_time);
        if gap < 0.0 {
            bias = match (self.recovery_speed, self.scheme) {
                (Some(speed), _) => bias.max(-speed),
                (None, Scheme::SymplecticEuler) => bias,
                (None, Scheme::MoreauHalfStep) => 0.0,
            };
        }
        bias.min(-opening)
    }

    /// The time for which bodies move with the new velocities after the contacts were found: a gap that is left then
    /// stays open.
    pub fn closing_time(&self) -> f64 {
        match self.scheme {
            Scheme::SymplecticEuler => self.step,
            Scheme::MoreauHalfStep => 0.5 * self.step,
        }
    }
}

/// The set of admissible impulses of a contact, with lengths in units of `length`.
fn cone_of(material: &Material, length: f64) -> Cone {
    let Material {
        friction,
        rolling_friction: rolling,
        spinning_friction: spinning,
        ..
    } = *material;
    let (rolling, spinning) = (rolling / length, spinning / length);
    if spinning > 0.0 {
        Cone::RollingSpinning {
            friction,
            rolling,
            spinning,
        }
    } else if rolling > 0.0 {
        Cone::Rolling { friction, rolling }
    } else if friction > 0.0 {
        Cone::Friction { friction }
    } else {
        Cone::Unilateral
    }
}

/// The unit in which a problem states lengths beside angles: ω is stated as ℓ ω, a moment M as M/ℓ.
///
/// Rows of rolling and spinning friction are angular velocities among velocities. With metres as the unit the weight of one
/// against the other, in steps of methods and in error measures, would be that of a scene whose bodies measure a metre: a scene
/// in millimetres would be solved less well and in more iterations. ℓ is about the size of the bodies that roll, and a power of
/// two, so that nothing is rounded. Without such rows nothing depends on it, and it is 1.
pub(super) fn unit_of_length(parts: &Parts) -> f64 {
    if !parts.materials.resist_turning() {
        return 1.0;
    }
    let exponent = |contact: &Contact| {
        let [a, b] = contact.bodies.map(|body| parts.sizes[body as usize]);
        let power = a.min(b).log2();
        let turns = parts.material(contact).resists_turning();
        (turns && power.is_finite()).then(|| power.round() as i64)
    };
    // Sums of whole numbers: their order does not matter.
    let (sum, count) = parts
        .contacts
        .par_iter()
        .with_min_len(PIECE)
        .filter_map(exponent)
        .map(|power| (power, 1i64))
        .reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    match count {
        0 => 1.0,
        _ => 2f64.powi((sum as f64 / count as f64).round() as i32),
    }
}

/// What the contacts say of the blocks of a problem.
pub(super) struct ContactBlocks {
    pub cones: Cones,
    /// First rows, and the end of the last.
    pub offsets: Vec<usize>,
    /// Of the contacts up to the last that has one.
    pub cohesion: Vec<f64>,
    /// Of the rows up to the last that has one.
    pub compliance: Vec<f64>,
}

pub(super) fn blocks_of_contacts(
    parts: &Parts,
    rules: &ContactRules,
    length: f64,
) -> ContactBlocks {
    let count = parts.contacts.len();
    let room = count + parts.joints.len() + 1;
    let mut blocks = ContactBlocks {
        cones: Cones::new(),
        offsets: Vec::with_capacity(room),
        cohesion: Vec::new(),
        compliance: Vec::new(),
    };
    if let Some(material) = parts.materials.only()
        && material.cohesion == 0.0
        && material.compliance == 0.0
    {
        let cone = cone_of(material, length);
        blocks.cones = Cones::alike(cone, count);
        let rows = cone.dimension();
        blocks.offsets.extend((0..=count).map(|index| rows * index));
        return blocks;
    }
    let mut first = 0;
    blocks.offsets.push(first);
    for (index, contact) in parts.contacts.iter().enumerate() {
        let material = parts.material(contact);
        let cone = cone_of(material, length);
        let [a, b] = contact.bodies.map(|body| body as usize);
        if material.cohesion > 0.0
            && contact.gap <= rules.cohesion_range * parts.sizes[a].min(parts.sizes[b])
        {
            blocks.cohesion.resize(index, 0.0);
            blocks.cohesion.push(rules.step * material.cohesion);
        }
        if material.compliance > 0.0 {
            let softness =
                material.compliance / (rules.step * (rules.step + material.damping_time));
            blocks.compliance.resize(first, 0.0);
            blocks.compliance.push(softness);
        }
        first += cone.dimension();
        blocks.offsets.push(first);
        blocks.cones.push(cone);
    }
    blocks
}
