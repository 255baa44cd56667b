//! Which known name somebody may have meant.

/// The known name that differs from `name` in the fewest letters, if these are few for its length.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let name: Vec<char> = name.to_lowercase().chars().take(64).collect();
    let most = name.len().div_ceil(3);
    known.map(|known| (distance(&name, known), known)).filter(|(d, _)| *d <= most).min().map(|(_, known)| known)
}

/// Levenshtein's distance.
fn distance(left: &[char], right: &str) -> usize {
    let mut row: Vec<usize> = (0..=left.len()).collect();
    for (i, b) in right.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, a) in left.iter().enumerate() {
            let changed = diagonal + usize::from(*a != b);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[left.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_few_wrong_letters_is_recognised() {
        let known = ["random", "random_zipfian", "sqrt"];
        let cases = [
            ("randm", Some("random")),
            ("SQRT2", Some("sqrt")),
            ("random_zipf", Some("random_zipfian")),
            ("xyz", None),
        ];
        for (name, expected) in cases {
            assert_eq!(nearest(name, known.into_iter()), expected, "{name}");
        }
    }
}
