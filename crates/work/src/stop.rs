//! How a run is asked to end early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A request to stop, shared between the run and whoever may ask. Once asked for it stays asked for; asking is safe in
/// a signal handler.
#[derive(Debug, Clone, Default)]
pub struct StopRequest(Arc<AtomicBool>);

impl StopRequest {
    /// Not asked for yet.
    #[must_use]
    pub fn new() -> StopRequest {
        StopRequest::default()
    }

    /// Asks every run that has this handle to finish the second under way and end as interrupted.
    pub fn request_stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked for.
    #[must_use]
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
