//! What one trial is asked to do.

/// What one trial is asked to do besides what its workload says.
#[derive(Debug, Clone, Copy)]
pub struct TrialRequest<'t> {
    pub clients: u32,
    /// Seed of the random numbers.
    pub seed: u64,
    /// The rate of a step of a search.
    pub rate_per_s: Option<f64>,
    /// The target that it is sent to.
    pub target: &'t str,
    /// Its place among the sides that take turns; 0 where there is one.
    pub place: usize,
}
