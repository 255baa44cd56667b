//! Summaries of kbench, which runs fio in Kubernetes: of each job two figures, of one or several volumes in a file.
//! Older versions print the figures of reads and of writes in lines of their own.
//!
//! They do not tell block sizes and depths, so none are entered.

use plan::quantity::{self, Kilo};
use results::told::{ToldFlow, ToldLatency, ToldStorage};

use crate::output_format::{OutputFigures, OutputFormat, StorageJob, UnreadableLine};

/// What a summary begins with.
const BEGIN: &str = "FIO Benchmark Summary";

/// A summary of kbench, or several.
pub(super) struct KbenchSummary;

/// What a section tells; figures times the factor are bytes per second or nanoseconds.
#[derive(Debug, Clone, Copy)]
enum KbenchSection {
    Iops,
    Bandwidth(f64),
    Latency(f64),
}

impl OutputFormat for KbenchSummary {
    fn program_name(&self) -> &'static str {
        "kbench"
    }

    fn is_format_of(&self, head: &str) -> bool {
        head.lines().any(|line| line.trim() == BEGIN)
    }

    /// Each summary is of the volume that a heading before it names.
    fn read_figures(&self, text: &str) -> Result<OutputFigures, UnreadableLine> {
        let mut figures = OutputFigures {
            notes: vec!["kbench reports neither block sizes nor queue depths".to_owned()],
            ..OutputFigures::default()
        };
        let mut heading = None;
        let mut section = None;
        let mut file_bytes = None;
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if let Some(name) = line.strip_prefix('#') {
                heading = Some(name.trim_start_matches('#').trim().to_owned());
            } else if line == BEGIN {
                (section, file_bytes) = (None, None);
            } else if let Some(size) = line.strip_prefix("Size: ").or_else(|| line.strip_prefix("SIZE: ")) {
                file_bytes = quantity::parse_size_bytes(size, Kilo::Is1024).map(|bytes| bytes as u64);
            } else if let Some(title) = line.strip_suffix("(Read/Write)") {
                section = KbenchSection::from_title(title.trim());
                if section.is_none() {
                    return Err(UnreadableLine { line: index + 1, problem: format!("unknown unit in {line:?}") });
                }
            } else if let Some(of_older) = KbenchSection::from_title(line) {
                section = Some(of_older);
            } else if let Some((section, one_way)) = section.zip(OneWayFigure::parse_line(line)) {
                let one_way = one_way.map_err(|problem| UnreadableLine { line: index + 1, problem })?;
                let job = format!("{} {}", one_way.pattern, section.section_title());
                let storage_job =
                    job_of_figure(&mut figures.storage_jobs, &job, heading.as_ref(), (index + 1, one_way.is_read));
                storage_job.told.file_bytes = file_bytes;
                let flow = section.flow_of(one_way.figure);
                if one_way.is_read {
                    storage_job.told.read = flow;
                } else {
                    storage_job.told.write = flow;
                }
            } else if let Some((section, (pattern, pair))) = section.zip(split_pattern(line)) {
                let Some((read, write)) = read_and_write(pair) else {
                    let problem = format!("expected a figure of reads and one of writes, found {line:?}");
                    return Err(UnreadableLine { line: index + 1, problem });
                };
                let told = ToldStorage {
                    job: format!("{pattern} {}", section.section_title()),
                    file_bytes,
                    read: section.flow_of(read),
                    write: section.flow_of(write),
                    ..ToldStorage::default()
                };
                figures.storage_jobs.push(StorageJob { line: index + 1, heading: heading.clone(), told });
            }
        }
        if figures.storage_jobs.is_empty() {
            let problem = "the summary of kbench ends here without a figure".to_owned();
            return Err(UnreadableLine { line: text.lines().count().max(1), problem });
        }
        Ok(figures)
    }
}

/// A figure of reads or of writes, as older versions print it: `Random Read:  13,154 (sys/usr cpu: 5% / 2%)`.
struct OneWayFigure {
    pattern: &'static str,
    is_read: bool,
    figure: f64,
}

impl OneWayFigure {
    /// None where a line is of something else; an error where its figure is none.
    fn parse_line(line: &str) -> Option<Result<Self, String>> {
        let (name, rest) = line.split_once(':')?;
        let (pattern, is_read) = match name.trim() {
            "Random Read" => ("random", true),
            "Random Write" => ("random", false),
            "Sequential Read" => ("sequential", true),
            "Sequential Write" => ("sequential", false),
            _ => return None,
        };
        let text = rest.split('(').next().unwrap_or(rest).trim();
        let figure = whole_number(text).ok_or_else(|| format!("expected a figure, found {text:?}"));
        Some(figure.map(|figure| Self { pattern, is_read, figure }))
    }
}

/// The job of a figure at a line: of writes the last one, if it has the reads of the same job; else a new one.
fn job_of_figure<'a>(
    jobs: &'a mut Vec<StorageJob>,
    job: &str,
    heading: Option<&String>,
    (line, is_read): (usize, bool),
) -> &'a mut StorageJob {
    let is_last = !is_read && jobs.last().is_some_and(|last| last.told.job == job && last.told.write.is_empty());
    if !is_last {
        let told = ToldStorage { job: job.to_owned(), ..ToldStorage::default() };
        jobs.push(StorageJob { line, heading: heading.cloned(), told });
    }
    let last = jobs.len() - 1;
    &mut jobs[last]
}

impl KbenchSection {
    /// `IOPS`, `Bandwidth in KiB/sec`, `Latency in ns`.
    fn from_title(title: &str) -> Option<Self> {
        if title == "IOPS" {
            return Some(Self::Iops);
        }
        let (what, unit) = title.split_once(" in ")?;
        match what {
            "Bandwidth" => {
                let size = unit.strip_suffix("/sec").or_else(|| unit.strip_suffix("/s"))?;
                quantity::bytes_of(size, Kilo::Is1000).map(Self::Bandwidth)
            }
            "Latency" => quantity::ns_of(unit).map(Self::Latency),
            _ => None,
        }
    }

    fn section_title(self) -> &'static str {
        match self {
            Self::Iops => "IOPS",
            Self::Bandwidth(_) => "bandwidth",
            Self::Latency(_) => "latency",
        }
    }

    fn flow_of(self, figure: f64) -> ToldFlow {
        match self {
            Self::Iops => ToldFlow { operations_per_s: Some(figure), ..ToldFlow::default() },
            Self::Bandwidth(factor) => ToldFlow { bytes_per_s: Some(figure * factor), ..ToldFlow::default() },
            Self::Latency(factor) => ToldFlow { latency: ToldLatency::of_mean(figure * factor), ..ToldFlow::default() },
        }
    }
}

/// The pattern of `Random:          90,546 / 73,514`, and what follows it.
fn split_pattern(line: &str) -> Option<(&'static str, &str)> {
    let (pattern, figures) = line.split_once(':')?;
    match pattern.trim() {
        "Random" => Some(("random", figures)),
        "Sequential" => Some(("sequential", figures)),
        _ => None,
    }
}

fn read_and_write(pair: &str) -> Option<(f64, f64)> {
    let (read, write) = pair.split_once('/')?;
    Some((whole_number(read.trim())?, whole_number(write.trim())?))
}

/// A whole number whose thousands are parted by commas; none if they part anything else.
fn whole_number(text: &str) -> Option<f64> {
    let mut digits = String::new();
    for (index, group) in text.split(',').enumerate() {
        let is_whole = group.bytes().all(|byte| byte.is_ascii_digit());
        let has_its_length = if index > 0 { group.len() == 3 } else { !group.is_empty() };
        if !is_whole || !has_its_length {
            return None;
        }
        digits.push_str(group);
    }
    let first = text.split(',').next()?;
    if text.contains(',') && first.len() > 3 {
        return None;
    }
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_figure_of_a_summary_is_read_with_its_unit_and_the_volume_of_its_heading() {
        let text = "### fast (NVMe)\n```\nFIO Benchmark Summary\nFor: test_device\nIOPS (Read/Write)\n        Random:  90,546 / 833\n\
                    Bandwidth in KiB/sec (Read/Write)\n  Sequential:  1,198,067 / 102,760\nLatency in ns (Read/Write)\n  Random: 125,716 / 5,845,466\n";
        let figures = KbenchSummary.read_figures(text).expect("read");
        let [iops, bandwidth, latency] = &figures.storage_jobs[..] else { panic!("{figures:?}") };
        assert_eq!((iops.heading.as_deref(), iops.line), (Some("fast (NVMe)"), 6));
        assert_eq!(iops.told.job, "random IOPS");
        assert_eq!(iops.told.read.operations_per_s, Some(90_546.0));
        assert_eq!(iops.told.write.operations_per_s, Some(833.0));
        assert_eq!(bandwidth.told.read.bytes_per_s, Some(1_198_067.0 * 1024.0));
        assert_eq!(latency.told.write.latency.mean_ns, Some(5_845_466.0));
        assert_eq!((latency.told.block_bytes, latency.told.depth), (None, None), "nobody says");
    }

    #[test]
    fn figures_of_older_versions_stand_in_lines_of_their_own() {
        let text = "FIO Benchmark Summary\nSIZE: 30G\nQUICK MODE: DISABLED\n=====\nIOPS\n   Random Read:  13,154 (sys/usr cpu: 5% / 2%)\n\
                    Random Write:  10,384 (sys/usr cpu: 5% / 2%)\n\nLatency in ns\n   Sequential Read:   184,324 (sys/usr cpu: 3% / 1%)\n";
        let figures = KbenchSummary.read_figures(text).expect("read");
        let [iops, latency] = &figures.storage_jobs[..] else { panic!("{figures:?}") };
        assert_eq!((iops.told.job.as_str(), iops.told.file_bytes), ("random IOPS", Some(30 << 30)));
        assert_eq!(iops.told.read.operations_per_s, Some(13_154.0));
        assert_eq!(iops.told.write.operations_per_s, Some(10_384.0));
        assert_eq!(
            (latency.told.job.as_str(), latency.told.read.latency.mean_ns),
            ("sequential latency", Some(184_324.0))
        );
        let empty = KbenchSummary.read_figures("FIO Benchmark Summary\nFor: x\n").expect_err("no figure");
        assert_eq!(empty.line, 2);
    }

    #[test]
    fn what_is_no_figure_is_an_error_with_its_line() {
        for torn in ["90,5", "9054,600", "", "x", ",546"] {
            let text = format!("FIO Benchmark Summary\nIOPS (Read/Write)\n  Random:  {torn} / 833\n");
            let error = KbenchSummary.read_figures(&text).expect_err("a torn figure");
            assert_eq!(error.line, 3, "{torn}");
        }
    }

    #[test]
    fn thousands_are_parted_in_threes_or_not_at_all() {
        for (text, expected) in [
            ("833", Some(833.0)),
            ("90546", Some(90_546.0)),
            ("90,546", Some(90_546.0)),
            ("1,198,067", Some(1_198_067.0)),
            ("90,5", None),
            ("1198,067", None),
            (",067", None),
            ("", None),
            ("n/a", None),
        ] {
            assert_eq!(whole_number(text), expected, "{text:?}");
        }
    }
}
