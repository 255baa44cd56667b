//! Wait events: what they mean, what resource is waited for, and which names of different versions mean the same.

use std::sync::LazyLock;

use crate::rows::{VersionRange, versioned_rows};

/// Versions, class, event, description. PostgreSQL describes its events from version 17 on. The main loops of
/// background processes are left out.
static WAIT_EVENTS: LazyLock<Vec<(VersionRange, [&str; 4])>> =
    LazyLock::new(|| versioned_rows(include_str!("../data/wait-events.tsv")));

static WAIT_RESOURCES: &str = include_str!("../data/wait-resources.tsv");

/// What a session waits for, whatever a version calls the wait event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum WaitResource {
    /// The lock of a page in shared buffers that another session reads or changes.
    PageContent,
    /// A page in shared buffers that no other session uses.
    PagePin,
    /// The table of the pages in shared buffers.
    PageMapping,
    /// A page that another session reads or writes.
    PageIo,
    /// A lock of the WAL: of inserting it, of its buffers, of writing it.
    WalLock,
    /// Another lightweight lock.
    LightweightLock,
    /// A file of tables and indexes.
    DataFile,
    /// A new segment of the WAL, which is filled with zeros.
    WalFill,
    /// WAL that is written and flushed, and the delay before that.
    WalFlush,
    /// Other work on files of the WAL.
    WalFile,
    /// A temporary file.
    TemporaryFile,
    /// A standby that confirms a commit.
    Standby,
    /// Parallel workers.
    ParallelWorkers,
    /// A lock of a table, a row, a transaction, ...
    HeavyweightLock,
    /// The client.
    Client,
}

impl WaitResource {
    /// As the data file has it; none of another word.
    fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "page-content" => Self::PageContent,
            "page-pin" => Self::PagePin,
            "page-mapping" => Self::PageMapping,
            "page-io" => Self::PageIo,
            "wal-lock" => Self::WalLock,
            "lightweight-lock" => Self::LightweightLock,
            "data-file" => Self::DataFile,
            "wal-fill" => Self::WalFill,
            "wal-flush" => Self::WalFlush,
            "wal-file" => Self::WalFile,
            "temporary-file" => Self::TemporaryFile,
            "standby" => Self::Standby,
            "parallel-workers" => Self::ParallelWorkers,
            "heavyweight-lock" => Self::HeavyweightLock,
            "client" => Self::Client,
            _ => return None,
        })
    }

    /// Whether it is a lightweight lock of the server, whatever a version calls it.
    #[must_use]
    pub fn is_lightweight_lock(self) -> bool {
        match self {
            Self::PageContent | Self::PageMapping | Self::WalLock | Self::LightweightLock => true,
            Self::PagePin
            | Self::PageIo
            | Self::DataFile
            | Self::WalFill
            | Self::WalFlush
            | Self::WalFile
            | Self::TemporaryFile
            | Self::Standby
            | Self::ParallelWorkers
            | Self::HeavyweightLock
            | Self::Client => false,
        }
    }
}

/// The resource that a wait event of any version is for; none of an event that no rule asks for.
#[must_use]
pub fn wait_resource(class: &str, event: &str) -> Option<WaitResource> {
    for line in WAIT_RESOURCES.lines().filter(|line| !line.starts_with('#')) {
        let mut columns = line.split('\t');
        let (Some(of_class), Some(pattern), Some(word)) = (columns.next(), columns.next(), columns.next()) else {
            continue;
        };
        if of_class == class && fits_pattern(event, pattern) {
            return WaitResource::from_word(word);
        }
    }
    None
}

/// Whether an event is this one, or begins as a pattern with a star at its end does, whatever the case of letters.
fn fits_pattern(event: &str, pattern: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(beginning) => event.get(..beginning.len()).is_some_and(|begun| begun.eq_ignore_ascii_case(beginning)),
        None => event.eq_ignore_ascii_case(pattern),
    }
}

/// What a session waits for, to go on in a sentence (`to read a buffer`), in the words of the newest version that has
/// the event; none of an event that no version describes.
#[must_use]
pub fn wait_event_meaning(class: &str, event: &str) -> Option<&'static str> {
    let of_event = WAIT_EVENTS.iter().filter(|(_, [_, of_class, name, _])| *of_class == class && *name == event);
    let (_, [_, _, _, description]) = of_event.max_by_key(|(range, _)| range.last)?;
    Some(description.strip_prefix("Waiting ").unwrap_or(description))
}

/// A name that later versions replaced by others.
struct FormerName {
    /// The last version that has it.
    last_version: u32,
    class: &'static str,
    event: &'static str,
    /// All events for this resource are its successors.
    resource: WaitResource,
}

const FORMER_NAMES: [FormerName; 2] = [
    FormerName { last_version: 18, class: "LWLock", event: "BufferContent", resource: WaitResource::PageContent },
    FormerName { last_version: 18, class: "BufferPin", event: "BufferPin", resource: WaitResource::PagePin },
];

/// The class and the event that stand for a wait where servers of different versions are compared, of which `oldest` is
/// the oldest: the name there, which is the coarser one. None where it has its own name there, too.
#[must_use]
pub fn common_wait_name(class: &str, event: &str, oldest: u32) -> Option<(&'static str, &'static str)> {
    let resource = wait_resource(class, event)?;
    let former = FORMER_NAMES.iter().find(|former| former.resource == resource && oldest <= former.last_version)?;
    let is_same = former.class == class && former.event == event;
    if is_same { None } else { Some((former.class, former.event)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_described_as_the_newest_server_with_it_does() {
        assert_eq!(wait_event_meaning("LWLock", "WALWrite"), Some("for WAL buffers to be written to disk"));
        assert_eq!(wait_event_meaning("LWLock", "BufferContent"), Some("to access a data page in memory"));
        assert_eq!(wait_event_meaning("Buffer", "BufferExclusive"), Some("to acquire an exclusive lock on a buffer"));
        assert_eq!(wait_event_meaning("LWLock", "nothing"), None);
    }

    #[test]
    fn names_of_all_versions_are_for_one_resource() {
        let cases = [
            ("LWLock", "BufferContent", WaitResource::PageContent),
            ("Buffer", "BufferShared", WaitResource::PageContent),
            ("Buffer", "BufferShareExclusive", WaitResource::PageContent),
            ("Buffer", "BufferCleanup", WaitResource::PagePin),
            ("BufferPin", "BufferPin", WaitResource::PagePin),
            ("IO", "BufFileRead", WaitResource::TemporaryFile),
            ("IO", "BuffileWrite", WaitResource::TemporaryFile),
            ("IO", "WALSync", WaitResource::WalFlush),
            ("IO", "WalSync", WaitResource::WalFlush),
            ("IO", "WalInitSync", WaitResource::WalFill),
            ("IO", "WalRead", WaitResource::WalFile),
            ("Timeout", "CommitDelay", WaitResource::WalFlush),
            ("LWLock", "WALInsert", WaitResource::WalLock),
            ("LWLock", "ProcArray", WaitResource::LightweightLock),
            ("IPC", "BufferIo", WaitResource::PageIo),
        ];
        for (class, event, resource) in cases {
            assert_eq!(wait_resource(class, event), Some(resource), "{class}: {event}");
        }
        assert_eq!(wait_resource("IPC", "MessageQueueSend"), None);
        assert_eq!(wait_resource("IO", "é"), None);
    }

    #[test]
    fn every_line_by_hand_has_a_class_an_event_and_a_word() {
        for line in WAIT_RESOURCES.lines().filter(|line| !line.starts_with('#')) {
            let columns: Vec<&str> = line.split('\t').collect();
            assert_eq!(columns.len(), 3, "{line}");
            assert!(WaitResource::from_word(columns[2]).is_some(), "{line}");
        }
    }

    #[test]
    fn different_versions_have_the_name_of_the_oldest_in_common() {
        let content = Some(("LWLock", "BufferContent"));
        assert_eq!(common_wait_name("Buffer", "BufferExclusive", 18), content);
        assert_eq!(common_wait_name("Buffer", "BufferShared", 14), content);
        assert_eq!(common_wait_name("Buffer", "BufferExclusive", 19), None);
        assert_eq!(common_wait_name("LWLock", "BufferContent", 18), None);
        assert_eq!(common_wait_name("IO", "WalSync", 14), None);
        assert_eq!(common_wait_name("Buffer", "BufferCleanup", 17), Some(("BufferPin", "BufferPin")));
    }
}
