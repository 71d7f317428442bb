//! Matrices in Siconos `.dat` files: dense, sparse by blocks, sparse.
//!
//! Every size is compared with the text that is left before memory is taken for it. Rows and
//! columns too: a vector of each length follows the matrices in the file.

use crate::problem_file::check_size;
use crate::text::Cursor;
use moreau_algebra::sparse::SparseMatrix;
use moreau_files::Fault;

type Entries = Vec<(usize, usize, f64)>;

/// Reads the matrix that starts at the cursor; `name` is for messages.
pub(crate) fn parse(cursor: &mut Cursor, name: &str) -> Result<SparseMatrix, Fault> {
    let storage = cursor.integer(&format!("storage of {name}"))?;
    let place = cursor.place();
    let rows = cursor.count(&format!("rows of {name}"))?;
    let columns = cursor.count(&format!("columns of {name}"))?;
    let entries = match storage {
        0 => dense(cursor, name, rows, columns)?,
        1 => blocks(cursor, name, rows, columns)?,
        2 => sparse(cursor, name, rows, columns)?,
        other => {
            return Err(Fault::new(
                place,
                format!("storage {other} of matrix {name}"),
                "0 (dense), 1 (sparse block) or 2 (sparse)",
            ));
        }
    };
    Ok(SparseMatrix::from_triplets(rows, columns, &entries))
}

/// The sizes again, then the values by columns.
fn dense(cursor: &mut Cursor, name: &str, rows: usize, columns: usize) -> Result<Entries, Fault> {
    let again = (
        cursor.integer(&format!("rows of {name}"))?,
        cursor.integer(&format!("columns of {name}"))?,
    );
    check_size(
        &format!("{}, {name}", cursor.place()),
        again,
        (rows, columns),
    )?;
    cursor.check_room(rows.saturating_mul(columns), name)?;
    let mut entries = Entries::new();
    for column in 0..columns {
        for row in 0..rows {
            let value = cursor.real(name)?;
            if value != 0.0 {
                entries.push((row, column, value));
            }
        }
    }
    Ok(entries)
}

/// Blocks by compressed block rows; the values of each block by columns.
fn blocks(cursor: &mut Cursor, name: &str, rows: usize, columns: usize) -> Result<Entries, Fault> {
    let count = cursor.count(&format!("blocks of {name}"))?;
    let block_rows = cursor.count(&format!("block rows of {name}"))?;
    let block_columns = cursor.count(&format!("block columns of {name}"))?;
    let row_ends = cumulative_sizes(cursor, &format!("row sizes of {name}"), block_rows, rows)?;
    let what = format!("column sizes of {name}");
    let column_ends = cumulative_sizes(cursor, &what, block_columns, columns)?;
    let pointers_count = cursor.count(&format!("block row pointers of {name}"))?;
    let indices_count = cursor.count(&format!("block column indices of {name}"))?;
    if pointers_count > block_rows + 1 || indices_count != count {
        return Err(Fault::new(
            cursor.place(),
            format!("{name}: {pointers_count} block row pointers, {indices_count} block columns"),
            format!("at most {} and exactly {count}", block_rows + 1),
        ));
    }
    let pointers = block_pointers(cursor, name, pointers_count, count)?;
    let mut block_columns_of = Vec::with_capacity(count);
    for _ in 0..count {
        block_columns_of.push(cursor.index(&format!("block column of {name}"), block_columns)?);
    }
    let mut entries = Entries::new();
    let mut block_row = 0;
    for block in 0..count {
        while pointers[block_row + 1] <= block {
            block_row += 1;
        }
        let number = cursor.integer(&format!("block number in {name}"))?;
        if number != block {
            return Err(Fault::new(
                cursor.place(),
                format!("block number {number} in {name}"),
                format!("{block}: blocks are numbered in order"),
            ));
        }
        let first_row = block_start(&row_ends, block_row);
        let first_column = block_start(&column_ends, block_columns_of[block]);
        for column in first_column..column_ends[block_columns_of[block]] {
            for row in first_row..row_ends[block_row] {
                entries.push((row, column, cursor.real(name)?));
            }
        }
    }
    Ok(entries)
}

fn block_start(ends: &[usize], block: usize) -> usize {
    if block == 0 { 0 } else { ends[block - 1] }
}

/// Where each block row (or column) ends; the last ends where the matrix does.
fn cumulative_sizes(
    cursor: &mut Cursor,
    what: &str,
    count: usize,
    total: usize,
) -> Result<Vec<usize>, Fault> {
    let mut ends = Vec::with_capacity(count);
    for _ in 0..count {
        let end = cursor.integer(what)?;
        if end < ends.last().copied().unwrap_or(0) || end > total {
            return Err(Fault::new(
                cursor.place(),
                format!("{what}: {end}"),
                format!("cumulative sizes that never decrease, up to {total}"),
            ));
        }
        ends.push(end);
    }
    if ends.last().copied().unwrap_or(0) != total {
        return Err(Fault::new(
            cursor.place(),
            format!("{what} end at {:?}", ends.last()),
            format!("{total}, the size of the matrix"),
        ));
    }
    Ok(ends)
}

fn block_pointers(
    cursor: &mut Cursor,
    name: &str,
    pointers: usize,
    blocks: usize,
) -> Result<Vec<usize>, Fault> {
    let mut starts = Vec::with_capacity(pointers);
    for position in 0..pointers {
        let start = cursor.integer(&format!("block row pointer of {name}"))?;
        let least = starts.last().copied().unwrap_or(0);
        if start < least || start > blocks || (position == 0 && start != 0) {
            return Err(Fault::new(
                cursor.place(),
                format!("block row pointer {start} of {name} after {least}"),
                format!("pointers that start at 0 and never decrease, up to {blocks}"),
            ));
        }
        starts.push(start);
    }
    if starts.last().copied().unwrap_or(0) != blocks {
        return Err(Fault::new(
            cursor.place(),
            format!("block row pointers of {name} end at {:?}", starts.last()),
            format!("{blocks}, the number of blocks"),
        ));
    }
    Ok(starts)
}

/// An origin, a banner to skip, a line of sizes, then triplets or compressed columns or rows.
fn sparse(cursor: &mut Cursor, name: &str, rows: usize, columns: usize) -> Result<Entries, Fault> {
    let origin = cursor.integer(&format!("origin of sparse {name}"))?;
    let place = cursor.place();
    cursor.rest_of_line("the banner line")?;
    cursor.rest_of_line("the line of sizes")?;
    let place_of_sizes = format!("{}, {name}", cursor.place());
    let line = cursor.rest_of_line(&format!("the entries of {name}"));
    let sizes = SparseSizes::parse(&place_of_sizes, &line?)?;
    check_size(&place_of_sizes, sizes.size, (rows, columns))?;
    cursor.check_room(
        sizes.stored.saturating_mul(3),
        &format!("entries of {name}"),
    )?;
    if sizes.triplets != matches!(origin, 1 | 4) {
        return Err(Fault::new(
            place_of_sizes,
            format!("origin {origin} does not go with this line of sizes"),
            "'triplet:' first for origins 1 and 4, and only for them",
        ));
    }
    let size = (rows, columns);
    match origin {
        1 => triplets(cursor, name, size, sizes.stored, false),
        2 => compressed(cursor, name, size, sizes.stored, false),
        3 => compressed(cursor, name, size, sizes.stored, true),
        4 if rows == columns => triplets(cursor, name, size, sizes.stored, true),
        _ => Err(Fault::new(
            place,
            format!("origin {origin} of sparse {name}"),
            "1 (triplet), 2 (columns), 3 (rows) or, for a square matrix, 4 (half triplet)",
        )),
    }
}

/// The line of sizes: `triplet: R-by-C, nzmax: N nnz: K` or `R-by-C, nzmax: N nnz: K, 1-norm: X`.
struct SparseSizes {
    triplets: bool,
    size: (usize, usize),
    stored: usize,
}

impl SparseSizes {
    fn parse(place: &str, line: &str) -> Result<Self, Fault> {
        Self::parts(line).ok_or_else(|| {
            Fault::new(
                place,
                format!("'{}' as the sizes of a sparse matrix", line.trim()),
                "'[triplet: ]R-by-C, nzmax: N nnz: K'",
            )
        })
    }

    fn parts(line: &str) -> Option<Self> {
        let line = line.trim();
        let (triplets, sizes) = match line.strip_prefix("triplet:") {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let (size, rest) = sizes.split_once(',')?;
        let (rows, columns) = size.split_once("-by-")?;
        let (_, rest) = rest.split_once("nnz:")?;
        let stored = rest.split(',').next()?;
        Some(Self {
            triplets,
            size: (rows.trim().parse().ok()?, columns.trim().parse().ok()?),
            stored: stored.trim().parse().ok()?,
        })
    }
}

/// Lines `row column : value`; of a half, the other half is the mirror image.
fn triplets(
    cursor: &mut Cursor,
    name: &str,
    (rows, columns): (usize, usize),
    stored: usize,
    half: bool,
) -> Result<Entries, Fault> {
    let mut entries = Entries::with_capacity(stored);
    for _ in 0..stored {
        let row = cursor.index(&format!("row of {name}"), rows)?;
        let column = cursor.index(&format!("column of {name}"), columns)?;
        cursor.word(":")?;
        let value = cursor.real(name)?;
        entries.push((row, column, value));
        if half && row != column {
            entries.push((column, row, value));
        }
    }
    Ok(entries)
}

/// Per column `col j : locations a to b`, then b - a + 1 lines `row : value`; or by rows.
fn compressed(
    cursor: &mut Cursor,
    name: &str,
    (rows, columns): (usize, usize),
    stored: usize,
    by_rows: bool,
) -> Result<Entries, Fault> {
    let (word, lines, bound) = if by_rows {
        ("row", rows, columns)
    } else {
        ("col", columns, rows)
    };
    let mut entries = Entries::with_capacity(stored);
    for line in 0..lines {
        cursor.word(word)?;
        let number = cursor.integer(&format!("{word} number of {name}"))?;
        cursor.word(":")?;
        cursor.word("locations")?;
        let first = cursor.integer(&format!("first location in {name}"))?;
        cursor.word("to")?;
        // An empty column at the beginning says "0 to -1".
        let end = cursor.signed(&format!("last location in {name}"))?;
        let end = usize::try_from(end.saturating_add(1)).unwrap_or(0);
        if number != line || first != entries.len() || end < first || end > stored {
            return Err(Fault::new(
                cursor.place(),
                format!("{word} {number} of {name} announces locations {first} up to {end}"),
                format!(
                    "{word} {line} from location {} up to at most {stored}",
                    entries.len()
                ),
            ));
        }
        for _ in first..end {
            let index = cursor.index(&format!("index in {name}"), bound)?;
            cursor.word(":")?;
            let value = cursor.real(name)?;
            entries.push(if by_rows {
                (line, index, value)
            } else {
                (index, line, value)
            });
        }
    }
    if entries.len() != stored {
        return Err(Fault::new(
            cursor.place(),
            format!("{} entries of {name}", entries.len()),
            format!("{stored}, as announced"),
        ));
    }
    Ok(entries)
}
