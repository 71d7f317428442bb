//! The list of all studies, made of their pages.

use crate::report::{COMPARED, HOLDS, TAKES, VERDICTS};
use crate::study::Study;
use std::fmt::Write;

/// What stands above the list of all studies.
pub const INDEX_OPENING: &str = "\
# Studies

Experiments of published papers, run again with one command each: `moreau study NAME`. Every page sets the published numbers beside
ours, says which of the paper's claims hold here, and what differs and why. The pages are written by the program itself
(`moreau study all --output docs/studies`). Each study has three scales: `small`, shown here, has the physics of the paper and takes about two
minutes or less on two cores; `paper` has the published size; `tiny` takes seconds and is what the tests run. Times are CPU seconds, summed
over threads, on a shared machine with two cores; those of `paper` are measured, or estimated from `small` by grains times steps where it says so.

";

/// The list of all studies, from the pages that there are: an overview, and then each with its picture and numbers.
pub fn index(pages: &[(&Study, String)]) -> String {
    let mut text = String::from(INDEX_OPENING);
    let (mut held, mut made) = (0, 0);
    text.push_str("| study | from | claims that hold |\n| --- | --- | ---: |\n");
    for (study, page) in pages {
        let (holds, claims) = counts(page);
        (held, made) = (held + holds, made + claims);
        let _ = writeln!(
            text,
            "| [{}]({}.md) | {} | {holds} of {claims} |",
            study.title, study.name, study.source
        );
    }
    let _ = writeln!(text, "| all | | {held} of {made} |\n");
    for (study, page) in pages {
        text.push_str(&index_entry(study, page));
    }
    text
}

/// How many claims of a page hold, and how many it makes.
fn counts(page: &str) -> (usize, usize) {
    let verdicts = || {
        let lines = page.lines().skip_while(|line| *line != VERDICTS);
        lines.filter(|line| line.starts_with("- "))
    };
    let held = verdicts().filter(|line| line.contains(HOLDS));
    (held.count(), verdicts().count())
}

/// A study in the list of all, from its page: title, first picture, verdict, its main numbers.
pub fn index_entry(study: &Study, page: &str) -> String {
    let line = |start: &str| page.lines().find(|line| line.starts_with(start));
    let (held, made) = counts(page);
    format!(
        "## [{}]({}.md)\n\n{}: {}.\n\n{}\n\n{} ({held} of {made} claims hold)\n\n{}{TAKES}{}.\n\n",
        study.title,
        study.name,
        study.source,
        study.shows,
        line("![").unwrap_or_default(),
        line("**").unwrap_or_default(),
        main_numbers(study, page),
        study.takes
    )
}

/// The highlights of a study as a table, from its page; nothing where the page has none of them.
fn main_numbers(study: &Study, page: &str) -> String {
    let shown = |line: &&str| {
        let cells = line.strip_prefix("| ");
        cells.is_some_and(|cells| {
            study
                .highlights
                .iter()
                .any(|start| cells.starts_with(start))
        })
    };
    let rows: Vec<_> = page
        .lines()
        .filter(|line| line.matches(" | ").count() == COMPARED.len() - 1)
        .filter(shown)
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    format!(
        "| {} |\n| --- | --- | ---: | ---: | ---: |\n{}\n\n",
        COMPARED.join(" | "),
        rows.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Comparison, Outcome};
    use crate::report::page;
    use crate::study::Scale;

    #[test]
    fn the_list_says_how_many_claims_hold() {
        let mut outcome = Outcome {
            summary: "It rolls.".into(),
            ..Outcome::default()
        };
        outcome.claim("The sky is blue", true, "450 nm");
        outcome.claim("The sky is green", false, "450 nm");
        let mut comparison = Comparison::new("Fig. 2");
        comparison.row("time, Coulomb's law", "s", 0.291, 0.582);
        comparison.row("colour of the ball", "", "red", "blue");
        outcome.comparisons.push(comparison);
        let study = crate::ALL[0];
        let entry = index_entry(study, &page(study, Scale::Tiny, &outcome));
        assert!(
            entry.contains("**It rolls.** (1 of 2 claims hold)"),
            "{entry}"
        );
        assert!(
            entry.contains("| time, Coulomb's law | s | 0.2910 | 0.5820 | 2 |"),
            "{entry}"
        );
        assert!(!entry.contains("colour of the ball"), "{entry}");
    }

    #[test]
    fn the_list_begins_with_an_overview() {
        let mut outcome = Outcome::default();
        outcome.claim("The sky is blue", true, "450 nm");
        outcome.claim("The sky is green", false, "450 nm");
        let pages: Vec<_> = crate::ALL[..2]
            .iter()
            .map(|study| (*study, page(study, Scale::Tiny, &outcome)))
            .collect();
        let list = index(&pages);
        assert!(list.contains("| all | | 2 of 4 |"), "{list}");
        let row = format!(
            "| [{0}]({1}.md) | {2} | 1 of 2 |",
            pages[0].0.title, pages[0].0.name, pages[0].0.source
        );
        assert!(list.contains(&row), "{list}");
        assert!(list.ends_with(&index_entry(pages[1].0, &pages[1].1)));
    }
}
