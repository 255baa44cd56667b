//! Where does a series of few, independent figures change? E-divisive (Matteson and James 2014, JASA 109:334).
//!
//! Two stretches are as far apart as their energy distance says (Székely and Rizzo 2013, J. Stat. Plan. Inference
//! 143:1249), which asks for no distribution, so that one odd figure is no change. The cut at which they are farthest
//! apart is taken if figures in another order are seldom as far apart; then either part is cut in turn.
//! [`crate::change_point`] is for the seconds of one trial, which remember their neighbours; here a permutation stands
//! for what chance does, which is right only where the figures could as well have come in any other order.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// The fewest figures on either side of a cut: two odd ones in a row are no new level.
pub const FEWEST: usize = 3;

/// How often a test puts the figures in another order.
pub const PERMUTATIONS: usize = 199;

/// The level of each test. Chosen by simulation ([`crate::shift`]), and such that [`PERMUTATIONS`] can reach it.
pub const SIGNIFICANCE: f64 = 0.02;

/// A cut of a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Division {
    /// Index of the first figure after it.
    pub at: usize,
    /// The share of orders, that of the series counted, in which some cut parts the figures as well. At most
    /// [`SIGNIFICANCE`], at least 1 / ([`PERMUTATIONS`] + 1).
    pub p_value: f64,
}

/// The cuts of a series, in its order. None where a figure is not finite, or where there are fewer than twice
/// [`FEWEST`].
#[must_use]
pub fn find_divisions(series: &[f64], seed: u64) -> Vec<Division> {
    if !series.iter().all(|y| y.is_finite()) {
        return Vec::new();
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut divisions: Vec<Division> = Vec::new();
    loop {
        let bounds = bounds_of_parts(&divisions, series.len());
        let Some(farthest) = farthest_division(series, &bounds) else { break };
        let Some(p_value) = p_value(series, &bounds, farthest.distance, &mut rng) else { break };
        divisions.push(Division { at: farthest.at, p_value });
        divisions.sort_by_key(|division| division.at);
    }
    divisions
}

/// Where the parts of a series begin and end that its cuts leave.
fn bounds_of_parts(divisions: &[Division], end: usize) -> Vec<(usize, usize)> {
    let starts = std::iter::once(0).chain(divisions.iter().map(|division| division.at));
    let ends = divisions.iter().map(|division| division.at).chain(std::iter::once(end));
    starts.zip(ends).collect()
}

/// A cut that was not tested.
#[derive(Debug, Clone, Copy, PartialEq)]
struct CandidateCut {
    at: usize,
    distance: f64,
}

/// The cut of all parts whose sides are farthest apart; absent where none is long enough.
fn farthest_division(series: &[f64], bounds: &[(usize, usize)]) -> Option<CandidateCut> {
    bounds
        .iter()
        .filter_map(|(from, to)| {
            let candidate = farthest_of_part(&series[*from..*to])?;
            Some(CandidateCut { at: from + candidate.at, ..candidate })
        })
        .max_by(|a, b| a.distance.total_cmp(&b.distance))
}

/// The same of one part. What comes after a cut is looked at up to every end (the paper's section 3.1): a level that
/// does not stay would hide in what follows it.
fn farthest_of_part(part: &[f64]) -> Option<CandidateCut> {
    let sums = Distances::from_part(part);
    let cuts = FEWEST..=part.len().checked_sub(FEWEST)?;
    let with_ends = cuts.flat_map(|at| (at + FEWEST..=part.len()).map(move |end| (at, end)));
    with_ends
        .map(|(at, end)| CandidateCut { at, distance: sums.energy_distance(at, end) })
        .max_by(|a, b| a.distance.total_cmp(&b.distance))
}

/// How seldom the parts of a series, each in another order, have a cut as good as `distance`; absent where that is not
/// seldom. The orders of each part alone are drawn, as in section 3.2 of the paper.
fn p_value(series: &[f64], bounds: &[(usize, usize)], distance: f64, rng: &mut ChaCha8Rng) -> Option<f64> {
    // The same figures on either side in another order: their distance differs by rounding only.
    let as_far = distance * (1.0 - 1e-9);
    let most = (SIGNIFICANCE * (PERMUTATIONS + 1) as f64).round() as usize;
    let mut drawn = series.to_vec();
    let mut reached = 1;
    for _ in 0..PERMUTATIONS {
        for (from, to) in bounds {
            drawn[*from..*to].shuffle(rng);
        }
        reached += usize::from(farthest_division(&drawn, bounds).is_some_and(|other| other.distance >= as_far));
        if reached > most {
            return None;
        }
    }
    Some(reached as f64 / (PERMUTATIONS + 1) as f64)
}

/// Sums of the distances between any two stretches of a part in constant time.
struct Distances {
    /// `sums[a * (n + 1) + b]`: Σ |x − y| over the first a figures x and the first b figures y.
    sums: Vec<f64>,
    n: usize,
}

impl Distances {
    fn from_part(part: &[f64]) -> Distances {
        let n = part.len();
        let row = n + 1;
        let mut sums = vec![0.0; row * row];
        for (a, x) in part.iter().enumerate() {
            let mut along = 0.0;
            for (b, y) in part.iter().enumerate() {
                along += (x - y).abs();
                sums[(a + 1) * row + b + 1] = sums[a * row + b + 1] + along;
            }
        }
        Distances { sums, n }
    }

    fn sum_until(&self, a: usize, b: usize) -> f64 {
        self.sums[a * (self.n + 1) + b]
    }

    /// The energy distance between the figures before `at` and those from there to `end`, times m n / (m + n): the
    /// paper's equations 5 and 6 with α = 1.
    fn energy_distance(&self, at: usize, end: usize) -> f64 {
        let (m, n) = (at as f64, (end - at) as f64);
        let between = self.sum_until(at, end) - self.sum_until(at, at);
        let within_first = self.sum_until(at, at) / 2.0;
        let within_second = (self.sum_until(end, end) - self.sum_until(at, at)) / 2.0 - between;
        2.0 / (m + n) * (between - n / (m - 1.0) * within_first - m / (n - 1.0) * within_second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autocorrelation::tests::noisy_series;
    use proptest::prelude::*;

    /// The pairs one by one.
    fn energy(first: &[f64], second: &[f64]) -> f64 {
        let (m, n) = (first.len() as f64, second.len() as f64);
        let sum = |a: &[f64], b: &[f64]| a.iter().flat_map(|x| b.iter().map(move |y| (x - y).abs())).sum::<f64>();
        let mean_within = |a: &[f64], k: f64| sum(a, a) / (k * (k - 1.0));
        m * n / (m + n) * (2.0 * sum(first, second) / (m * n) - mean_within(first, m) - mean_within(second, n))
    }

    #[test]
    fn a_constant_or_a_short_series_has_no_cut() {
        assert!(find_divisions(&[5.0; 30], 1).is_empty());
        assert!(find_divisions(&[1.0, 1.0, 9.0, 9.0, 9.0], 1).is_empty());
        assert!(find_divisions(&[], 1).is_empty());
        assert!(find_divisions(&[1.0, 1.0, 1.0, 1.0, f64::NAN, 9.0, 9.0, 9.0, 9.0, 9.0], 1).is_empty());
    }

    #[test]
    fn one_odd_figure_is_no_cut() {
        let mut series = noisy_series(30, 0.0, 1.0, 3);
        series[20] += 50.0;
        assert_eq!(find_divisions(&series, 1), []);
    }

    #[test]
    fn a_level_that_does_not_stay_has_two_cuts() {
        let mut series = noisy_series(40, 0.0, 1.0, 4);
        for y in &mut series[15..25] {
            *y -= 8.0;
        }
        let found = find_divisions(&series, 1);
        assert_eq!(found.iter().map(|division| division.at).collect::<Vec<_>>(), [15, 25], "{found:?}");
        assert!(found.iter().all(|division| division.p_value <= SIGNIFICANCE));
    }

    #[test]
    fn the_same_seed_gives_the_same_cuts() {
        let mut series = noisy_series(24, 0.0, 1.0, 5);
        for y in &mut series[12..] {
            *y += 2.0;
        }
        assert_eq!(find_divisions(&series, 7), find_divisions(&series, 7));
    }

    /// One series of `tests/otava/answers.txt`.
    struct Answer {
        name: String,
        series: Vec<f64>,
        distances: Vec<f64>,
        cuts: Vec<usize>,
    }

    /// What Apache Otava says of series that `tests/otava/make.py` draws.
    fn answers_of_otava() -> Vec<Answer> {
        fn numbers<T: std::str::FromStr<Err: std::fmt::Debug>>(words: &str) -> Vec<T> {
            words.split_whitespace().map(|word| word.parse().unwrap()).collect()
        }
        let text = include_str!("../tests/otava/answers.txt");
        let lines: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
        let answer = |lines: &[&str]| {
            let [name, series, distances, cuts] = lines else { panic!("{lines:?}") };
            let name = (*name).to_owned();
            Answer { name, series: numbers(series), distances: numbers(distances), cuts: numbers(cuts) }
        };
        lines.chunks(4).map(answer).collect()
    }

    #[test]
    fn distances_are_those_of_apache_otava() {
        for Answer { name, series, distances, .. } in answers_of_otava() {
            let sums = Distances::from_part(&series);
            let ours: Vec<f64> =
                (FEWEST..=series.len() - FEWEST).map(|at| sums.energy_distance(at, series.len())).collect();
            assert_eq!(ours.len(), distances.len(), "{name}");
            for (ours, theirs) in ours.iter().zip(&distances) {
                assert!((ours - theirs).abs() < 1e-6 * (1.0 + theirs.abs()), "{name}: {ours} {theirs}");
            }
        }
    }

    #[test]
    fn cuts_are_those_of_apache_otava() {
        for Answer { name, series, cuts, .. } in answers_of_otava() {
            let ours: Vec<usize> = find_divisions(&series, 1).iter().map(|division| division.at).collect();
            assert_eq!(ours, cuts, "{name}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn running_sums_give_the_distance_that_the_pairs_give(
            part in prop::collection::vec(-1e3..1e3, 4..20), cut in 2_usize..18, end in 4_usize..20,
        ) {
            let end = end.min(part.len());
            let at = cut.min(end - 2);
            let by_sums = Distances::from_part(&part).energy_distance(at, end);
            let by_pairs = energy(&part[..at], &part[at..end]);
            prop_assert!((by_sums - by_pairs).abs() < 1e-6 * (1.0 + by_pairs.abs()), "{by_sums} {by_pairs}");
        }
    }
}
