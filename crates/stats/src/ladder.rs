//! A ladder: one target's throughput at rising numbers of clients, every rung in every block.

use thiserror::Error;

use crate::estimate::mean_estimate;
use crate::{Estimate, sample};

/// The highest rung must gain less than this over the one before it, or the peak lies beyond.
pub const PEAK_GAIN: f64 = 0.05;

/// One block of a ladder: the throughput at each rung, in the order of the clients.
#[derive(Debug, Clone, PartialEq)]
pub struct LadderBlock {
    /// The caller's number of the block.
    pub block: u32,
    /// One figure per rung.
    pub throughput: Vec<f64>,
}

/// A complete ladder: at least two rungs of ascending clients and two blocks, all figures positive.
#[derive(Debug, Clone, PartialEq)]
pub struct CompleteLadder {
    clients: Vec<u32>,
    blocks: Vec<u32>,
    /// Logarithms by block, then rung.
    logs: Vec<Vec<f64>>,
}

/// Why figures are not a ladder.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum LadderError {
    /// One rung shows no rise.
    #[error("{found} numbers of clients: a ladder needs at least 2")]
    TooFewRungs {
        /// How many were given.
        found: usize,
    },
    /// The rungs must rise from one client or more.
    #[error("the numbers of clients {clients:?} are not ascending")]
    NotRising {
        /// The rungs given.
        clients: Vec<u32>,
    },
    /// Without two blocks nothing is known of the spread.
    #[error("{found} blocks: an interval needs at least 2")]
    TooFewBlocks {
        /// How many were given.
        found: usize,
    },
    /// A block that does not hold every rung cannot be resampled as a whole.
    #[error("block {block} has {found} figures for {expected} numbers of clients")]
    Incomplete {
        /// The block.
        block: u32,
        /// Its figures.
        found: usize,
        /// The rungs.
        expected: usize,
    },
    /// A figure that has no logarithm.
    #[error("block {block}: the throughput {value} at {clients} clients is not a positive number")]
    NotPositive {
        /// The block.
        block: u32,
        /// The rung.
        clients: u32,
        /// The figure.
        value: f64,
    },
    /// Two ladders can be compared only rung by rung and block by block.
    #[error("the two ladders do not have the same numbers of clients in the same blocks")]
    Unlike,
}

impl CompleteLadder {
    /// A ladder from its blocks.
    ///
    /// # Errors
    /// [`LadderError`], naming the block and the rung.
    pub fn new(clients: Vec<u32>, blocks: &[LadderBlock]) -> Result<CompleteLadder, LadderError> {
        if clients.len() < 2 {
            let found = clients.len();
            return Err(LadderError::TooFewRungs { found });
        }
        if clients[0] == 0 || clients.windows(2).any(|w| w[0] >= w[1]) {
            return Err(LadderError::NotRising { clients });
        }
        if blocks.len() < 2 {
            let found = blocks.len();
            return Err(LadderError::TooFewBlocks { found });
        }
        let logs = blocks.iter().map(|block| logarithms_of_block(&clients, block)).collect::<Result<_, _>>()?;
        Ok(CompleteLadder { clients, blocks: blocks.iter().map(|b| b.block).collect(), logs })
    }

    /// The numbers of clients, rising.
    #[must_use]
    pub fn client_counts(&self) -> &[u32] {
        &self.clients
    }

    /// How many blocks the ladder has.
    #[must_use]
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// How much the highest rung gains over the one before it, as a share, over the blocks.
    #[must_use]
    pub fn last_gain(&self) -> Estimate {
        let top = self.clients.len() - 1;
        let gains: Vec<f64> = self.logs.iter().map(|b| b[top] - b[top - 1]).collect();
        match mean_estimate(&gains) {
            Some(gain) => gain.map(f64::exp_m1),
            None => unreachable!("a ladder has two blocks or more, and finite logarithms"),
        }
    }

    /// Whether the peak lies on the ladder: the highest rung gains less than [`PEAK_GAIN`].
    #[must_use]
    pub fn peak_reached(&self) -> bool {
        self.last_gain().point < PEAK_GAIN
    }

    /// Whether `other` has the same rungs in the same blocks.
    #[must_use]
    pub fn is_like(&self, other: &CompleteLadder) -> bool {
        self.clients == other.clients && self.blocks == other.blocks
    }

    /// Mean logarithm of each rung over the blocks drawn.
    pub(crate) fn rung_means(&self, drawn: &[usize]) -> Vec<f64> {
        (0..self.clients.len())
            .map(|rung| {
                let figures: Vec<f64> = drawn.iter().map(|b| self.logs[*b][rung]).collect();
                sample::sample_mean(&figures)
            })
            .collect()
    }

    /// The indices of all blocks: the draw that is the data itself.
    pub(crate) fn all_blocks(&self) -> Vec<usize> {
        (0..self.blocks.len()).collect()
    }
}

fn logarithms_of_block(clients: &[u32], block: &LadderBlock) -> Result<Vec<f64>, LadderError> {
    let (found, expected) = (block.throughput.len(), clients.len());
    if found != expected {
        return Err(LadderError::Incomplete { block: block.block, found, expected });
    }
    let figures = block.throughput.iter().zip(clients);
    figures
        .map(|(value, clients)| {
            if value.is_finite() && *value > 0.0 {
                Ok(value.ln())
            } else {
                Err(LadderError::NotPositive { block: block.block, clients: *clients, value: *value })
            }
        })
        .collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A ladder from rows of figures; blocks are numbered from 1.
    pub(crate) fn ladder_from_rows(clients: &[u32], rows: &[Vec<f64>]) -> Result<CompleteLadder, LadderError> {
        let blocks: Vec<LadderBlock> =
            rows.iter().zip(1..).map(|(row, block)| LadderBlock { block, throughput: row.clone() }).collect();
        CompleteLadder::new(clients.to_vec(), &blocks)
    }

    #[test]
    fn what_is_not_a_ladder_is_named() {
        let row = vec![1.0, 2.0];
        for (clients, rows, said) in [
            (vec![8], vec![vec![1.0]], "1 numbers of clients: a ladder needs at least 2"),
            (vec![8, 8], vec![row.clone()], "the numbers of clients [8, 8] are not ascending"),
            (vec![0, 8], vec![row.clone()], "the numbers of clients [0, 8] are not ascending"),
            (vec![8, 16], vec![row.clone()], "1 blocks: an interval needs at least 2"),
            (vec![8, 16], vec![row.clone(), vec![1.0]], "block 2 has 1 figures for 2 numbers of clients"),
            (
                vec![8, 16],
                vec![row.clone(), vec![1.0, 0.0]],
                "block 2: the throughput 0 at 16 clients is not a positive number",
            ),
        ] {
            assert_eq!(ladder_from_rows(&clients, &rows).unwrap_err().to_string(), said);
        }
    }

    #[test]
    fn a_ladder_whose_top_still_gains_has_not_reached_its_peak() {
        let rows = |top: f64| vec![vec![100.0, 180.0, top], vec![200.0, 360.0, top * 2.0]];
        for (top, reached) in [(200.0, false), (189.0, false), (188.0, true), (150.0, true)] {
            let ladder = ladder_from_rows(&[1, 2, 4], &rows(top)).unwrap();
            assert_eq!(ladder.peak_reached(), reached, "{top}");
        }
    }
}
