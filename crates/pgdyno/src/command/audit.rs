//! `audit`: what must hold, or a comparison is not one.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use judge::audit::BenchmarkAudit;
use judge::observed::Observed;
use judge::{Judgement, judge};
use results::store::RunDir;
use serde::Serialize;

use super::{Manner, conclude, documents, rule};
use crate::cli::{AuditArgs, ReportFormatChoice};
use import::{self, ImportRequest};
use problem::{CommandStatus, Problem};

use report::audit::AuditData;

/// Columns where the output is no terminal.
const WIDTH: u16 = 120;

/// Audits each run, or all files as one study; succeeds whatever is found.
pub(super) fn audit(arguments: &AuditArgs, manner: Manner) -> Result<CommandStatus, Problem> {
    let mut audited = match arguments.files.iter().filter(|path| path.is_dir()).count() {
        0 => vec![Audited::import(&arguments.files, manner)?],
        all if all == arguments.files.len() => {
            arguments.files.iter().map(|path| Audited::read(path)).collect::<Result<_, _>>()?
        }
        _ => {
            return Err(Problem::usage("the arguments mix run directories and files")
                .hint("audit runs and files separately, or import the files first with `pgdyno import`"));
        }
    };
    for one in &mut audited {
        rule::leave_out(&mut one.judgement, &arguments.ignore)?;
    }
    print(&audited, if manner.json { ReportFormatChoice::Json } else { arguments.format })
}

/// A run with what is concluded from it.
struct Audited {
    observed: Observed,
    judgement: Judgement,
}

/// What is printed as JSON of one run.
#[derive(Serialize)]
struct PrintedAudit<'a> {
    name: &'a str,
    ignored: Vec<&'static str>,
    #[serde(flatten)]
    audit: AuditData,
}

impl Audited {
    /// Reads files as one study, by way of a run directory that is removed again, and says how it understood them.
    fn import(files: &[PathBuf], manner: Manner) -> Result<Self, Problem> {
        let directory = tempfile::tempdir().map_err(|error| {
            Problem::could_not_measure("could not create a temporary directory").detail(error.to_string())
        })?;
        let request = ImportRequest { files: files.to_vec(), ..ImportRequest::default() };
        let dir = import::import(&request, directory.path(), Timestamp::now())?;
        if !manner.quiet {
            super::import::understood(&dir)?;
        }
        Self::of(&dir)
    }

    fn read(path: &Path) -> Result<Self, Problem> {
        Self::of(&RunDir::open(path)?)
    }

    fn of(dir: &RunDir) -> Result<Self, Problem> {
        let observed = Observed::read(dir)?;
        let judgement = judge(&observed);
        Ok(Self { observed, judgement })
    }

    fn audit(&self) -> &BenchmarkAudit {
        self.judgement.audit.as_ref().expect("a run that is judged by itself is audited")
    }

    fn printed(&self) -> PrintedAudit<'_> {
        let ignored = self.judgement.ignored.iter().map(|code| code.name).collect();
        PrintedAudit { name: &self.observed.run.name, ignored, audit: report::audit::data(self.audit()) }
    }

    fn title(&self) -> String {
        let ignored = self.judgement.ignored_in_words().map_or(String::new(), |words| format!(", {words}"));
        format!("Audit of \"{}\": {}{ignored}", self.observed.run.name, report::audit::summary(self.audit()))
    }

    fn for_terminal(&self) -> String {
        let width = usize::from(conclude::width().unwrap_or(WIDTH));
        format!("{}\n\n{}\n", self.title(), report::audit::lines(self.audit(), width).join("\n"))
    }
}

fn print(audited: &[Audited], format: ReportFormatChoice) -> Result<CommandStatus, Problem> {
    let each = |text: fn(&Audited) -> String| audited.iter().map(text).collect::<Vec<_>>().join("\n");
    match format {
        ReportFormatChoice::Json => {
            let data: Vec<PrintedAudit<'_>> = audited.iter().map(Audited::printed).collect();
            documents::print(documents::pretty_json(&data).as_bytes())
        }
        ReportFormatChoice::Terminal => documents::print(each(Audited::for_terminal).as_bytes()),
        ReportFormatChoice::Markdown => {
            let text = |one: &Audited| format!("## {}\n\n{}", one.title(), report::audit::markdown(one.audit()));
            documents::print(each(text).as_bytes())
        }
        ReportFormatChoice::Html => match audited {
            [Audited { observed, judgement }] => {
                documents::print(report::html(&report::build(observed, judgement)).as_bytes())
            }
            _ => Err(Problem::usage("an HTML report shows one run")
                .hint("audit the runs one by one, or use --format markdown")),
        },
    }
}
