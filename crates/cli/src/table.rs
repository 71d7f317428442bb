//! Tables for people.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use moreau_contact_solvers::report::SolveReport;
use moreau_contact_solvers::residual::Measure;

/// A table with these column heads; the columns in `left` are aligned left, the others right.
pub fn table(heads: &[&str], left: &[usize]) -> Table {
    let rule = LineStyle::none().fill('─').junction('─');
    let mut table = Table::new();
    table
        .load_style(TableStyle::new().header_separator(rule))
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(heads.to_vec());
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_cell_alignment(if left.contains(&index) {
            CellAlignment::Left
        } else {
            CellAlignment::Right
        });
    }
    table
}

/// A table as text with a final newline and without trailing blanks.
pub fn text(table: &Table) -> String {
    let mut text = String::new();
    for line in table.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// An error in three digits; a dash where there is none.
pub fn error(value: f64) -> String {
    if value.is_nan() {
        "-".to_string()
    } else {
        format!("{value:.2e}")
    }
}

/// Seconds in three digits.
pub fn seconds(value: f64) -> String {
    match value {
        v if v < 1e-3 => format!("{:.0} µs", v * 1e6),
        v if v < 1.0 => format!("{:.1} ms", v * 1e3),
        v => format!("{v:.2} s"),
    }
}

/// What a measure means, in a line.
pub fn meaning(measure: Measure) -> &'static str {
    match measure {
        Measure::Natural => "distance from the law over the size of the data (FCLIB, Siconos)",
        Measure::Energy => "the same in units of energy: free of mass and length scales",
        Measure::Mazhar => "projected gradient over the number of rows (Mazhar 2015)",
        Measure::Tasora => "projected gradient, absolute (Tasora 2013)",
        Measure::Silcowitz => {
            "what one more Gauss-Seidel sweep would change, squared (Silcowitz 2010)"
        }
        Measure::Koziara => "energy of the violation over the kinetic energy (Koziara 2017)",
        Measure::De => "largest of the three residuals below (De 2019)",
        Measure::Gap => "duality gap over the objective's terms; relaxed law only",
        Measure::Max => "the worst single contact over the largest contact",
    }
}

/// Every measure of an answer with its meaning.
pub fn errors(report: &SolveReport) -> String {
    let mut table = table(&["measure", "value", "meaning"], &[0, 2]);
    for measure in Measure::ALL {
        let value = report.errors.get(measure);
        table.add_row([
            measure.name().to_string(),
            error(value),
            meaning(measure).to_string(),
        ]);
        if measure == Measure::De {
            let de = &report.errors.de;
            for (name, value, meaning) in [
                ("  primal", de.primal, "impulses outside their cones"),
                ("  dual", de.dual, "velocities outside the dual cones"),
                (
                    "  complementarity",
                    de.complementarity,
                    "|impulse · velocity| per contact",
                ),
            ] {
                table.add_row([name.to_string(), error(value), meaning.to_string()]);
            }
        }
    }
    text(&table)
}
