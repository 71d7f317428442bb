//! The word that was probably meant.

/// The candidate nearest to `word`, if one is near enough to be a misspelling.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase().replace('-', "_");
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= candidate.len().div_ceil(3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// " Did you mean 'x'?", or nothing.
pub fn suggestion<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, candidates)
        .map(|found| format!(". Did you mean '{found}'?"))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn misspellings_are_recognised_and_other_words_are_not() {
        let solvers = ["gauss_seidel", "apgd", "spg", "jacobi"];
        assert_eq!(nearest("gaus_seidl", solvers), Some("gauss_seidel"));
        assert_eq!(nearest("Gauss-Seidel", solvers), Some("gauss_seidel"));
        assert_eq!(nearest("agpd", solvers), Some("apgd"));
        assert_eq!(nearest("multigrid", solvers), None);
        assert_eq!(nearest("", solvers), None);
    }
}
