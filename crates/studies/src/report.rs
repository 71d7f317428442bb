//! An outcome as Markdown and CSV: the pages of the studies are written by the program, not by hand.

use crate::outcome::{Comparison, Data, Entry, Outcome, Table, Verdict};
use crate::study::{Scale, Study};
use std::fmt::Write;

/// The folder of pictures, relative to the pages.
pub const IMAGES: &str = "images";

/// What stands above the list of all studies.
pub const INDEX_OPENING: &str = "\
# Studies

Experiments of published papers, run again with one command each: `moreau study NAME`. Every page sets the published numbers beside
ours, says which of the paper's claims hold here, and what differs and why. The pages are written by the program itself
(`moreau study all --output docs/studies`). Each study has three scales: `small`, shown here, has the physics of the paper and takes two
minutes or less on two cores; `paper` has the published size; `tiny` takes seconds and is what the tests run. Times are CPU seconds, summed
over threads, on a shared machine with two cores; those of `paper` are measured, or estimated from `small` by grains times steps where it says so.

";

/// Before the times of a study.
const TAKES: &str = "CPU time: ";
/// The heading above the claims of a page.
const VERDICTS: &str = "## Verdicts";
/// The heads of a table with published numbers beside ours.
const COMPARED: [&str; 5] = ["quantity", "unit", "paper", "ours", "ours / paper"];
/// Between a claim that holds and its figure.
const HOLDS: &str = ": holds. ";

/// The name of a file of a study: `name-part`.
pub fn file_name(study: &Study, part: &str) -> String {
    format!("{}-{part}", study.name)
}

/// The page of a study. Pictures are looked for in the folder [`IMAGES`] beside it.
pub fn page(study: &Study, scale: Scale, outcome: &Outcome) -> String {
    let mut text = format!(
        "# {}\n\n{}. Run it again: `moreau study {} --scale {scale}`. {TAKES}{}.\n\n**{}**\n\n",
        study.title, study.source, study.name, study.takes, outcome.summary
    );
    for (name, caption) in images(outcome) {
        let file = file_name(study, name);
        let _ = writeln!(text, "![{caption}]({IMAGES}/{file}.png)\n\n*{caption}*\n");
    }
    let _ = write!(text, "{}\n\n## Numbers\n", study.discussion.trim());
    text.push_str(&numbers(outcome));
    let _ = write!(text, "\n{VERDICTS}\n\n{}", verdicts(&outcome.verdicts));
    text
}

/// A study in the list of all, from its page: title, first picture, verdict, its main numbers.
pub fn index_entry(study: &Study, page: &str) -> String {
    let line = |start: &str| page.lines().find(|line| line.starts_with(start));
    let verdicts = || {
        let lines = page.lines().skip_while(|line| *line != VERDICTS);
        lines.filter(|line| line.starts_with("- "))
    };
    let held = verdicts().filter(|line| line.contains(HOLDS)).count();
    format!(
        "## [{}]({}.md)\n\n{}: {}.\n\n{}\n\n{} ({held} of {} claims hold)\n\n{}{TAKES}{}.\n\n",
        study.title,
        study.name,
        study.source,
        study.shows,
        line("![").unwrap_or_default(),
        line("**").unwrap_or_default(),
        verdicts().count(),
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

/// Names and captions of all pictures, scenes first.
fn images(outcome: &Outcome) -> impl Iterator<Item = (&str, &str)> {
    let pictures = outcome
        .pictures
        .iter()
        .map(|picture| (picture.name.as_str(), picture.caption.as_str()));
    let figures = outcome
        .figures
        .iter()
        .map(|figure| (figure.name.as_str(), figure.caption.as_str()));
    pictures.chain(figures)
}

/// Every table of an outcome.
pub fn numbers(outcome: &Outcome) -> String {
    let mut text = String::new();
    for comparison in &outcome.comparisons {
        text.push_str(&markdown(&comparison_table(comparison)));
    }
    for table in &outcome.tables {
        text.push_str(&markdown(table));
    }
    text
}

/// A comparison as a table: quantity, unit, paper, ours, ratio.
pub fn comparison_table(comparison: &Comparison) -> Table {
    let mut table = Table::new(&comparison.title, &COMPARED);
    for row in &comparison.rows {
        table.row([
            row.quantity.as_str().into(),
            row.unit.into(),
            row.paper.clone(),
            row.ours.clone(),
            row.ratio().into(),
        ]);
    }
    table
}

fn markdown(table: &Table) -> String {
    let mut text = format!("\n### {}\n\n| {} |\n", table.title, table.heads.join(" | "));
    let rules: Vec<_> = (0..table.heads.len())
        .map(|column| match is_numeric(table, column) {
            true => "---:",
            false => "---",
        })
        .collect();
    let _ = writeln!(text, "| {} |", rules.join(" | "));
    for row in &table.rows {
        // A bar would begin another cell.
        let cells: Vec<_> = row
            .iter()
            .map(|cell| entry(cell).replace('|', "\\|"))
            .collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text
}

/// Whether a column holds numbers and is set to the right.
pub fn is_numeric(table: &Table, column: usize) -> bool {
    table
        .rows
        .iter()
        .any(|row| matches!(row.get(column), Some(Entry::Number(_))))
}

/// The claims, and whether they hold.
pub fn verdicts(verdicts: &[Verdict]) -> String {
    let mut text = String::new();
    for verdict in verdicts {
        let holds = if verdict.holds {
            HOLDS
        } else {
            ": **does not hold**. "
        };
        let _ = writeln!(text, "- {}{holds}{}", verdict.claim, verdict.figure);
    }
    text
}

/// An entry as text: a dash for nothing.
pub fn entry(entry: &Entry) -> String {
    match entry {
        Entry::Nothing => "–".into(),
        Entry::Words(words) => words.clone(),
        Entry::Number(value) => number(*value),
    }
}

/// A number in up to four digits; whole numbers in full.
pub fn number(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        return "–".into();
    }
    if value == value.trunc() && size < 1e7 {
        return format!("{value:.0}");
    }
    if !(1e-3..1e5).contains(&size) {
        return format!("{value:.2e}");
    }
    let digits = (3 - size.log10().floor() as i32).max(0) as usize;
    format!("{value:.digits$}")
}

/// Numbers in columns as comma-separated values.
pub fn csv(data: &Data) -> String {
    let heads: Vec<_> = data
        .heads
        .iter()
        .map(|head| head.replace(',', ";"))
        .collect();
    let mut text = heads.join(",") + "\n";
    for row in &data.rows {
        let cells: Vec<_> = row.iter().map(|value| format!("{value:e}")).collect();
        let _ = writeln!(text, "{}", cells.join(","));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_four_digits() {
        for (value, text) in [
            (0.0, "0"),
            (202.0, "202"),
            (-117.7, "-117.7"),
            (0.29126, "0.2913"),
            (1.1e-6, "1.10e-6"),
            (123456.7, "1.23e5"),
            (1_000_000.0, "1000000"),
            (9.99996, "10.000"),
            (f64::NAN, "–"),
        ] {
            assert_eq!(number(value), text);
        }
    }

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
    fn tables_have_as_many_cells_as_heads() {
        let mut comparison = Comparison::new("Table II");
        comparison.row("iterations", "", 11485.0, 5742.5);
        comparison.row("iterations of Jacobi", "", "not in 500 000", Entry::Nothing);
        let text = markdown(&comparison_table(&comparison));
        let lines: Vec<_> = text.lines().filter(|line| line.starts_with('|')).collect();
        assert_eq!(lines.len(), 4);
        assert!(
            lines.iter().all(|line| line.matches('|').count() == 6),
            "{text}"
        );
        assert!(lines[2].contains("| 0.5000 |"), "{text}");
    }

    #[test]
    fn a_bar_in_a_cell_does_not_begin_another() {
        let mut table = Table::new("Law", &["quantity"]);
        table.row(["gap over h μ |v_T|".into()]);
        assert!(markdown(&table).contains("| gap over h μ \\|v_T\\| |"));
    }
}
