//! Whether anybody looks at what is served, and for how long nobody has. A server that was started beside a run ends by
//! it.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Who is there, as all requests tell it.
#[derive(Debug, Clone)]
pub(crate) struct Attendance(Arc<Mutex<Looks>>);

#[derive(Debug)]
struct Looks {
    /// Pages that follow a run at this moment.
    pages: usize,
    last: Instant,
}

impl Attendance {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new(Looks { pages: 0, last: Instant::now() })))
    }

    /// Somebody looks now.
    pub(crate) fn record_look(&self) {
        self.change_page_count(|_pages| {});
    }

    /// A page follows a run for as long as what is returned lives.
    pub(crate) fn follow_page(&self) -> AttendedPage {
        self.change_page_count(|pages| *pages += 1);
        AttendedPage(self.clone())
    }

    /// For how long nobody has looked.
    pub(crate) fn quiet_for(&self) -> Duration {
        let looks = self.0.lock().expect("nobody panics while holding it");
        if looks.pages > 0 { Duration::ZERO } else { looks.last.elapsed() }
    }

    fn change_page_count(&self, change: impl FnOnce(&mut usize)) {
        let mut looks = self.0.lock().expect("nobody panics while holding it");
        change(&mut looks.pages);
        looks.last = Instant::now();
    }
}

/// A page that follows a run.
#[derive(Debug)]
pub(crate) struct AttendedPage(Attendance);

impl Drop for AttendedPage {
    fn drop(&mut self) {
        self.0.change_page_count(|pages| *pages -= 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_follows_a_run_is_there_until_it_goes() {
        let attendance = Attendance::new();
        let quiet = || attendance.quiet_for() > Duration::ZERO;
        while !quiet() {}
        let (one, other) = (attendance.follow_page(), attendance.follow_page());
        assert!(!quiet());
        drop(one);
        assert!(!quiet());
        drop(other);
        while !quiet() {}
    }
}
