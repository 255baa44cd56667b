//! Shares of a change: what the parts of a whole add to the logarithm of the ratio of two wholes. They sum to 1, and a
//! change and its reverse have the same shares: the additive logarithmic mean Divisia index (Ang 2005, Energy
//! Policy 33).

/// Two wholes of one block, such as the mean latencies of two sides, and one part of each, in one unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WholesWithPart {
    /// Both wholes: baseline, candidate.
    pub whole: [f64; 2],
    /// The same part of both.
    pub part: [f64; 2],
}

/// The mean of two figures by which their difference is divided to give the logarithm of their ratio. `None` unless
/// both are positive, finite numbers.
#[must_use]
pub fn logarithmic_mean([one, other]: [f64; 2]) -> Option<f64> {
    if !(one > 0.0 && other > 0.0 && one.is_finite() && other.is_finite()) {
        return None;
    }
    let log_ratio = (other / one).ln();
    // Close to each other the quotient has no digits left; the mean does.
    if log_ratio.abs() < 1e-6 { Some(f64::midpoint(one, other)) } else { Some((other - one) / log_ratio) }
}

/// The share of the change from the first wholes to the second ones that lies in the part, over all blocks; below 0
/// where the part changes the other way. `None` without a change, and where a whole is not a positive, finite number.
#[must_use]
pub fn share_of_change(blocks: &[WholesWithPart]) -> Option<f64> {
    let (mut of_part, mut of_whole) = (0.0, 0.0);
    for WholesWithPart { whole, part } in blocks {
        of_part += (part[1] - part[0]) / logarithmic_mean(*whole)?;
        of_whole += (whole[1] / whole[0]).ln();
    }
    let share = of_part / of_whole;
    // A part that is equal on both sides has no share, and that is no negative one.
    if share.is_finite() { Some(share + 0.0) } else { None }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn no_change_and_no_blocks_have_no_shares() {
        assert_eq!(share_of_change(&[]), None);
        assert_eq!(share_of_change(&[WholesWithPart { whole: [2.0, 2.0], part: [1.0, 1.5] }]), None);
        assert_eq!(share_of_change(&[WholesWithPart { whole: [0.0, 2.0], part: [0.0, 1.5] }]), None);
    }

    proptest! {
        #[test]
        fn the_parts_sum_to_the_whole_and_keep_their_shares_when_sides_are_swapped(
            ms in proptest::collection::vec((0.001_f64..100.0, 0.001_f64..100.0, 0.001_f64..100.0, 0.001_f64..100.0), 1..9),
        ) {
            let (mut first, mut second, mut swapped) = (Vec::new(), Vec::new(), Vec::new());
            for (one, other, later_one, later_other) in ms {
                let whole = [one + other, later_one + later_other];
                first.push(WholesWithPart { whole, part: [one, later_one] });
                second.push(WholesWithPart { whole, part: [other, later_other] });
                swapped.push(WholesWithPart { whole: [whole[1], whole[0]], part: [later_one, one] });
            }
            let logs: f64 = first.iter().map(|block| (block.whole[1] / block.whole[0]).ln()).sum();
            prop_assume!(logs.abs() > 1e-3);
            let shares = [&first, &second].map(|blocks| share_of_change(blocks).unwrap());
            prop_assert!((shares[0] + shares[1] - 1.0).abs() < 1e-6, "{shares:?}");
            prop_assert!((shares[0] - share_of_change(&swapped).unwrap()).abs() < 1e-6);
        }
    }
}
