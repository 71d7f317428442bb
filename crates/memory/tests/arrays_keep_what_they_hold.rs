//! The allocator against what any allocator must do: no array sees another, a longer one holds what it held, cleared ones are clear.

#![expect(unsafe_code, reason = "the trait of allocators is unsafe")]

use moreau_memory::KeptPages;
use proptest::prelude::*;
use std::alloc::{GlobalAlloc, Layout};

const UNIT: usize = 64 << 10;
/// Arrays from this size on are mappings of their own.
const LARGE: usize = 1 << 17;

/// An array that is filled with its own number.
struct Array {
    start: *mut u8,
    layout: Layout,
    number: u8,
}

impl Array {
    fn bytes(&self) -> &[u8] {
        // SAFETY: the allocator gave so many bytes, and `fill` has written them.
        unsafe { std::slice::from_raw_parts(self.start, self.layout.size()) }
    }

    fn fill(&mut self) {
        // SAFETY: as above.
        unsafe { self.start.write_bytes(self.number, self.layout.size()) };
    }

    fn holds_its_number(&self, bytes: usize) -> bool {
        self.bytes()[..bytes].iter().all(|b| *b == self.number)
    }
}

#[derive(Clone, Debug)]
enum Call {
    Alloc(usize),
    Zeroed(usize),
    Realloc(usize, usize),
    Free(usize),
}

fn calls() -> impl Strategy<Value = Vec<Call>> {
    // Around the size from which arrays are large, up to three times that, and much larger.
    let size = prop_oneof![1usize..400_000, 120_000usize..140_000, 1usize..3_000_000];
    let call = prop_oneof![
        size.clone().prop_map(Call::Alloc),
        size.clone().prop_map(Call::Zeroed),
        (any::<usize>(), size).prop_map(|(k, size)| Call::Realloc(k, size)),
        any::<usize>().prop_map(Call::Free),
    ];
    prop::collection::vec(call, 1..30)
}

fn layout(size: usize) -> Layout {
    Layout::from_size_align(size, 32).expect("a layout")
}

/// Carries out the calls, checks every array after each, and frees them all.
fn carry_out(memory: &KeptPages, calls: &[Call]) -> Result<(), TestCaseError> {
    let mut arrays: Vec<Array> = Vec::new();
    let mut most_used = 0;
    for (number, call) in calls.iter().enumerate() {
        let number = number as u8 + 1;
        match *call {
            Call::Alloc(size) | Call::Zeroed(size) => {
                let layout = layout(size);
                let zeroed = matches!(call, Call::Zeroed(_));
                // SAFETY: the size is not zero.
                let start = unsafe {
                    match zeroed {
                        true => memory.alloc_zeroed(layout),
                        false => memory.alloc(layout),
                    }
                };
                prop_assert!(!start.is_null());
                prop_assert_eq!(start.align_offset(32), 0);
                let mut array = Array {
                    start,
                    layout,
                    number: 0,
                };
                prop_assert!(!zeroed || array.holds_its_number(size), "not clear");
                array.number = number;
                array.fill();
                arrays.push(array);
            }
            Call::Realloc(which, size) if !arrays.is_empty() => {
                let which = which % arrays.len();
                let array = &mut arrays[which];
                let kept = size.min(array.layout.size());
                // SAFETY: the array was allocated with this layout.
                array.start = unsafe { memory.realloc(array.start, array.layout, size) };
                prop_assert!(!array.start.is_null());
                array.layout = layout(size);
                prop_assert!(array.holds_its_number(kept), "lost what it held");
                array.fill();
            }
            Call::Free(which) if !arrays.is_empty() => {
                let array = arrays.swap_remove(which % arrays.len());
                // SAFETY: as above, and nobody uses it again.
                unsafe { memory.dealloc(array.start, array.layout) };
            }
            _ => {}
        }
        for array in &arrays {
            prop_assert!(
                array.holds_its_number(array.layout.size()),
                "another array wrote here"
            );
        }
        let (used, kept) = memory.bytes();
        most_used = most_used.max(used);
        prop_assert!(used + kept <= most_used, "{used} + {kept} of {most_used}");
        let large = arrays
            .iter()
            .map(|a| a.layout.size())
            .filter(|s| *s >= LARGE);
        prop_assert_eq!(used, large.map(|s| s.next_multiple_of(UNIT)).sum::<usize>());
    }
    for array in arrays {
        // SAFETY: as above.
        unsafe { memory.dealloc(array.start, array.layout) };
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn arrays_keep_what_they_hold_and_no_more_is_kept_than_was_in_use(calls in calls()) {
        carry_out(&KeptPages::new(), &calls)?;
    }

    /// Four threads at once, each with arrays of its own: the count of bytes in use is then nobody's own, and is left out.
    #[test]
    fn threads_do_not_see_each_others_arrays(numbers in prop::collection::vec(100_000usize..3_000_000, 4..12)) {
        let memory = KeptPages::new();
        std::thread::scope(|scope| {
            for thread in 0..4u8 {
                let (memory, numbers) = (&memory, &numbers);
                scope.spawn(move || {
                    for &size in numbers {
                        let layout = layout(size + 1000 * thread as usize);
                        // SAFETY: the size is not zero; the array is freed with its own layout.
                        unsafe {
                            let start = memory.alloc(layout);
                            let mut array = Array { start, layout, number: thread + 1 };
                            array.fill();
                            assert!(array.holds_its_number(layout.size()));
                            memory.dealloc(start, layout);
                        }
                    }
                });
            }
        });
    }
}

#[test]
fn the_pages_of_an_array_serve_the_next_of_about_its_size() {
    let memory = KeptPages::new();
    let of = |size: usize| -> *mut u8 {
        // SAFETY: the size is not zero.
        unsafe { memory.alloc(layout(size)) }
    };
    let first = of(8_000_000);
    // SAFETY: allocated above with this layout.
    unsafe { memory.dealloc(first, layout(8_000_000)) };
    assert_eq!(memory.bytes().0, 0);
    let second = of(7_000_000);
    assert_eq!(
        second, first,
        "the smaller array starts where the first did"
    );
    // SAFETY: as above.
    unsafe { memory.dealloc(second, layout(7_000_000)) };
    let third = of(8_500_000);
    let (used, kept) = memory.bytes();
    assert_eq!(used, 8_500_000usize.next_multiple_of(UNIT));
    assert_eq!(
        kept, 0,
        "the larger one has the pages of the second and fresh ones"
    );
    // SAFETY: as above.
    unsafe { memory.dealloc(third, layout(8_500_000)) };
}

#[test]
fn many_small_arrays_do_not_crowd_out_a_large_one() {
    let memory = KeptPages::new();
    let (small, large) = (layout(200_000), layout(8_000_000));
    // SAFETY: the sizes are not zero; each array is freed once, with its own layout.
    unsafe {
        let many: Vec<*mut u8> = (0..300).map(|_| memory.alloc(small)).collect();
        let one = memory.alloc(large);
        many.into_iter()
            .for_each(|start| memory.dealloc(start, small));
        memory.dealloc(one, large);
    }
    let (used, kept) = memory.bytes();
    assert_eq!(used, 0);
    assert!(kept >= 8_000_000, "{kept}");
}

#[test]
fn what_no_machine_has_is_refused() {
    let memory = KeptPages::new();
    let layout = Layout::from_size_align(isize::MAX as usize - 4096, 8).expect("a layout");
    // SAFETY: the size is not zero.
    assert!(unsafe { memory.alloc(layout) }.is_null());
    assert_eq!(memory.bytes(), (0, 0));
}
