//! Elimination orders by nested dissection.
//!
//! Bodies that touch form a graph in space, like a mesh. Cut in two by a small separator, its halves can be eliminated
//! without filling each other, and the separator comes last; the halves are cut again (George 1973). Minimum degree, which looks
//! at one node at a time, takes twice the operations on a bed of four thousand spheres.
//!
//! Rows with the same neighbours, like the six of a body, are one node of the graph: it is smaller by the square of their
//! number, and their columns stay together, which dense kernels want.
//!
//! A. George, *Nested dissection of a regular finite element mesh*, SIAM J. Numer. Anal. 10, 1973. The cuts are those of
//! G. Karypis, V. Kumar, *A fast and high quality multilevel scheme for partitioning irregular graphs*, SIAM J. Sci.
//! Comput. 20, 1998, by the crate `feral-metis`.

use super::pattern::Pattern;
use feral_metis::{CscPattern, metis_order};

/// The rows of a pattern (its lower triangle) in an order of elimination; `None` where the graph is too large for the library.
pub(super) fn nested_dissection(pattern: &Pattern) -> Option<Vec<usize>> {
    let (starts, neighbours) = whole_graph(pattern);
    let neighbours_of = |row: usize| &neighbours[starts[row]..starts[row + 1]];
    // Nodes: runs of rows with the same neighbours, themselves included.
    let mut first_rows = Vec::new();
    let mut node_of = Vec::with_capacity(pattern.dimension);
    for row in 0..pattern.dimension {
        if row == 0 || neighbours_of(row) != neighbours_of(row - 1) {
            first_rows.push(row);
        }
        node_of.push(first_rows.len() - 1);
    }
    let nodes = first_rows.len();
    let mut column_starts: Vec<i32> = vec![0];
    let mut rows: Vec<i32> = Vec::new();
    for &row in &first_rows {
        let mut last = usize::MAX;
        for &neighbour in neighbours_of(row) {
            // Neighbours are in increasing order, so those of one node follow each other.
            if node_of[neighbour] != last {
                last = node_of[neighbour];
                rows.push(i32::try_from(last).ok()?);
            }
        }
        column_starts.push(i32::try_from(rows.len()).ok()?);
    }
    let graph = CscPattern::new(nodes, &column_starts, &rows)?;
    let order = metis_order(&graph).ok()?;
    first_rows.push(pattern.dimension);
    let mut elimination = Vec::with_capacity(pattern.dimension);
    for node in order {
        let node = usize::try_from(node).ok()?;
        elimination.extend(first_rows[node]..first_rows[node + 1]);
    }
    Some(elimination)
}

/// Both triangles by compressed columns, the diagonal included.
fn whole_graph(pattern: &Pattern) -> (Vec<usize>, Vec<usize>) {
    let n = pattern.dimension;
    let mut starts = vec![0; n + 1];
    for column in 0..n {
        for &row in pattern.column(column).0 {
            starts[column + 1] += 1;
            if row != column {
                starts[row + 1] += 1;
            }
        }
    }
    for column in 0..n {
        starts[column + 1] += starts[column];
    }
    let mut next = starts.clone();
    let mut neighbours = vec![0; starts[n]];
    // By increasing column: what is above the diagonal of a row is there, in order, before its own column comes.
    for column in 0..n {
        for &row in pattern.column(column).0 {
            neighbours[next[column]] = row;
            next[column] += 1;
            if row != column {
                neighbours[next[row]] = column;
                next[row] += 1;
            }
        }
    }
    (starts, neighbours)
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::sparse_cholesky::{analyze_dissected, analyze_in_order, operations};
    use super::*;
    use faer::sparse::linalg::cholesky::SymmetricOrdering;

    /// The lower triangle of a cube of n³ nodes with three rows each, which touch all 26 around them.
    pub(in super::super) fn cube(n: usize) -> Pattern {
        let node = |[x, y, z]: [usize; 3]| (x * n + y) * n + z;
        let mut entries = Vec::new();
        for here in 0..n * n * n {
            let place = [here / n / n, here / n % n, here % n];
            let around = |k: usize| place[k].saturating_sub(1)..(place[k] + 2).min(n);
            for x in around(0) {
                for (y, z) in around(1).flat_map(|y| around(2).map(move |z| (y, z))) {
                    let other = node([x, y, z]);
                    entries.extend((0..9).map(|k| (3 * here + k / 3, 3 * other + k % 3)));
                }
            }
        }
        let lower = |row, column| row >= column;
        Pattern::new(3 * n * n * n, &entries, lower, std::iter::empty()).unwrap()
    }

    #[test]
    fn a_cube_takes_fewer_operations_than_by_minimum_degree() {
        let pattern = cube(14);
        let dissected = operations(&analyze_dissected(&pattern).unwrap().unwrap());
        let minimum_degree =
            operations(&analyze_in_order(&pattern, SymmetricOrdering::Amd).unwrap());
        let ratio = dissected / minimum_degree;
        assert!(ratio < 0.8, "{ratio}");
    }

    #[test]
    fn every_row_is_eliminated_once_and_next_to_those_of_its_node() {
        let order = nested_dissection(&cube(6)).unwrap();
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.iter().copied().eq(0..3 * 216));
        assert!(
            order
                .chunks(3)
                .all(|rows| rows[0] % 3 == 0 && rows[2] == rows[0] + 2)
        );
    }

    #[test]
    fn both_triangles_are_symmetric() {
        let pattern = cube(4);
        let (starts, neighbours) = whole_graph(&pattern);
        let of = |row: usize| &neighbours[starts[row]..starts[row + 1]];
        for row in 0..pattern.dimension {
            assert!(of(row).is_sorted());
            assert!(of(row).iter().all(|&other| of(other).contains(&row)));
            assert!(of(row).contains(&row));
        }
    }
}
