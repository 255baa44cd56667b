//! `report`: the report of a run, made again.

use judge::judge;
use judge::observed::Observed;
use results::store::RunDir;

use super::{Manner, conclude, documents};
use crate::cli::{Format, ReportArgs};
use crate::problem::{Problem, Status};

/// Makes it; succeeds whatever the verdict is.
pub(super) fn report(arguments: &ReportArgs, manner: Manner) -> Result<Status, Problem> {
    let dir = RunDir::open(&arguments.run)?;
    let observed = Observed::read(&dir)?;
    let judgement = judge(&observed);
    let format = if manner.json { Format::Json } else { arguments.format };
    let text = match format {
        Format::Html => {
            let path = arguments.output.clone().unwrap_or_else(|| dir.path().join("report.html"));
            conclude::write_html(&path, &report::build(&observed, &judgement))?;
            return documents::print(format!("{}\n", path.display()).as_bytes());
        }
        Format::Terminal if arguments.output.is_none() => conclude::for_terminal(&judgement),
        Format::Terminal => report::terminal(&judgement, false, None),
        Format::Markdown => report::markdown(&judgement, &observed.run.name),
        Format::Json => {
            let data = report::build(&observed, &judgement);
            format!("{}\n", serde_json::to_string(&data).expect("plain data always serialises"))
        }
    };
    match &arguments.output {
        None => documents::print(text.as_bytes()),
        Some(path) => std::fs::write(path, text).map(|()| Status::Done).map_err(|error| {
            Problem::could_not_measure(format!("could not write {}", path.display())).detail(error.to_string())
        }),
    }
}
