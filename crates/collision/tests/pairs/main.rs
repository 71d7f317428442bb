//! Contacts of convex pairs against outside truths.

mod common;
mod contacts_are_the_same_for_any_number_of_threads;
mod contacts_do_not_depend_on_order_place_or_scale;
mod flat_contacts_have_their_corners;
mod gap_is_the_largest_separation;
mod no_pair_gives_nonsense;
mod rounding_adds_no_points;
mod separate_pairs_agree_with_parry;
