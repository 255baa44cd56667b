//! The seconds of one trial as they are written, from the three files that tell of them.

use std::collections::VecDeque;
use std::io;
use std::path::Path;

use jiff::Timestamp;
use judge::observed::SeriesLine;
use report::live::LiveSecondData;
use results::activity::SampledActivity;
use results::latency_log;

use crate::tail::Tail;

/// A trial that is followed.
#[derive(Debug)]
pub(crate) struct TrialTail {
    number: u32,
    target: String,
    load_start_s: f64,
    intervals: Tail,
    activity: Tail,
    /// Seconds in whose place the sessions have not been told yet.
    seconds: VecDeque<Vec<u8>>,
    sessions: VecDeque<Vec<u8>>,
}

impl TrialTail {
    /// Of the directory of a trial.
    ///
    /// # Errors
    /// The system's; also where the trial has only begun to have files.
    pub(crate) fn open_trial(directory: &Path, number: u32, target: String) -> io::Result<Self> {
        let load_start_s = load_start(directory)?.as_millisecond() as f64 / 1e3;
        let tail = |name: &str| Tail::open_file(&directory.join(name));
        let (intervals, activity) = (tail("intervals.jsonl")?, tail("activity.jsonl")?);
        let (seconds, sessions) = (VecDeque::new(), VecDeque::new());
        Ok(Self { number, target, load_start_s, intervals, activity, seconds, sessions })
    }

    /// Reads what was appended; `has_ended`: nothing more comes, so that no second waits for its sessions.
    ///
    /// # Errors
    /// The system's, and that a line is not one of its file.
    pub(crate) fn read_new_seconds(&mut self, has_ended: bool) -> io::Result<Vec<LiveSecondData>> {
        self.seconds.extend(self.intervals.read_new_lines()?);
        self.sessions.extend(self.activity.read_new_lines()?);
        let mut told = Vec::new();
        while let Some(second) = self.seconds.front() {
            let line: SeriesLine<'_> = parse_json_line(second)?;
            let of_second =
                self.sessions.front().map(|sessions| parse_json_line::<SampledActivity>(sessions)).transpose()?;
            if of_second.is_none() && self.seconds.len() == 1 && !has_ended {
                break;
            }
            let of_second = of_second.filter(|seen| (seen.phase, seen.index) == (line.phase, line.index));
            let data = LiveSecondData::from_interval_line(
                self.number,
                &self.target,
                self.load_start_s,
                &line,
                of_second.as_ref(),
            );
            told.extend(data);
            if of_second.is_some() {
                self.sessions.pop_front();
            }
            self.seconds.pop_front();
        }
        Ok(told)
    }
}

/// When the load of a trial began.
pub(crate) fn load_start(directory: &Path) -> io::Result<Timestamp> {
    latency_log::load_start(&directory.join(latency_log::FILE_NAME)).map_err(io::Error::other)
}

fn parse_json_line<'a, T: serde::Deserialize<'a>>(line: &'a [u8]) -> io::Result<T> {
    Ok(serde_json::from_slice(line)?)
}
