//! Summaries of kbench, which runs fio in Kubernetes: of each job two figures, of one or several volumes in a file.
//!
//! They do not tell block sizes and depths, so none are entered.

use results::told::{ToldFlow, ToldLatency, ToldStorage};

use super::figure::thousands;
use super::found::{Content, Document, Rows};
use super::source_file::SourceFile;
use super::unit::{Unit, UnitKind};
use problem::Problem;

/// What a summary begins with.
const BEGIN: &str = "FIO Benchmark Summary";

/// Whether a text holds a summary.
pub(crate) fn looks_like_output(head: &str) -> bool {
    head.lines().any(|line| line.trim() == BEGIN)
}

/// What a section tells, and in which unit.
#[derive(Debug, Clone, Copy)]
enum Section {
    Iops,
    Bandwidth(Unit),
    Latency(Unit),
}

/// Reads summaries; each is of the volume that a heading before it names.
///
/// # Errors
/// At a line of figures that are none.
pub(crate) fn read(file: &SourceFile, text: &str) -> Result<Document, Problem> {
    let mut rows = Rows::default();
    let (mut heading, mut section): (Option<String>, Option<Section>) = (None, None);
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(name) = line.strip_prefix('#') {
            heading = Some(name.trim_start_matches('#').trim().to_owned());
        } else if line == BEGIN {
            section = None;
        } else if let Some(title) = line.strip_suffix("(Read/Write)") {
            let of = self::section(title.trim());
            section = Some(of.ok_or_else(|| file.wrong(index + 1, format!("unknown unit in {line:?}")))?);
        } else if let Some((section, pattern, figures)) = of_pattern(section, line) {
            let wrong =
                || file.wrong(index + 1, format!("expected a figure of reads and one of writes, found {line:?}"));
            let (read, write) = figures.split_once('/').ok_or_else(wrong)?;
            let figure = |text: &str| thousands(text.trim()).ok_or_else(wrong);
            let given = file.target.clone();
            rows.storage.push(ToldStorage {
                target: given.or_else(|| heading.clone()).unwrap_or_else(|| file.stem()),
                source: format!("{}:{}", file.name(), index + 1),
                read: flow(section, figure(read)?),
                write: flow(section, figure(write)?),
                job: format!("{pattern} {}", section.name()),
                ..ToldStorage::default()
            });
        }
    }
    let notes = vec!["kbench reports neither block sizes nor queue depths".to_owned()];
    Ok(Document { file: file.clone(), tool: "kbench", version: None, notes, content: Content::Table(rows) })
}

impl Section {
    fn name(self) -> &'static str {
        match self {
            Self::Iops => "IOPS",
            Self::Bandwidth(_) => "bandwidth",
            Self::Latency(_) => "latency",
        }
    }
}

/// `IOPS`, `Bandwidth in KiB/sec`, `Latency in ns`.
fn section(title: &str) -> Option<Section> {
    let of = |what: &str, kind: UnitKind| {
        let unit = Unit::parse(title.strip_prefix(what)?.trim().strip_prefix("in ")?)?;
        (unit.kind == kind).then_some(unit)
    };
    let bandwidth = || of("Bandwidth", UnitKind::SizePerSecond).map(Section::Bandwidth);
    let latency = || of("Latency", UnitKind::Time).map(Section::Latency);
    (title == "IOPS").then_some(Section::Iops).or_else(bandwidth).or_else(latency)
}

/// `Random:          90,546 / 73,514`
fn of_pattern(section: Option<Section>, line: &str) -> Option<(Section, &'static str, &str)> {
    let (pattern, figures) = line.split_once(':')?;
    let pattern = match pattern.trim() {
        "Random" => "random",
        "Sequential" => "sequential",
        _ => return None,
    };
    Some((section?, pattern, figures))
}

fn flow(section: Section, figure: f64) -> ToldFlow {
    match section {
        Section::Iops => ToldFlow { operations_per_s: Some(figure), ..ToldFlow::default() },
        Section::Bandwidth(unit) => ToldFlow { bytes_per_s: Some(figure * unit.factor), ..ToldFlow::default() },
        Section::Latency(unit) => ToldFlow {
            latency: ToldLatency { mean_ns: Some(figure * unit.factor), ..ToldLatency::default() },
            ..ToldFlow::default()
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_figure_of_a_summary_is_read_with_its_unit_and_the_volume_of_its_heading() {
        let text = "### fast (NVMe)\n```\nFIO Benchmark Summary\nFor: test_device\nIOPS (Read/Write)\n        Random:  90,546 / 833\n\
                    Bandwidth in KiB/sec (Read/Write)\n  Sequential:  1,198,067 / 102,760\nLatency in ns (Read/Write)\n  Random: 125,716 / 5,845,466\n";
        let document = read(&SourceFile::given("volumes.md".as_ref()), text).expect("read");
        let Content::Table(rows) = document.content else { panic!("rows") };
        let [iops, bandwidth, latency] = &rows.storage[..] else { panic!("{rows:?}") };
        assert_eq!((iops.target.as_str(), iops.job.as_str()), ("fast (NVMe)", "random IOPS"));
        assert_eq!((iops.read.operations_per_s, iops.write.operations_per_s), (Some(90_546.0), Some(833.0)));
        assert_eq!(bandwidth.read.bytes_per_s, Some(1_198_067.0 * 1024.0));
        assert_eq!(latency.write.latency.mean_ns, Some(5_845_466.0));
        assert_eq!((latency.block_bytes, latency.depth), (None, None), "nobody says");
    }

    #[test]
    fn what_is_no_figure_is_an_error_with_its_line() {
        let text = "FIO Benchmark Summary\nIOPS (Read/Write)\n  Random:  90,5 / 833\n";
        let problem = read(&SourceFile::given("volumes.md".as_ref()), text).expect_err("a torn figure");
        assert!(problem.to_string().contains("line 3"), "{problem}");
    }
}
