//! `audit`: what must hold, or a comparison is not one.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use judge::audit::BenchmarkAudit;
use judge::observed::Observed;
use judge::{Judgement, judge_run};
use results::imported::ImportedFile;
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
pub(super) fn run_audit_command(arguments: &AuditArgs, manner: Manner) -> Result<CommandStatus, Problem> {
    let mut audited = match arguments.files.iter().filter(|path| path.is_dir()).count() {
        0 => vec![Audited::import_and_judge(&arguments.files, manner)?],
        all if all == arguments.files.len() => {
            arguments.files.iter().map(|path| Audited::read_and_judge(path)).collect::<Result<_, _>>()?
        }
        _ => {
            return Err(Problem::usage_error("the arguments mix run directories and files")
                .hint("audit runs and files separately, or import the files first with `pgdyno import`"));
        }
    };
    for one in &mut audited {
        rule::leave_out(&mut one.judgement, &arguments.ignore)?;
    }
    print_audits(&audited, if manner.json { ReportFormatChoice::Json } else { arguments.format })
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
    /// How each file was understood, and what of it was not read; absent where a run directory was audited that pgdyno
    /// measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<&'a [ImportedFile]>,
    #[serde(flatten)]
    audit: AuditData,
}

impl Audited {
    /// Reads files as one study, of which nothing stays on the disk, and says how it understood them.
    fn import_and_judge(files: &[PathBuf], manner: Manner) -> Result<Self, Problem> {
        let request = ImportRequest { files: files.to_vec(), ..ImportRequest::default() };
        let observed = import::observe_study(&request, Timestamp::now())?;
        if !manner.quiet {
            super::import::explain_observed(&observed);
        }
        let judgement = judge_run(&observed);
        Ok(Self { observed, judgement })
    }

    fn read_and_judge(path: &Path) -> Result<Self, Problem> {
        Self::from_run_directory(&RunDir::open(path)?)
    }

    fn from_run_directory(dir: &RunDir) -> Result<Self, Problem> {
        let observed = Observed::read(dir)?;
        let judgement = judge_run(&observed);
        Ok(Self { observed, judgement })
    }

    fn audit_of_run(&self) -> &BenchmarkAudit {
        self.judgement.audit.as_ref().expect("a run that is judged by itself is audited")
    }

    fn printed_json(&self) -> PrintedAudit<'_> {
        let ignored = self.judgement.ignored.iter().map(|code| code.name).collect();
        let files = self.observed.run.imported.as_ref().map(|imported| imported.sources.as_slice());
        let audit = report::audit::audit_data(self.audit_of_run());
        PrintedAudit { name: &self.observed.run.name, ignored, files, audit }
    }

    fn audit_title(&self) -> String {
        let ignored = self.judgement.ignored_in_words().map_or(String::new(), |words| format!(", {words}"));
        format!(
            "Audit of \"{}\": {}{ignored}",
            self.observed.run.name,
            report::audit::audit_summary(self.audit_of_run())
        )
    }

    fn for_terminal(&self) -> String {
        let width = usize::from(conclude::terminal_width().unwrap_or(WIDTH));
        format!("{}\n\n{}\n", self.audit_title(), report::audit::audit_lines(self.audit_of_run(), width).join("\n"))
    }
}

fn print_audits(audited: &[Audited], format: ReportFormatChoice) -> Result<CommandStatus, Problem> {
    let each = |text: fn(&Audited) -> String| audited.iter().map(text).collect::<Vec<_>>().join("\n");
    match format {
        ReportFormatChoice::Json => {
            let data: Vec<PrintedAudit<'_>> = audited.iter().map(Audited::printed_json).collect();
            documents::print_bytes(documents::pretty_json(&data).as_bytes())
        }
        ReportFormatChoice::Terminal => documents::print_bytes(each(Audited::for_terminal).as_bytes()),
        ReportFormatChoice::Markdown => {
            let text = |one: &Audited| {
                format!("## {}\n\n{}", one.audit_title(), report::audit::audit_markdown(one.audit_of_run()))
            };
            documents::print_bytes(each(text).as_bytes())
        }
        ReportFormatChoice::Html => match audited {
            [Audited { observed, judgement }] => {
                documents::print_bytes(report::report_html(&report::build_report(observed, judgement)).as_bytes())
            }
            _ => Err(Problem::usage_error("an HTML report shows one run")
                .hint("audit the runs one by one, or use --format markdown")),
        },
    }
}
