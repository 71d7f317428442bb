//! Entries of a sparse matrix from the three storages of FCLIB.

use moreau_files::Fault;

fn index(path: &str, value: i64, bound: usize) -> Result<usize, Fault> {
    usize::try_from(value)
        .ok()
        .filter(|&index| index < bound)
        .ok_or_else(|| {
            Fault::new(
                path,
                format!("index {value} is out of range"),
                format!("an index from 0, below {bound}"),
            )
        })
}

/// `nz` entries: rows in `i`, columns in `p`.
pub(crate) fn triplets(
    path: &str,
    nz: u64,
    p: &[i64],
    i: &[i64],
    x: &[f64],
    rows: usize,
    columns: usize,
) -> Result<Vec<(usize, usize, f64)>, Fault> {
    let shortest = p.len().min(i.len()).min(x.len());
    let Some(count) = usize::try_from(nz).ok().filter(|&count| count <= shortest) else {
        return Err(Fault::new(
            format!("{path}/nz"),
            format!("{nz} entries announced, {shortest} stored in p, i and x"),
            "as many as announced",
        ));
    };
    let (place_row, place_column) = (format!("{path}/i"), format!("{path}/p"));
    let entry = |k: usize| {
        let row = index(&place_row, i[k], rows)?;
        let column = index(&place_column, p[k], columns)?;
        Ok((row, column, x[k]))
    };
    (0..count).map(entry).collect()
}

/// Entries `(line, index, value)` of compressed lines, `bound` long each.
pub(crate) fn compressed(
    path: &str,
    p: &[i64],
    i: &[i64],
    x: &[f64],
    lines: usize,
    bound: usize,
) -> Result<Vec<(usize, usize, f64)>, Fault> {
    let place = format!("{path}/p");
    if p.len() != lines + 1 {
        return Err(Fault::new(
            place,
            format!("{} pointers", p.len()),
            format!("{}, one more than lines", lines + 1),
        ));
    }
    let stored = i.len().min(x.len());
    let sorted = p.windows(2).all(|pair| pair[0] <= pair[1]);
    if p[0] != 0 || !sorted || p[lines] > stored as i64 {
        return Err(Fault::new(
            place,
            format!("pointers decrease, do not start at 0 or pass the {stored} stored entries"),
            format!("pointers that start at 0 and never decrease, up to {stored}"),
        ));
    }
    let place = format!("{path}/i");
    let mut entries = Vec::with_capacity(p[lines] as usize);
    for line in 0..lines {
        for k in p[line] as usize..p[line + 1] as usize {
            entries.push((line, index(&place, i[k], bound)?, x[k]));
        }
    }
    Ok(entries)
}
