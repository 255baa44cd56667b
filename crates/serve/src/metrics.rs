//! What a Prometheus finds when it scrapes: the latest second of what is being measured, of every run that is served.
//!
//! Each run is followed from one scrape to the next, so that a scrape reads what was appended since and no more;
//! between two of them nothing is read.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;

use jiff::Timestamp;
use report::formats::{Scraped, scrape_text};
use report::live::{LiveSecondData, NowData};

use crate::follow::{Follow, News};

/// A second that is older is not told any more: its trial has ended, or stands still.
const FRESH_S: f64 = 15.0;

/// The runs that were scraped last.
#[derive(Debug, Default)]
pub(crate) struct Metrics(Mutex<BTreeMap<PathBuf, FollowedRun>>);

/// A run between two scrapes.
#[derive(Debug)]
struct FollowedRun {
    follow: Follow,
    now: Option<NowData>,
    /// Of each trial the second that ended last.
    seconds: BTreeMap<u32, LiveSecondData>,
}

impl Metrics {
    /// The text of a scrape of these runs.
    pub(crate) fn scrape_runs(&self, runs: &[PathBuf]) -> String {
        let now_s = Timestamp::now().as_millisecond() as f64 / 1e3;
        let mut followed = self.0.lock().expect("nobody panics while holding it");
        followed.retain(|path, _| runs.contains(path));
        for path in runs {
            followed
                .entry(path.clone())
                .or_insert_with(|| FollowedRun::new(path.clone(), now_s))
                .update_from_run(now_s);
        }
        let told: Vec<Scraped<'_>> = followed.values().filter_map(FollowedRun::scraped_figures).collect();
        scrape_text(&told)
    }
}

impl FollowedRun {
    fn new(path: PathBuf, now_s: f64) -> Self {
        Self { follow: Follow::new(path, Some(now_s - FRESH_S)), now: None, seconds: BTreeMap::new() }
    }

    fn update_from_run(&mut self, now_s: f64) {
        for news in self.follow.poll_news() {
            match news {
                News::Now(now) => self.now = Some(*now),
                News::Seconds(seconds) => {
                    self.seconds.extend(seconds.into_iter().map(|second| (second.trial, second)));
                }
                // A run that cannot be read has nothing to tell; its page says why.
                News::Trouble(_) | News::End | News::Gone => {}
            }
        }
        self.seconds.retain(|_, second| second.at_s > now_s - FRESH_S);
    }

    fn scraped_figures(&self) -> Option<Scraped<'_>> {
        let (now, seconds) = (self.now.as_ref(), self.seconds.values().collect());
        Some(Scraped { run: self.follow.run_identity()?, now, seconds })
    }
}
