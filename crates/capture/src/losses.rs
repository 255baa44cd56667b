//! What a log had and the capture does not have: counted by reason, each with the place where it happened first.

use std::collections::BTreeMap;

use crate::directory::CaptureLoss;

/// A place in a log.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct LossPlace {
    /// The file's name.
    pub(crate) file: std::rc::Rc<str>,
    /// The line, from 1.
    pub(crate) line: u64,
}

/// Why something is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LossReason {
    CaptureBehind,
    ClockWentBack,
    CodeMasked,
    ErrorWithoutStatement,
    FileCut,
    FunctionCall,
    LineMalformed,
    LinesMissing,
    MessageTooLong,
    MessageUnknown,
    NotUtf8,
    ParameterTypeUnknown,
    ParametersCut,
    ParametersMalformed,
    ParametersMissing,
    PortalContinued,
    Replication,
    SessionsOverlap,
    SeverityUnknown,
    StatementUnfinished,
    StatementUnknown,
    TextNotScanned,
    TooManyStatements,
    TornLine,
    VersionsDiffer,
}

impl LossReason {
    /// The code in `capture.json`.
    pub(crate) fn reason_code(self) -> &'static str {
        match self {
            Self::CaptureBehind => "capture-behind",
            Self::ClockWentBack => "clock-went-back",
            Self::CodeMasked => "code-masked",
            Self::ErrorWithoutStatement => "error-without-statement",
            Self::FileCut => "file-cut",
            Self::FunctionCall => "function-call",
            Self::LineMalformed => "line-malformed",
            Self::LinesMissing => "lines-missing",
            Self::MessageTooLong => "message-too-long",
            Self::MessageUnknown => "message-unknown",
            Self::NotUtf8 => "not-utf-8",
            Self::ParameterTypeUnknown => "parameter-type-unknown",
            Self::ParametersCut => "parameters-cut",
            Self::ParametersMalformed => "parameters-malformed",
            Self::ParametersMissing => "parameters-missing",
            Self::PortalContinued => "portal-continued",
            Self::Replication => "replication-session",
            Self::SessionsOverlap => "sessions-overlap",
            Self::SeverityUnknown => "severity-unknown",
            Self::StatementUnfinished => "statement-unfinished",
            Self::StatementUnknown => "statement-unknown",
            Self::TextNotScanned => "text-not-scanned",
            Self::TooManyStatements => "too-many-statements",
            Self::TornLine => "torn-line",
            Self::VersionsDiffer => "versions-differ",
        }
    }
}

/// The losses so far.
#[derive(Debug, Default)]
pub(crate) struct LossCounter {
    counted: BTreeMap<LossReason, (u64, LossPlace)>,
}

impl LossCounter {
    pub(crate) fn add_one(&mut self, reason: LossReason, place: &LossPlace) {
        self.add_many(reason, 1, place);
    }

    pub(crate) fn add_many(&mut self, reason: LossReason, count: u64, place: &LossPlace) {
        let entry = self.counted.entry(reason).or_insert_with(|| (0, place.clone()));
        entry.0 += count;
    }

    /// As `capture.json` has them.
    pub(crate) fn list_losses(&self) -> Vec<CaptureLoss> {
        let mut losses = Vec::new();
        for (reason, (count, place)) in &self.counted {
            let first = format!("{}:{}", place.file, place.line);
            losses.push(CaptureLoss { reason: reason.reason_code().to_owned(), count: *count, first });
        }
        losses
    }
}
