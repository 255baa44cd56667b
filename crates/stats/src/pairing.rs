//! What pairing by block would have bought, judged from one run.
//!
//! The cells of one run share its blocks. How much of their spread goes up and down together is the
//! intraclass correlation ρ (consistency, one figure each: Shrout and Fleiss 1979, Psychol. Bull.
//! 86:420, ICC(3,1)); a pair of cells measured in common blocks has its interval narrower by about
//! √(1 − ρ) than the same cells measured apart. It says nothing of what else differs between two
//! occasions, which pairing removes as well.

use crate::quantile::f_quantile;
use crate::{ClosedInterval, Estimate, sample};

/// The width of a paired interval as a share of the unpaired one: 1 when the cells have no drift in
/// common, 0 when they have nothing else. n is the number of blocks.
///
/// `cells` holds, for each cell of the run, its figure in every block, in one order of blocks.
/// `None` with fewer than two cells or three blocks, with unequal numbers of blocks, with a figure
/// that is not positive, or when no cell varies at all.
#[must_use]
pub fn paired_width(cells: &[Vec<f64>]) -> Option<Estimate> {
    let blocks = cells.first()?.len();
    let usable = cells.len() >= 2
        && blocks >= 3
        && cells.iter().all(|c| c.len() == blocks)
        && cells.iter().flatten().all(|x| x.is_finite() && *x > 0.0);
    if !usable {
        return None;
    }
    let ratio = variance_ratio(cells)?;
    let (k, between) = (cells.len() as f64, (blocks - 1) as f64);
    let within = between * (k - 1.0);
    // The confidence limits of ρ are those of the F ratio (Shrout and Fleiss 1979, appendix).
    let upper = ratio * f_quantile(0.975, within, between);
    let lower = ratio / f_quantile(0.975, between, within);
    let [point, low, high] = [ratio, upper, lower].map(|f| (1.0 - ((f - 1.0) / (f + k - 1.0)).max(0.0)).sqrt());
    Some(Estimate { point, interval: ClosedInterval { low, high }, n: blocks })
}

/// Mean square between blocks over residual mean square, of the logarithms in the two-way layout
/// without repetition.
fn variance_ratio(cells: &[Vec<f64>]) -> Option<f64> {
    let centred: Vec<Vec<f64>> = cells
        .iter()
        .map(|cell| {
            let logs: Vec<f64> = cell.iter().map(|x| x.ln()).collect();
            let centre = sample::sample_mean(&logs);
            logs.iter().map(|x| x - centre).collect()
        })
        .collect();
    let (k, blocks) = (cells.len() as f64, cells[0].len());
    let block_means: Vec<f64> = (0..blocks).map(|b| centred.iter().map(|c| c[b]).sum::<f64>() / k).collect();
    let between = k * block_means.iter().map(|m| m * m).sum::<f64>() / (blocks - 1) as f64;
    let residual: f64 = centred.iter().flat_map(|c| c.iter().zip(&block_means).map(|(x, m)| (x - m).powi(2))).sum();
    let residual = residual / ((blocks - 1) as f64 * (k - 1.0));
    (residual > 0.0).then_some(between / residual)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::distr::Distribution;
    use rand_chacha::ChaCha8Rng;

    fn cells(shared: f64, own: f64, blocks: usize) -> Vec<Vec<f64>> {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let normal = crate::level::standard_normal();
        let drift: Vec<f64> = (0..blocks).map(|_| shared * normal.sample(&mut rng)).collect();
        (0..3).map(|_| drift.iter().map(|d| (d + own * normal.sample(&mut rng)).exp()).collect()).collect()
    }

    #[test]
    fn drift_in_common_is_what_pairing_would_remove() {
        // ρ = 0.09 / (0.09 + 0.01) = 0.9: the width is √0.1 = 0.316.
        let width = paired_width(&cells(0.3, 0.1, 200)).unwrap();
        assert!(width.interval.contains(0.316), "{width:?}");
        assert!(width.interval.contains(width.point));
        assert!(width.interval.high < 0.5);
    }

    #[test]
    fn without_drift_in_common_pairing_buys_nothing() {
        let width = paired_width(&cells(0.0, 0.1, 200)).unwrap();
        assert!(width.point > 0.9, "{width:?}");
        assert!(width.interval.high <= 1.0);
    }

    #[test]
    fn what_cannot_be_said_is_not_said() {
        assert_eq!(paired_width(&[]), None);
        assert_eq!(paired_width(&[vec![1.0, 2.0, 3.0]]), None);
        assert_eq!(paired_width(&[vec![1.0, 2.0], vec![1.0, 2.0]]), None);
        assert_eq!(paired_width(&[vec![1.0, 2.0, 3.0], vec![1.0, 2.0]]), None);
        assert_eq!(paired_width(&[vec![1.0, 1.0, 1.0], vec![2.0, 2.0, 2.0]]), None);
        assert_eq!(paired_width(&[vec![1.0, 0.0, 1.0], vec![2.0, 3.0, 2.0]]), None);
    }
}
