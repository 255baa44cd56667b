//! `audit`: what must hold, or a comparison is not one.

use std::path::Path;

use jiff::Timestamp;
use judge::audit::BenchmarkAudit;
use judge::codes::Code;
use judge::observed::Observed;
use judge::{Judgement, judge_run};
use results::imported::ImportedFile;
use results::run::Run;
use results::store::RunDir;
use serde::Serialize;

use super::{Manner, conclude, documents, rule};
use crate::cli::{AuditArgs, ReportFormatChoice};
use import::{self, AuditedStudy, ImportRequest};
use problem::{CommandStatus, Problem};

use report::audit::AuditData;

/// Columns where the output is no terminal.
const WIDTH: u16 = 120;

/// Audits each run, or all files as one study; succeeds whatever is found.
pub(super) fn run_audit_command(arguments: &AuditArgs, manner: Manner) -> Result<CommandStatus, Problem> {
    let mut audited = match arguments.files.iter().filter(|path| path.is_dir()).count() {
        0 => vec![Audited::import_files(arguments, manner)?],
        all if all == arguments.files.len() => {
            arguments.files.iter().map(|path| Audited::read_and_judge(path)).collect::<Result<_, _>>()?
        }
        _ => {
            return Err(Problem::usage_error("the arguments mix run directories and files")
                .hint("audit runs and files separately, or import the files first with `pgdyno import`"));
        }
    };
    for one in &mut audited {
        one.leave_out(&arguments.ignore)?;
    }
    print_audits(&audited, if manner.json { ReportFormatChoice::Json } else { arguments.format })
}

/// A run with what an audit says of it.
struct Audited {
    conclusions: Conclusions,
}

/// What is concluded of a run.
enum Conclusions {
    /// Everything.
    Judged(Box<(Observed, Judgement)>),
    /// What an audit says, and nothing else.
    Audited(Box<AuditedStudy>, Vec<&'static Code>),
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
    /// Reads files as one study, of which nothing stays on the disk, and says how it understood them. Only a page needs
    /// more than the audit.
    fn import_files(arguments: &AuditArgs, manner: Manner) -> Result<Self, Problem> {
        let request = ImportRequest { files: arguments.files.clone(), ..ImportRequest::default() };
        if arguments.format != ReportFormatChoice::Html || manner.json {
            let study = import::audit_study(&request, Timestamp::now())?;
            if !manner.quiet {
                super::import::explain_run(&study.run, study.trials, study.storage_jobs);
            }
            return Ok(Self { conclusions: Conclusions::Audited(Box::new(study), Vec::new()) });
        }
        let observed = import::observe_study(&request, Timestamp::now())?;
        if !manner.quiet {
            let storage = observed.run.imported.as_ref().map_or(0, |imported| imported.storage.len());
            super::import::explain_run(&observed.run, observed.trials.len(), observed.disks.len() + storage);
        }
        Ok(Self::judge_observed(observed))
    }

    fn judge_observed(observed: Observed) -> Self {
        let judgement = judge_run(&observed);
        Self { conclusions: Conclusions::Judged(Box::new((observed, judgement))) }
    }

    fn read_and_judge(path: &Path) -> Result<Self, Problem> {
        Self::from_run_directory(&RunDir::open(path)?)
    }

    fn from_run_directory(dir: &RunDir) -> Result<Self, Problem> {
        Ok(Self::judge_observed(Observed::read(dir)?))
    }

    /// Leaves out the checks of these names.
    ///
    /// # Errors
    /// A code that there is not.
    fn leave_out(&mut self, names: &[String]) -> Result<(), Problem> {
        match &mut self.conclusions {
            Conclusions::Judged(judged) => rule::leave_out(&mut judged.1, names)?,
            Conclusions::Audited(study, ignored) => {
                let codes = rule::codes_named(names)?;
                study.audit.leave_out(&codes);
                for code in codes {
                    if !ignored.contains(&code) {
                        ignored.push(code);
                    }
                }
            }
        }
        Ok(())
    }

    fn audited_run(&self) -> &Run {
        match &self.conclusions {
            Conclusions::Judged(judged) => &judged.0.run,
            Conclusions::Audited(study, _) => &study.run,
        }
    }

    fn ignored_names(&self) -> Vec<&'static str> {
        let ignored = match &self.conclusions {
            Conclusions::Judged(judged) => &judged.1.ignored,
            Conclusions::Audited(_, ignored) => ignored,
        };
        ignored.iter().map(|code| code.name).collect()
    }

    fn audit_of_run(&self) -> &BenchmarkAudit {
        match &self.conclusions {
            Conclusions::Judged(judged) => judged.1.audit.as_ref().expect("a run that is judged by itself is audited"),
            Conclusions::Audited(study, _) => &study.audit,
        }
    }

    fn printed_json(&self) -> PrintedAudit<'_> {
        let files = self.audited_run().imported.as_ref().map(|imported| imported.sources.as_slice());
        let audit = report::audit::audit_data(self.audit_of_run());
        PrintedAudit { name: &self.audited_run().name, ignored: self.ignored_names(), files, audit }
    }

    fn audit_title(&self) -> String {
        let ignored = self.ignored_names();
        let ignored = if ignored.is_empty() { String::new() } else { format!(", ignored: {}", ignored.join(", ")) };
        format!(
            "Audit of \"{}\": {}{ignored}",
            self.audited_run().name,
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
        ReportFormatChoice::Markdown => documents::print_bytes(
            each(|one| format!("## {}\n\n{}", one.audit_title(), report::audit::audit_markdown(one.audit_of_run())))
                .as_bytes(),
        ),
        ReportFormatChoice::Html => match audited {
            [Audited { conclusions: Conclusions::Judged(judged) }] => {
                let (observed, judgement) = judged.as_ref();
                documents::print_bytes(report::report_html(&report::build_report(observed, judgement)).as_bytes())
            }
            _ => Err(Problem::usage_error("an HTML report shows one run")
                .hint("audit the runs one by one, or use --format markdown")),
        },
    }
}
