//! The word that a person probably meant.

/// The candidate nearest to `word`, if one is near enough to be what was meant: at most a third of its characters
/// differ. Case, `-` and `_` do not count. Of several that are equally near, none is.
#[must_use]
pub fn nearest_candidate<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    // Longer words than any key cost quadratic time and are near to nothing.
    const WORD_CHARS_MAX: usize = 64;
    if word.chars().count() > WORD_CHARS_MAX {
        return None;
    }
    let mut found: Option<(usize, &str)> = None;
    let mut are_several = false;
    for candidate in candidates {
        let distance = letters_apart(word, candidate);
        let chars = candidate.chars().count();
        if distance >= chars || distance > (chars / 3).max(1) {
            continue;
        }
        match found {
            Some((least, _)) if distance > least => {}
            Some((least, _)) if distance == least => are_several = true,
            Some(_) | None => {
                found = Some((distance, candidate));
                are_several = false;
            }
        }
    }
    found.filter(|_| !are_several).map(|(_, candidate)| candidate)
}

/// The candidate that `word` misspells: the nearest, if so few letters differ that it can hardly be a word of its own.
#[must_use]
pub fn misspelled_word<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    const LETTERS: usize = 2;
    nearest_candidate(word, candidates).filter(|near| letters_apart(word, near) <= LETTERS)
}

fn letters_apart(one: &str, other: &str) -> usize {
    let plain = |text: &str| text.to_lowercase().replace(['-', '_', ' '], "");
    strsim::damerau_levenshtein(&plain(one), &plain(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelled_word_finds_its_neighbour_and_a_strange_one_finds_none() {
        let keys = ["a", "name", "targets", "warm_up", "measure", "select-only", "p50", "p95", "p99"];
        for (word, expected) in [
            ("warmup", Some("warm_up")),
            ("warm-up", Some("warm_up")),
            ("Targets", Some("targets")),
            ("target", Some("targets")),
            ("p90", None),
            ("mesaure", Some("measure")),
            ("select_only", Some("select-only")),
            ("flavour", None),
            ("b", None),
            ("", None),
        ] {
            assert_eq!(nearest_candidate(word, keys), expected, "{word}");
        }
        let functions = ["random", "random_zipfian", "sqrt"];
        for (word, expected) in
            [("randm", Some("random")), ("SQRT2", Some("sqrt")), ("random_zipf", Some("random_zipfian")), ("xyz", None)]
        {
            assert_eq!(nearest_candidate(word, functions), expected, "{word}");
        }
    }
}
