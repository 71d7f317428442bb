//! Contacts in fours that share no body, so that the four can be visited at once, and fours in pairs, for machines that take eight.

/// Stands for no contact, in groups that could not be filled.
pub(crate) const NONE: u32 = u32::MAX;

/// Groups that are open at a time. Contacts come in an order in which neighbours in space are near each other; with as
/// many open groups as bits in a word a bed of spheres fills all but a few, and what is read stays near in memory.
const OPEN: usize = 64;

/// Some contacts in groups of four without a common body.
pub(crate) struct Fours {
    pub groups: Vec<[u32; 4]>,
    /// So many of them are in pairs: the first two, the next two and so on have no body in common either. Those that are not follow.
    pub paired: usize,
}

impl Fours {
    /// Groups of eight as far as they can be filled, and groups of four of what is left.
    pub fn of(bodies: usize, contacts: &[u32], sides: impl Fn(u32) -> [u32; 2]) -> Self {
        let mut held = vec![0u64; bodies];
        let (eights, left) = filled_groups::<8>(&mut held, contacts, &sides, Unfilled::Apart);
        let mut groups = Vec::with_capacity(2 * eights.len() + left.len() / 2);
        for eight in &eights {
            groups.extend_from_slice(eight.as_chunks::<4>().0);
        }
        let paired = groups.len();
        let (fours, _) = filled_groups::<4>(&mut held, &left, &sides, Unfilled::Among);
        groups.extend(fours);
        Self { groups, paired }
    }
}

/// What becomes of groups that cannot be filled.
#[derive(Clone, Copy, PartialEq)]
enum Unfilled {
    /// They are groups like the others.
    Among,
    /// Their contacts are handed back.
    Apart,
}

/// Groups of N contacts in the order in which they were filled, and contacts that are in none.
///
/// Each contact goes into the first open group that holds neither of its bodies. Each body keeps one bit for each
/// open group that holds it (8 bytes a body), so that the group is found without a search; none is left at the end.
fn filled_groups<const N: usize>(
    held: &mut [u64],
    contacts: &[u32],
    sides: &impl Fn(u32) -> [u32; 2],
    unfilled: Unfilled,
) -> (Vec<[u32; N]>, Vec<u32>) {
    let mut groups = Vec::with_capacity(contacts.len() / N + OPEN);
    let mut left = Vec::new();
    let mut open = [[NONE; N]; OPEN];
    let mut filled = [0usize; OPEN];
    let mut begun = 0u64;
    let mut close =
        |slot: usize, open: &mut [[u32; N]; OPEN], held: &mut [u64], filled: &mut [usize; OPEN]| {
            let group = std::mem::replace(&mut open[slot], [NONE; N]);
            let members = &group[..std::mem::take(&mut filled[slot])];
            for &contact in members {
                for body in sides(contact) {
                    if let Some(held) = held.get_mut(body as usize) {
                        *held &= !(1 << slot);
                    }
                }
            }
            if members.len() == N || unfilled == Unfilled::Among {
                groups.push(group);
            } else {
                left.extend_from_slice(members);
            }
        };
    for &contact in contacts {
        let pair = sides(contact);
        let of = |body: u32| held.get(body as usize).copied().unwrap_or(0);
        let free = !(of(pair[0]) | of(pair[1]));
        let slot = if free & begun != 0 {
            (free & begun).trailing_zeros() as usize
        } else if !begun != 0 {
            (!begun).trailing_zeros() as usize
        } else {
            // Both bodies between them are in every group: the fullest is given up as it is.
            let fullest = (0..OPEN).max_by_key(|&slot| (filled[slot], OPEN - slot));
            let slot = fullest.expect("at least one");
            close(slot, &mut open, held, &mut filled);
            slot
        };
        begun |= 1 << slot;
        open[slot][filled[slot]] = contact;
        filled[slot] += 1;
        for body in pair {
            if let Some(held) = held.get_mut(body as usize) {
                *held |= 1 << slot;
            }
        }
        if filled[slot] == N {
            close(slot, &mut open, held, &mut filled);
            begun &= !(1 << slot);
        }
    }
    for slot in 0..OPEN {
        if filled[slot] > 0 {
            close(slot, &mut open, held, &mut filled);
        }
    }
    (groups, left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::delassus::RigidContact;

    /// Checks that no body is there twice.
    fn share_no_body(contacts: &[u32], sides: impl Fn(u32) -> [u32; 2]) {
        let contacts = contacts.iter().filter(|c| **c != NONE);
        let mut bodies: Vec<u32> = contacts.flat_map(|&c| sides(c)).collect();
        bodies.retain(|body| *body != RigidContact::FIXED);
        let count = bodies.len();
        bodies.sort_unstable();
        bodies.dedup();
        assert_eq!(bodies.len(), count, "{bodies:?}");
    }

    #[test]
    fn groups_hold_every_contact_once_and_no_body_twice_and_so_do_pairs() {
        // A heavy body 0 that touches every fourth contact, and a fixed side here and there.
        let sides = |k: u32| match k % 4 {
            0 => [0, 1 + (k * 7) % 300],
            1 => [RigidContact::FIXED, 1 + (k * 5) % 300],
            _ => [1 + (k * 3) % 150, 151 + (k * 11) % 150],
        };
        let contacts: Vec<u32> = (0..2000).collect();
        let Fours { groups, paired } = Fours::of(301, &contacts, sides);
        let mut seen: Vec<u32> = groups.as_flattened().to_vec();
        seen.retain(|contact| *contact != NONE);
        seen.sort_unstable();
        assert_eq!(seen, contacts);
        groups.iter().for_each(|group| share_no_body(group, sides));
        let (pairs, alone) = groups[..paired].as_chunks::<2>();
        assert!(alone.is_empty() && pairs.len() > 40, "{paired} in pairs");
        (pairs.iter()).for_each(|pair| share_no_body(pair.as_flattened(), sides));
        assert!(groups.len() < 600, "{} groups", groups.len());
    }
}
