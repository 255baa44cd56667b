//! The lines of a journal: a header, then changes that are about to be made and changes that are undone.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::change::MachineChange;

/// The version of this form.
const FORMAT: u32 = 2;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum JournalLine {
    /// The first one.
    Header(JournalHeader),
    /// A change that is about to be made.
    Made(JournalEntry),
    /// A change that is undone, or that somebody else has overtaken.
    Undone {
        /// Which.
        number: u32,
    },
}

/// Whose journal it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct JournalHeader {
    format: u32,
    /// Process id of the owner, in its own namespace.
    pub(super) pid: u32,
    /// When it began.
    pub(super) began_at: Timestamp,
    /// Which run of the kernel it was; absent where the kernel does not tell.
    pub(super) boot_id: Option<String>,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct JournalEntry {
    pub(super) number: u32,
    pub(super) change: MachineChange,
}

impl JournalHeader {
    pub(super) fn of_this_process() -> Self {
        Self { format: FORMAT, pid: std::process::id(), began_at: Timestamp::now(), boot_id: boot_id() }
    }

    /// Whether the kernel that it was written under still runs; values of the kernel and mounts end with it.
    pub(super) fn is_of_this_boot(&self) -> bool {
        self.boot_id == boot_id()
    }
}

fn boot_id() -> Option<String> {
    std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok().map(|text| text.trim().to_owned())
}

impl JournalLine {
    /// Itself, with the end of the line.
    pub(super) fn to_text(&self) -> String {
        let json = serde_json::to_string(self).expect("a line of a journal has no key that is not a text");
        json + "\n"
    }
}

/// What a journal says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Contents {
    pub(super) header: JournalHeader,
    /// What was made, or may have been, and is not undone; oldest first.
    pub(super) open: Vec<JournalEntry>,
}

/// Reads a journal. A last line without its end was never finished, so that its change was not begun.
///
/// # Errors
/// The first line that is not one of a journal, with its number from 1.
pub(super) fn parse_journal(text: &str) -> Result<Contents, (usize, String)> {
    let finished = text.rfind('\n').map_or("", |end| &text[..=end]);
    let mut lines = finished.lines().enumerate();
    let Some(header) = lines.next().map(|(_, line)| serde_json::from_str(line)) else {
        return Err((1, "it is empty".to_owned()));
    };
    let header = match header {
        Ok(JournalLine::Header(header)) if header.format <= FORMAT => header,
        Ok(JournalLine::Header(JournalHeader { format, .. })) => {
            return Err((1, format!("it has format {format}; this version reads up to format {FORMAT}")));
        }
        Ok(JournalLine::Made(_) | JournalLine::Undone { .. }) => return Err((1, "it is not a header".to_owned())),
        Err(error) => return Err((1, error.to_string())),
    };
    let mut open: Vec<JournalEntry> = Vec::new();
    for (index, line) in lines {
        match serde_json::from_str(line).map_err(|error| (index + 1, error.to_string()))? {
            JournalLine::Header(_) => return Err((index + 1, "it is a second header".to_owned())),
            JournalLine::Made(entry) => open.push(entry),
            JournalLine::Undone { number } => open.retain(|entry| entry.number != number),
        }
    }
    Ok(Contents { header, open })
}
