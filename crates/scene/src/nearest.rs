//! The word that was probably meant.

/// The candidate most like `word`, if one is like it at all.
///
/// ```
/// use moreau_scene::nearest_word;
/// assert_eq!(nearest_word("gaus-seidl", ["apgd", "gauss_seidel"]), Some("gauss_seidel"));
/// assert_eq!(nearest_word("multigrid", ["apgd", "gauss_seidel"]), None);
/// ```
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Comparing is quadratic in the length; nobody means a word by a page of text.
    let word: String = word.chars().take(64).collect::<String>().to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| {
            let lower = candidate.to_lowercase();
            (strsim::jaro_winkler(&word, &lower), candidate)
        })
        .filter(|(likeness, _)| *likeness >= 0.75)
        .fold(None, |best: Option<(f64, &str)>, next| match best {
            Some(so_far) if so_far.0 >= next.0 => Some(so_far),
            _ => Some(next),
        })
        .map(|(_, candidate)| candidate)
}

/// "did you mean …?", or the list of what there is.
pub(crate) fn suggestion(word: &str, candidates: &[&str]) -> Option<String> {
    if let Some(found) = nearest(word, candidates.iter().copied()) {
        return Some(format!("did you mean '{found}'?"));
    }
    const SHOWN: usize = 30;
    match candidates {
        [] => None,
        [only] => Some(format!("there is only '{only}'")),
        _ if candidates.len() > SHOWN => Some(format!(
            "there are {} and {} more",
            candidates[..SHOWN].join(", "),
            candidates.len() - SHOWN
        )),
        _ => Some(format!("one of {}", candidates.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised_and_nonsense_is_not() {
        let words = ["radius", "density", "material"];
        assert_eq!(nearest("raduis", words), Some("radius"));
        assert_eq!(nearest("Density", words), Some("density"));
        assert_eq!(nearest("qqq", words), None);
        assert_eq!(
            suggestion("qqq", &words).unwrap(),
            "one of radius, density, material"
        );
    }
}
