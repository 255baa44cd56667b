//! What is told to the person when something cannot be done, and the exit status that goes with it.

mod entry;

use std::fmt::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use cluster::ClusterError;
use dataset::DatasetError;
use load::ScriptError;
use server::TargetError;
use server::journal::JournalError;

use plan::PlanErrors;

use entry::object_and_value;
pub use entry::{ErrorEntry, FailureOutput};

/// How a command ended, for scripts. Documented and stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CommandStatus {
    /// Done, and no regression beyond the practical threshold.
    Done = 0,
    /// A regression beyond the practical threshold, or a broken requirement.
    Regression = 1,
    /// The command line or the plan is wrong.
    Usage = 2,
    /// Something kept the measurement from being made or finished.
    CouldNotMeasure = 3,
    /// Measured, but not enough for a verdict.
    NotEnoughData = 4,
}

impl CommandStatus {
    /// The one that a program of ours ended with, if it is one.
    pub fn of_code(code: i32) -> Option<Self> {
        let all = [Self::Done, Self::Regression, Self::Usage, Self::CouldNotMeasure, Self::NotEnoughData];
        all.into_iter().find(|status| *status as i32 == code)
    }
}

impl From<CommandStatus> for ExitCode {
    fn from(status: CommandStatus) -> Self {
        Self::from(status as u8)
    }
}

/// An error for a person: what, what the system said, what to try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    status: CommandStatus,
    kind: ProblemKind,
    primary: String,
    detail: Option<String>,
    hint: Option<String>,
    /// Where it is, for programs; absent where it is in no file, or nobody knows.
    places: Option<Box<Places>>,
}

/// Where a problem is, for programs: people read it in the words.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Places {
    /// In a script.
    Script { file: String, line: u32, column: u32 },
    /// In a plan, with an error for each place.
    Plan(PlanErrors),
}

/// What a problem is beside its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProblemKind {
    /// Something is wrong.
    Error,
    /// The same, and the primary text says all by itself, label included.
    ErrorInFull,
    /// A person gave up.
    Interruption,
}

impl Problem {
    /// A problem with the command line or a plan.
    pub fn usage_error(primary: impl Into<String>) -> Self {
        Self::with_status(CommandStatus::Usage, primary)
    }

    /// Something that kept a measurement from being made.
    pub fn could_not_measure(primary: impl Into<String>) -> Self {
        Self::with_status(CommandStatus::CouldNotMeasure, primary)
    }

    /// A person gave up before what was asked had been measured.
    pub fn interrupted_by_user() -> Self {
        Self { kind: ProblemKind::Interruption, ..Self::could_not_measure("interrupted") }
    }

    /// A person gave up before there was anything.
    pub fn interrupted_before(what: &str) -> Self {
        Self { kind: ProblemKind::Interruption, ..Self::could_not_measure(format!("interrupted before {what}")) }
    }

    /// A plan that cannot be used: its errors have a form of their own, with places and carets.
    pub fn from_plan_errors(errors: &PlanErrors) -> Self {
        let places = Some(Box::new(Places::Plan(errors.clone())));
        Self {
            kind: ProblemKind::ErrorInFull,
            places,
            ..Self::with_status(CommandStatus::Usage, errors.to_string().trim_end())
        }
    }

    fn with_status(status: CommandStatus, primary: impl Into<String>) -> Self {
        Self { status, kind: ProblemKind::Error, primary: primary.into(), detail: None, hint: None, places: None }
    }

    /// The same at the place of an error in a script.
    #[must_use]
    pub fn in_script(mut self, error: &ScriptError) -> Self {
        let place = Places::Script { file: error.script.clone(), line: error.line, column: error.column };
        self.places = Some(Box::new(place));
        self
    }

    /// Adds what the system said; an empty text adds nothing.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into()).filter(|d| !d.is_empty());
        self
    }

    /// Adds what to try; an empty text adds nothing.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into()).filter(|h| !h.is_empty());
        self
    }

    /// Adds something else to try, below what is there.
    #[must_use]
    pub fn and_hint(self, hint: impl Into<String>) -> Self {
        let hints: Vec<String> = self.hint.clone().into_iter().chain([hint.into()]).collect();
        self.hint(hints.join("\n"))
    }

    /// The same in so many lines at most, where its primary text has more.
    #[must_use]
    pub fn in_lines(mut self, most: usize) -> Self {
        let lines: Vec<&str> = self.primary.lines().collect();
        if lines.len() > most {
            let kept = lines[..most - 1].join("\n");
            self.primary = format!("{kept}\nand {} more lines", lines.len() - most + 1);
        }
        self
    }

    /// What it is about and what the system said, without line breaks.
    pub fn in_one_line(&self) -> String {
        let parts: Vec<&str> =
            [Some(&self.primary), self.detail.as_ref()].into_iter().flatten().map(String::as_str).collect();
        parts.join(": ").lines().collect::<Vec<_>>().join("; ")
    }

    /// What it is about, in one sentence.
    pub fn primary_message(&self) -> &str {
        &self.primary
    }

    /// What the system said, and what to try; empty where there is nothing.
    pub fn detail_and_hint(&self) -> (String, String) {
        (self.detail.clone().unwrap_or_default(), self.hint.clone().unwrap_or_default())
    }

    /// Whether nothing went wrong but that a person gave up.
    pub fn is_interruption(&self) -> bool {
        self.kind == ProblemKind::Interruption
    }

    /// The errors in it, for programs: each with its object and its place, as far as it has one.
    pub fn error_entries(&self) -> Vec<ErrorEntry> {
        let (file, line, column) = match self.places.as_deref() {
            Some(Places::Plan(errors)) => return entries_of_plan(errors),
            Some(Places::Script { file, line, column }) => (Some(file.clone()), Some(*line), Some(*column)),
            None => (None, None, None),
        };
        let (object, value) = object_and_value(&self.primary);
        let detail = self.detail.as_ref().map(|detail| detail.trim_matches('\n').to_owned());
        vec![ErrorEntry {
            file,
            line: line.map(|line| line as usize),
            column: column.map(|column| column as usize),
            object,
            value,
            message: self.primary.clone(),
            detail,
            hint: self.hint.clone(),
        }]
    }

    /// The whole of it, for programs.
    pub fn failure_output(&self) -> FailureOutput {
        FailureOutput::of_status(self.status, self.error_entries())
    }

    /// The exit status that goes with it.
    pub fn exit_status(&self) -> CommandStatus {
        self.status
    }
}

fn entries_of_plan(PlanErrors { file, errors }: &PlanErrors) -> Vec<ErrorEntry> {
    let mut entries = Vec::new();
    for error in errors {
        entries.push(ErrorEntry {
            file: Some(file.clone()),
            line: Some(error.line),
            column: Some(error.column),
            object: object_and_value(&error.message).0,
            value: error.value.clone(),
            message: error.message.clone(),
            detail: error.detail.clone(),
            hint: error.hint.clone(),
        });
    }
    entries
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let label = match self.kind {
            ProblemKind::Error | ProblemKind::Interruption => "error: ",
            ProblemKind::ErrorInFull => "",
        };
        write!(f, "{label}{}", self.primary)?;
        for (label, text) in [("detail", &self.detail), ("hint", &self.hint)] {
            if let Some(text) = text {
                let mut indented = String::new();
                for (i, line) in text.lines().enumerate() {
                    let gap = if i == 0 { "" } else { "\n        " };
                    write!(indented, "{gap}{line}")?;
                }
                write!(f, "\n{label}: {indented}")?;
            }
        }
        Ok(())
    }
}

impl From<judge::RegressionAnswer> for CommandStatus {
    fn from(answer: judge::RegressionAnswer) -> Self {
        match answer {
            judge::RegressionAnswer::NoRegression => Self::Done,
            judge::RegressionAnswer::Regression | judge::RegressionAnswer::Broken => Self::Regression,
            judge::RegressionAnswer::DoesNotWork => Self::CouldNotMeasure,
            judge::RegressionAnswer::NotEnoughData => Self::NotEnoughData,
        }
    }
}

impl From<judge::observed::ReadError> for Problem {
    fn from(error: judge::observed::ReadError) -> Self {
        match error {
            judge::observed::ReadError::Run(error) => error.into(),
            judge::observed::ReadError::Plan(errors) => Self::from_plan_errors(&errors),
        }
    }
}

impl From<judge::Incomparable> for Problem {
    fn from(error: judge::Incomparable) -> Self {
        Self::usage_error(error.to_string()).hint("compare two runs of the same plan")
    }
}

impl From<results::Error> for Problem {
    fn from(error: results::Error) -> Self {
        let problem = Self::could_not_measure(error.to_string());
        match &error {
            _ if error.is_no_space() => problem.hint("free some space on its file system"),
            results::Error::NotARun { .. } => Self::usage_error(error.to_string())
                .hint("name a directory under runs/, as `pgdyno run` prints at its end"),
            results::Error::NewerFormat { .. } => problem.hint("update pgdyno"),
            results::Error::Malformed { path, .. } => problem.hint(instead_of(path)),
            results::Error::Io { path, source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
                problem.hint(of_trial(path).unwrap_or_default())
            }
            results::Error::Io { .. } => problem,
        }
    }
}

/// What to do about a file that cannot be understood.
fn instead_of(path: &Path) -> String {
    if let Some(hint) = of_trial(path) {
        return hint;
    }
    match path.extension() {
        Some(extension) if extension == "jsonl" => "correct that line, or remove it".to_owned(),
        Some(_) | None => "restore the file from a copy, or measure again with `pgdyno run`".to_owned(),
    }
}

/// The same of a file of a trial, which can be measured again.
fn of_trial(path: &Path) -> Option<String> {
    for directory in path.ancestors() {
        let trials = directory.parent()?;
        let number: Option<u32> = directory.file_name()?.to_str()?.parse().ok();
        if let (Some(number), true) = (number, trials.ends_with("trials")) {
            let (from, run) = (directory.display(), trials.parent()?.display());
            return Some(format!(
                "`mv {from} {from}.damaged` takes the trial out of the run, and `pgdyno resume {run}` measures trial \
                 {number} again"
            ));
        }
    }
    None
}

impl From<TargetError> for Problem {
    fn from(error: TargetError) -> Self {
        Self::could_not_measure(error.primary_message())
            .detail(error.detail().unwrap_or_default())
            .hint(error.hint().unwrap_or_default())
    }
}

impl From<ClusterError> for Problem {
    fn from(error: ClusterError) -> Self {
        Self::could_not_measure(error.to_string())
            .detail(error.detail().unwrap_or_default())
            .hint(error.hint().unwrap_or_default())
    }
}

impl From<JournalError> for Problem {
    fn from(error: JournalError) -> Self {
        Self::could_not_measure(error.to_string())
            .detail(error.detail().unwrap_or_default())
            .hint(error.hint().unwrap_or_default())
    }
}

impl From<DatasetError> for Problem {
    fn from(error: DatasetError) -> Self {
        Self::could_not_measure(error.to_string())
            .detail(error.detail().unwrap_or_default())
            .hint(error.hint().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_alike_of_a_run_and_of_a_history() {
        let full = results::Error::Io {
            action: "write",
            path: "history.jsonl".into(),
            source: std::io::ErrorKind::StorageFull.into(),
        };
        let told = Problem::from(full).to_string();
        assert!(told.contains("free some space") && !told.contains("resume"), "{told}");
    }

    #[test]
    fn a_file_that_cannot_be_understood_is_told_with_a_remedy() {
        for (path, remedy) in [
            ("runs/a/trials/3/trial.json", "`mv runs/a/trials/3 runs/a/trials/3.damaged` takes"),
            ("runs/a/trials/3/intervals.jsonl", "`pgdyno resume runs/a` measures trial 3 again"),
            ("runs/a/run.json", "restore the file from a copy"),
            ("runs/trials/run.json", "restore the file from a copy"),
            ("runs/history.jsonl", "correct that line"),
        ] {
            let error = results::Error::Malformed { path: path.into(), expected: "x", detail: "y".to_owned() };
            let told = Problem::from(error).to_string();
            assert!(told.contains(remedy), "{told}");
        }
        let missing = results::Error::Io {
            action: "read",
            path: "a/trials/12/trial.json".into(),
            source: std::io::ErrorKind::NotFound.into(),
        };
        assert!(Problem::from(missing).to_string().contains("measures trial 12 again"));
    }

    #[test]
    fn a_problem_prints_each_part_on_its_own_line_and_leaves_out_what_is_missing() {
        let problem = Problem::usage_error("no plan").detail("line one\nline two").hint("");
        assert_eq!(problem.to_string(), "error: no plan\ndetail: line one\n        line two");
    }

    #[test]
    fn the_errors_of_a_plan_or_a_script_have_their_places_for_programs() {
        let errors = plan::parse_plan("p.yaml", b"name: 3\nclients: [0]\n").expect_err("it is no plan");
        let of_plan = Problem::from_plan_errors(&errors).error_entries();
        assert_eq!(of_plan.len(), errors.errors.len());
        let clients = of_plan.iter().find(|error| error.line == Some(2)).expect("an error in line 2");
        assert_eq!((clients.file.as_deref(), clients.column), (Some("p.yaml"), Some(11)));
        assert_eq!((clients.object.as_deref(), clients.value.as_deref()), (Some("clients"), Some("0")));
        let error = load::ParsedScript::parse("t.sql", "SELECT 1;\n\\if 1\n").expect_err("it is no script");
        let of_script = Problem::usage_error("no").detail("\nline").in_script(&error).error_entries();
        let wanted = ErrorEntry {
            file: Some("t.sql".to_owned()),
            line: Some(2),
            column: Some(1),
            object: None,
            value: None,
            message: "no".to_owned(),
            detail: Some("line".to_owned()),
            hint: None,
        };
        assert_eq!(of_script, [wanted]);
        assert_eq!(Problem::usage_error("no").error_entries()[0].line, None);
    }
}
