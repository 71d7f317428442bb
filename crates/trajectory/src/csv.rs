//! A table that grows by a row at a time; its first column is the time.

use crate::TrajectoryError;
use moreau_files::Fault;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Appends rows of numbers to a table. Call [`CsvWriter::flush`] after the rows of a frame.
///
/// ```
/// # fn main() -> Result<(), moreau_trajectory::TrajectoryError> {
/// use moreau_trajectory::CsvWriter;
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("force.csv");
/// let mut table = CsvWriter::create(&path, &["time", "force"])?;
/// table.row(&[0.5, 9.81])?;
/// table.flush()?;
/// assert_eq!(std::fs::read_to_string(&path).unwrap(), "time,force\n0.5,9.81\n");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct CsvWriter {
    file: BufWriter<File>,
    path: PathBuf,
    columns: usize,
}

impl CsvWriter {
    /// Begins a table; one that is there already is replaced. The first column is the time.
    ///
    /// # Errors
    /// When the file cannot be written, or a name holds a comma, a quote or a line break.
    pub fn create(path: impl AsRef<Path>, columns: &[&str]) -> Result<Self, TrajectoryError> {
        let path = path.as_ref();
        let head = head(path, columns)?;
        moreau_files::write(path, head.as_bytes())
            .map_err(|error| TrajectoryError::system(path, "write", error))?;
        Self::append_to(path, columns.len(), head.len() as u64)
    }

    /// Continues a table after `time`: later rows are cut off, and so is a last row without an end.
    ///
    /// # Errors
    /// When the file cannot be read or written, has other columns, or a row does not begin with a number.
    pub fn resume(
        path: impl AsRef<Path>,
        columns: &[&str],
        time: f64,
    ) -> Result<Self, TrajectoryError> {
        let path = path.as_ref();
        let expected = head(path, columns)?;
        let end = end_of_rows(path, &expected, time)?;
        Self::append_to(path, columns.len(), end)
    }

    fn append_to(path: &Path, columns: usize, end: u64) -> Result<Self, TrajectoryError> {
        let failed = |error| TrajectoryError::system(path, "write", error);
        let mut file = OpenOptions::new().write(true).open(path).map_err(failed)?;
        file.set_len(end).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok(Self {
            file: BufWriter::new(file),
            path: path.to_path_buf(),
            columns,
        })
    }

    /// Appends a row; the first number is the time.
    ///
    /// # Errors
    /// When the row has another length than the head, or the file cannot be written.
    pub fn row(&mut self, numbers: &[f64]) -> Result<(), TrajectoryError> {
        if numbers.len() != self.columns {
            let fault = Fault::of_whole(
                format!("a row of {} numbers", numbers.len()),
                format!("{}, one for each column", self.columns),
            );
            return Err(TrajectoryError::content(&self.path, fault));
        }
        let texts: Vec<String> = numbers.iter().map(|number| text_of(*number)).collect();
        writeln!(self.file, "{}", texts.join(","))
            .map_err(|error| TrajectoryError::system(&self.path, "write", error))
    }

    /// Hands all rows to the operating system, so that other programs see them.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn flush(&mut self) -> Result<(), TrajectoryError> {
        self.file
            .flush()
            .map_err(|error| TrajectoryError::system(&self.path, "write", error))
    }
}

/// The shortest text that is read as the same number; whole numbers without a fraction.
fn text_of(number: f64) -> String {
    let mut text = format!("{number:?}");
    if text.ends_with(".0") {
        text.truncate(text.len() - 2);
    }
    text
}

/// Reads a table that a [`CsvWriter`] wrote, row by row.
///
/// ```
/// # fn main() -> Result<(), moreau_trajectory::TrajectoryError> {
/// use moreau_trajectory::{CsvWriter, read_csv};
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("force.csv");
/// let mut table = CsvWriter::create(&path, &["time", "force"])?;
/// table.row(&[0.5, 9.81])?;
/// table.flush()?;
/// let mut rows = Vec::new();
/// read_csv(&path, &["time", "force"], |row| rows.push(*row))?;
/// assert_eq!(rows, [[0.5, 9.81]]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// When the file cannot be read, has other columns, or a row is not a number for each of them.
pub fn read_csv<const COLUMNS: usize>(
    path: impl AsRef<Path>,
    columns: &[&str; COLUMNS],
    mut each: impl FnMut(&[f64; COLUMNS]),
) -> Result<(), TrajectoryError> {
    let path = path.as_ref();
    let failed = |error| TrajectoryError::system(path, "read", error);
    let mut file = BufReader::new(File::open(path).map_err(failed)?);
    check_head(&mut file, path, &head(path, columns)?)?;
    for (number, line) in (2..).zip(file.lines()) {
        let line = line.map_err(failed)?;
        let numbers: Option<Vec<f64>> = line.split(',').map(|text| text.parse().ok()).collect();
        match numbers.and_then(|numbers| <[f64; COLUMNS]>::try_from(numbers).ok()) {
            Some(row) => each(&row),
            None => {
                let fault = Fault::of_whole(
                    format!("line {number} is '{line}'"),
                    format!("{COLUMNS} numbers, one for each column"),
                );
                return Err(TrajectoryError::content(path, fault));
            }
        }
    }
    Ok(())
}

fn head(path: &Path, columns: &[&str]) -> Result<String, TrajectoryError> {
    let odd = columns
        .iter()
        .find(|name| name.contains([',', '"', '\n', '\r']));
    let fault = match odd {
        Some(name) => Fault::of_whole(
            format!("a column named {name:?}"),
            "no comma, quote or line break",
        ),
        None if columns.is_empty() => Fault::of_whole("no columns", "the time at least"),
        None => return Ok(columns.join(",") + "\n"),
    };
    Err(TrajectoryError::content(path, fault))
}

/// Reads the first line, which must be the expected one.
fn check_head(
    file: &mut BufReader<File>,
    path: &Path,
    expected: &str,
) -> Result<(), TrajectoryError> {
    let mut line = Vec::new();
    file.read_until(b'\n', &mut line)
        .map_err(|error| TrajectoryError::system(path, "read", error))?;
    if line == expected.as_bytes() {
        return Ok(());
    }
    let fault = Fault::of_whole(
        format!(
            "a table that begins with '{}'",
            String::from_utf8_lossy(&line).trim_end()
        ),
        format!("'{}'", expected.trim_end()),
    );
    Err(TrajectoryError::content(path, fault))
}

/// The byte after the last complete row that is not later than `time`.
fn end_of_rows(path: &Path, expected: &str, time: f64) -> Result<u64, TrajectoryError> {
    let failed = |error| TrajectoryError::system(path, "read", error);
    let mut file = BufReader::new(File::open(path).map_err(failed)?);
    check_head(&mut file, path, expected)?;
    let mut line = Vec::new();
    let mut end = expected.len() as u64;
    for number in 2.. {
        line.clear();
        file.read_until(b'\n', &mut line).map_err(failed)?;
        if !line.ends_with(b"\n") {
            break;
        }
        let first = line.split(|byte| *byte == b',').next().unwrap_or_default();
        let first = String::from_utf8_lossy(first);
        let Ok(row_time) = first.trim().parse::<f64>() else {
            let fault = Fault::of_whole(
                format!("line {number} begins with '{}'", first.trim()),
                "a time",
            );
            return Err(TrajectoryError::content(path, fault));
        };
        if !(row_time <= time) {
            break;
        }
        end += line.len() as u64;
    }
    Ok(end)
}
