//! An outcome as Markdown and CSV: the pages of the studies are written by the program, not by hand.

use crate::outcome::{Comparison, Data, Entry, Outcome, Table, Verdict};
use crate::study::{Scale, Study};
use std::fmt::Write;

pub use crate::list::{INDEX_OPENING, index, index_entry};

/// The folder of pictures, relative to the pages.
pub const IMAGES: &str = "images";

/// Before the times of a study.
pub(crate) const TAKES: &str = "CPU time: ";
/// More pictures than these stand side by side.
const MOST_ALONE: usize = 6;
/// The heading above the claims of a page.
pub(crate) const VERDICTS: &str = "## Verdicts";
/// The heads of a table with published numbers beside ours.
pub(crate) const COMPARED: [&str; 5] = ["quantity", "unit", "paper", "ours", "ours / paper"];
/// Between a claim that holds and its figure.
pub(crate) const HOLDS: &str = ": holds. ";

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
    let pictures = outcome.pictures.iter().map(|p| (&p.name, &p.caption));
    let figures = outcome.figures.iter().map(|f| (&f.name, &f.caption));
    text.push_str(&images(study, pictures));
    text.push_str(&images(study, figures));
    let _ = write!(text, "{}\n\n## Numbers\n", study.discussion.trim());
    text.push_str(&numbers(outcome));
    let _ = write!(text, "\n{VERDICTS}\n\n{}", verdicts(&outcome.verdicts));
    text
}

/// Pictures with their captions, one below the other; of many the first alone, and then two side by side.
fn images<'a>(study: &Study, list: impl Iterator<Item = (&'a String, &'a String)>) -> String {
    let one = |(name, caption): (&String, &String)| {
        let file = file_name(study, name);
        (
            format!("![{caption}]({IMAGES}/{file}.png)"),
            format!("*{caption}*"),
        )
    };
    let all: Vec<_> = list.map(one).collect();
    let alone = if all.len() > MOST_ALONE { 1 } else { all.len() };
    let mut text = String::new();
    for (image, caption) in &all[..alone] {
        let _ = writeln!(text, "{image}\n\n{caption}\n");
    }
    if alone < all.len() {
        text.push_str("| | |\n| --- | --- |\n");
        for pair in all[alone..].chunks(2) {
            let cells: Vec<_> = pair
                .iter()
                .map(|(image, caption)| format!("{image} {caption}"))
                .collect();
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
        text.push('\n');
    }
    text
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

/// Every number beside the paper's as comma-separated values; words stand in quotes.
pub fn numbers_csv(outcome: &Outcome) -> String {
    let quoted = |words: &str| format!("\"{}\"", words.replace('"', "\"\""));
    let cell = |entry: &Entry| match entry {
        Entry::Nothing => String::new(),
        Entry::Words(words) => quoted(words),
        Entry::Number(value) => format!("{value:e}"),
    };
    let mut text = format!("table,{}\n", COMPARED.join(","));
    for comparison in &outcome.comparisons {
        for row in &comparison.rows {
            let _ = writeln!(
                text,
                "{},{},{},{},{},{}",
                quoted(&comparison.title),
                quoted(&row.quantity),
                quoted(row.unit),
                cell(&row.paper),
                cell(&row.ours),
                cell(&row.ratio().into())
            );
        }
    }
    text
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
    fn many_pictures_stand_side_by_side() {
        let study = crate::ALL[0];
        let names: Vec<_> = (0..8)
            .map(|k| (format!("p{k}"), format!("caption {k}")))
            .collect();
        let some = |count: usize| images(study, names[..count].iter().map(|(a, b)| (a, b)));
        let beginnings = |text: &str| text.lines().filter(|line| line.starts_with("![")).count();
        assert_eq!(beginnings(&some(MOST_ALONE)), MOST_ALONE);
        let many = some(8);
        assert_eq!(beginnings(&many), 1);
        assert_eq!(many.matches("![").count(), 8);
        assert_eq!(many.matches("\n| ![").count(), 4, "{many}");
        assert!(some(0).is_empty());
    }

    #[test]
    fn numbers_beside_the_papers_can_be_read_by_programs() {
        let mut comparison = Comparison::new("Table II, slab");
        comparison.row("time of \"GS\"", "s", 500.0, 250.0);
        comparison.row("iterations", "", "not in 10", Entry::Nothing);
        let outcome = Outcome {
            comparisons: vec![comparison],
            ..Outcome::default()
        };
        let text = numbers_csv(&outcome);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "table,quantity,unit,paper,ours,ours / paper");
        assert_eq!(
            lines[1],
            "\"Table II, slab\",\"time of \"\"GS\"\"\",\"s\",5e2,2.5e2,5e-1"
        );
        assert_eq!(
            lines[2],
            "\"Table II, slab\",\"iterations\",\"\",\"not in 10\",,"
        );
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
