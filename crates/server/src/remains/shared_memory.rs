//! Shared memory that a server has left because it was killed: one System V segment and files in `/dev/shm`.
//!
//! The server does this itself at its next start, and not before (`PGSharedMemoryCreate`, `dsm_cleanup_using_control_segment`).
//! The chain is the same: `postmaster.pid` names the segment, its header says whose it is and names the control file,
//! and that lists the other files.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::sysv;

/// `PGShmemMagic` of `storage/pg_shmem.h`.
const SEGMENT_MAGIC: u32 = 679_834_894;

/// `PG_DYNSHMEM_CONTROL_MAGIC` of `storage/ipc/dsm.c`.
const CONTROL_MAGIC: u32 = 0x9a50_3d32;

/// Up to the data directory's inode in `PGShmemHeader`, the same from PostgreSQL 9.4 on where pointers have 8 bytes.
const HEADER_LENGTH: usize = 56;

/// One `dsm_control_item`, after 16 bytes of head (magic, number of items, room for items, padding).
const ITEM_LENGTH: usize = 40;

/// How often it is looked whether the last process has detached, and how long between: it has ended already.
const LOOKS: u32 = 50;

const LOOK: Duration = Duration::from_millis(20);

/// Removes what is left of the server with this data directory; whether there was anything.
pub(super) fn release_shared_memory(data_directory: &Path) -> io::Result<bool> {
    let Ok(lock_file) = fs::read_to_string(data_directory.join("postmaster.pid")) else { return Ok(false) };
    let Some(id) = segment_in_lock_file(&lock_file) else { return Ok(false) };
    // Another program may have a segment with this id by now, which cannot be read or says something else.
    let Some(bytes) = sysv::read_first_bytes::<HEADER_LENGTH>(id).ok().flatten() else { return Ok(false) };
    let metadata = fs::metadata(data_directory)?;
    let Some(header) =
        SegmentHeader::parse_header(&bytes).filter(|header| header.is_of(metadata.dev(), metadata.ino()))
    else {
        return Ok(false);
    };
    await_detached(id)?;
    for file in files_of_server(header.control) {
        match fs::remove_file(&file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    sysv::remove_segment(id).map(|()| true)
}

fn await_detached(id: i32) -> io::Result<()> {
    for _ in 0..LOOKS {
        if sysv::count_attached_processes(id)?.is_none_or(|attached| attached == 0) {
            return Ok(());
        }
        std::thread::sleep(LOOK);
    }
    Err(io::Error::other(format!("shared memory {id} is still in use")))
}

/// The id of the segment: the second number of line 7.
fn segment_in_lock_file(lock_file: &str) -> Option<i32> {
    lock_file.lines().nth(6)?.split_whitespace().nth(1)?.parse().ok()
}

/// What the segment says of itself.
#[derive(Debug, PartialEq, Eq)]
struct SegmentHeader {
    /// Which file the other files are listed in; 0 if there are none.
    control: u32,
    device: u64,
    inode: u64,
}

impl SegmentHeader {
    fn parse_header(bytes: &[u8]) -> Option<Self> {
        (read_u32_at(bytes, 0)? == SEGMENT_MAGIC).then_some(())?;
        Some(Self { control: read_u32_at(bytes, 24)?, device: read_u64_at(bytes, 40)?, inode: read_u64_at(bytes, 48)? })
    }

    fn is_of(&self, device: u64, inode: u64) -> bool {
        (self.device, self.inode) == (device, inode)
    }
}

/// The files of a server, the list itself last; only those that are there.
fn files_of_server(control: u32) -> Vec<PathBuf> {
    let list = path_of_handle(control);
    if control == 0 || !list.exists() {
        return Vec::new();
    }
    let listed = fs::read(&list).map(|bytes| handles_in_control_file(&bytes)).unwrap_or_default();
    listed.into_iter().map(path_of_handle).filter(|path| path.exists()).chain([list.clone()]).collect()
}

/// The segments in use that a control file lists. Those with odd numbers lie in the server's main memory and have no file.
fn handles_in_control_file(control: &[u8]) -> Vec<u32> {
    let (Some(CONTROL_MAGIC), Some(items)) = (read_u32_at(control, 0), read_u32_at(control, 4)) else {
        return Vec::new();
    };
    let items = control.get(16..).unwrap_or_default().chunks_exact(ITEM_LENGTH).take(items as usize);
    let in_use = |item: &&[u8]| read_u32_at(item, 4).is_some_and(|references| references > 0);
    items.filter(in_use).filter_map(|item| read_u32_at(item, 0)).filter(|handle| handle % 2 == 0).collect()
}

fn path_of_handle(handle: u32) -> PathBuf {
    PathBuf::from(format!("/dev/shm/PostgreSQL.{handle}"))
}

fn read_u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn read_u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_ne_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_file_names_the_segment_in_line_7() {
        let file = "4711\n/data\n1700000000\n5432\n/tmp/s\n127.0.0.1\n  2425405       131\nready   \n";
        assert_eq!(segment_in_lock_file(file), Some(131));
        assert_eq!(segment_in_lock_file("4711\n/data\n"), None, "killed before it had one");
    }

    #[test]
    fn a_header_is_known_by_its_magic_and_says_whose_it_is() {
        let mut bytes = [0; HEADER_LENGTH];
        assert_eq!(SegmentHeader::parse_header(&bytes), None);
        bytes[..4].copy_from_slice(&SEGMENT_MAGIC.to_ne_bytes());
        bytes[24..28].copy_from_slice(&77_u32.to_ne_bytes());
        bytes[40..48].copy_from_slice(&3_u64.to_ne_bytes());
        bytes[48..56].copy_from_slice(&9_u64.to_ne_bytes());
        let header = SegmentHeader::parse_header(&bytes).expect("a header");
        assert_eq!(header, SegmentHeader { control: 77, device: 3, inode: 9 });
        assert!(header.is_of(3, 9) && !header.is_of(3, 8), "a segment of another data directory");
    }

    #[test]
    fn a_control_file_lists_what_is_in_use() {
        let item = |handle: u32, references: u32| {
            let mut item = [handle.to_ne_bytes(), references.to_ne_bytes()].concat();
            item.resize(ITEM_LENGTH, 0);
            item
        };
        let head = [CONTROL_MAGIC.to_ne_bytes(), 4_u32.to_ne_bytes(), 64_u32.to_ne_bytes(), [0; 4]].concat();
        let control = [head, item(12, 2), item(14, 0), item(15, 1), item(16, 1), item(18, 2)].concat();
        assert_eq!(
            handles_in_control_file(&control),
            [12, 16],
            "one is free, one in main memory, one beyond the number of items"
        );
        assert_eq!(handles_in_control_file(&control[4..]), Vec::<u32>::new(), "no control file");
        assert_eq!(handles_in_control_file(&control[..30]), Vec::<u32>::new(), "cut");
    }
}
