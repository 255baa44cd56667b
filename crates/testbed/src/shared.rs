//! What the tests of one program share for as long as one of them holds it. Nothing that is static is ever dropped, so
//! a server in a plain static would not be stopped.

use std::sync::{Arc, Mutex, PoisonError, Weak};

/// A place for something to be shared: `static SERVER: Shared<Postgres> = Shared::new();`
pub struct SharedInstance<T>(Mutex<Weak<T>>);

impl<T> SharedInstance<T> {
    /// Nothing yet.
    pub const fn new() -> Self {
        Self(Mutex::new(Weak::new()))
    }

    /// What the others hold, or else a new one.
    pub fn or_make(&self, make: impl FnOnce() -> T) -> Arc<T> {
        let mut shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shared.upgrade().unwrap_or_else(|| {
            let made = Arc::new(make());
            *shared = Arc::downgrade(&made);
            made
        })
    }
}
