//! Messages of several lines put together: a level's line, lines of detail and statement, and lines that begin with a
//! tab, which go on.

use std::borrow::Cow;

use super::prefix::{LinePrefix, level_word};
use super::timestamp::ZoneReader;
use super::{EntryProblem, LogEntry, LogLevel, LogSessionId};
use crate::losses::LossPlace;

/// A message and where it begins.
pub(crate) type PlacedEntry = (LogEntry<'static>, LossPlace);

/// Puts messages together.
pub(crate) struct LineGrouper {
    prefix: LinePrefix,
    open: Option<OpenMessage>,
}

struct OpenMessage {
    entry: LogEntry<'static>,
    place: LossPlace,
    part: MessagePart,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum MessagePart {
    Message,
    Detail,
    Context,
    Statement,
    Other,
}

/// What the header of a line says besides its prefix: that of syslog.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LineHeader {
    pub(crate) at_us: Option<i64>,
    pub(crate) pid: Option<u32>,
    /// How the line begins.
    pub(crate) start: LineStart,
}

/// How a line begins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum LineStart {
    /// With a prefix, or with a tab.
    #[default]
    Whole,
    /// After a newline of the message before.
    AfterNewline,
    /// With a prefix, or where the line before was split.
    MaybeSplit,
}

/// What became of a line.
pub(crate) enum LineOutcome {
    /// It begins a message; the one before it, if there is one, is whole.
    Begun(Option<Box<PlacedEntry>>),
    /// It belongs to the message before.
    Taken,
    /// It is no line of a log.
    Problem(EntryProblem),
}

impl LineGrouper {
    pub(crate) fn with_prefix(prefix: LinePrefix) -> Self {
        Self { prefix, open: None }
    }

    /// Takes the next line.
    pub(crate) fn take_line(
        &mut self,
        line: &[u8],
        header: LineHeader,
        place: &LossPlace,
        zones: &ZoneReader,
    ) -> LineOutcome {
        if header.start == LineStart::AfterNewline {
            return self.continue_message(line, b"\n");
        }
        if let Some(rest) = line.strip_prefix(b"\t") {
            return self.continue_message(rest, b"\n");
        }
        let (values, rest) = match self.prefix.read_line(line, zones) {
            Some(Ok(read)) => read,
            Some(Err(problem)) => return LineOutcome::Problem(problem),
            None if header.start == LineStart::MaybeSplit => return self.continue_message(line, b""),
            None => return LineOutcome::Problem(EntryProblem::Malformed),
        };
        let Some((word, text)) = level_word(rest) else { return LineOutcome::Problem(EntryProblem::Malformed) };
        let part = match word {
            "DETAIL" => MessagePart::Detail,
            "CONTEXT" => MessagePart::Context,
            "STATEMENT" => MessagePart::Statement,
            "HINT" | "QUERY" | "LOCATION" | "BACKTRACE" => MessagePart::Other,
            _ => MessagePart::Message,
        };
        let pid = values.session.map(|session| session.pid).or(values.pid).or(header.pid);
        if part != MessagePart::Message {
            let Some(open) = &mut self.open else { return LineOutcome::Problem(EntryProblem::Malformed) };
            if pid != Some(open.entry.session.pid) {
                return LineOutcome::Problem(EntryProblem::Malformed);
            }
            // A message has each part once; what follows a part again is another's.
            open.part = part;
            open.entry.last_line = values.session_line;
            if let Some(field) = open.field_of_part() {
                field.to_mut().extend_from_slice(text);
            }
            return LineOutcome::Taken;
        }
        let (Some(pid), Some(at_us)) = (pid, values.at_us.or(header.at_us)) else {
            return LineOutcome::Problem(EntryProblem::Malformed);
        };
        let entry = LogEntry {
            at_us,
            session: values.session.unwrap_or(LogSessionId { start_s: 0, pid }),
            session_line: values.session_line,
            level: LogLevel::parse_word(word.as_bytes()),
            user: Cow::Owned(values.user),
            database: Cow::Owned(values.database),
            application: Cow::Owned(values.application),
            transaction: Cow::Owned(values.transaction),
            sqlstate: Cow::Owned(values.sqlstate),
            message: Cow::Owned(text.to_vec()),
            ..LogEntry::new_empty()
        };
        let begun = OpenMessage { entry, place: place.clone(), part };
        LineOutcome::Begun(self.open.replace(begun).map(|open| Box::new((open.entry, open.place))))
    }

    /// The last message.
    pub(crate) fn take_last(&mut self) -> Option<PlacedEntry> {
        self.open.take().map(|open| (open.entry, open.place))
    }

    /// Adds a line to the part of the message that is open.
    pub(crate) fn continue_message(&mut self, text: &[u8], separator: &[u8]) -> LineOutcome {
        let Some(open) = &mut self.open else { return LineOutcome::Problem(EntryProblem::Malformed) };
        if let Some(field) = open.field_of_part() {
            let field = field.to_mut();
            field.extend_from_slice(separator);
            field.extend_from_slice(text);
        }
        LineOutcome::Taken
    }
}

impl OpenMessage {
    fn field_of_part(&mut self) -> Option<&mut Cow<'static, [u8]>> {
        match self.part {
            MessagePart::Message => Some(&mut self.entry.message),
            MessagePart::Detail => Some(&mut self.entry.detail),
            MessagePart::Context => Some(&mut self.entry.context),
            MessagePart::Statement => Some(&mut self.entry.query),
            MessagePart::Other => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(setting: &str, text: &str) -> Vec<LogEntry<'static>> {
        let mut grouper = LineGrouper::with_prefix(LinePrefix::parse_setting(setting));
        let zones = ZoneReader::default();
        let mut entries = Vec::new();
        for line in text.lines() {
            let outcome = grouper.take_line(line.as_bytes(), LineHeader::default(), &LossPlace::default(), &zones);
            if let LineOutcome::Begun(Some(begun)) = outcome {
                entries.push(begun.0);
            }
        }
        entries.extend(grouper.take_last().map(|(entry, _)| entry));
        entries
    }

    #[test]
    fn lines_of_a_message_are_put_together() {
        let text = "\
2026-11-29 12:00:00.123 UTC [42] LOG:  execute a: SELECT
\t1,
\t\t$1
2026-11-29 12:00:00.123 UTC [42] DETAIL:  Parameters: $1 = 'a
\tb'
2026-11-29 12:00:01.000 UTC [43] ERROR:  x
2026-11-29 12:00:01.000 UTC [43] HINT:  y
\tz
2026-11-29 12:00:01.000 UTC [43] STATEMENT:  SELECT 2
";
        let entries = entries("%m [%p] ", text);
        assert_eq!(entries.len(), 2);
        assert_eq!(&*entries[0].message, b"execute a: SELECT\n1,\n\t$1");
        assert_eq!(&*entries[0].detail, b"Parameters: $1 = 'a\nb'");
        assert_eq!((&*entries[1].query, entries[1].level), (&b"SELECT 2"[..], LogLevel::Error));
    }
}
