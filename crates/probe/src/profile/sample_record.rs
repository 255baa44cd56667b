//! The records that the kernel writes for a sampling event (perf_event_open(2), "MMAP layout"), read.

use perf_event_open_sys::bindings::{
    PERF_CONTEXT_KERNEL, PERF_CONTEXT_MAX, PERF_CONTEXT_USER, PERF_RECORD_FORK, PERF_RECORD_LOST, PERF_RECORD_SAMPLE,
};

/// One record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SamplingRecord {
    /// One instant of a process on a CPU.
    Sample(ProcessSample),
    /// A process, or a thread of one, began.
    Fork { pid: u32, parent: u32 },
    /// So many records did not find room.
    Lost { records: u64 },
}

/// One instant of a process on a CPU.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ProcessSample {
    /// The process.
    pub(super) pid: u32,
    /// Addresses in the kernel, from the function that was executing to its callers.
    pub(super) kernel: Vec<u64>,
    /// The same in the process's own memory.
    pub(super) user: Vec<u64>,
}

/// All records of a buffer. What cannot be read ends it: the kernel writes whole records only.
pub(super) fn parse_records(mut bytes: &[u8]) -> Vec<SamplingRecord> {
    let mut records = Vec::new();
    while let Some(size) = number_at(bytes, 6, 2).and_then(|size| usize::try_from(size).ok()) {
        let (Some(kind), Some(body)) = (number_at(bytes, 0, 4), bytes.get(8..size)) else { break };
        let kind = u32::try_from(kind).unwrap_or(u32::MAX);
        let record = match kind {
            PERF_RECORD_SAMPLE => sample_of_record(body),
            PERF_RECORD_FORK => fork_of_record(body),
            PERF_RECORD_LOST => number_at(body, 8, 8).map(|records| SamplingRecord::Lost { records }),
            _ => None,
        };
        records.extend(record);
        bytes = &bytes[size..];
    }
    records
}

/// Instruction pointer, process and thread, time, number of addresses, addresses.
fn sample_of_record(body: &[u8]) -> Option<SamplingRecord> {
    let pid = u32::try_from(number_at(body, 8, 4)?).ok()?;
    let count = usize::try_from(number_at(body, 24, 8)?).ok()?;
    let mut sample = ProcessSample { pid, ..ProcessSample::default() };
    let mut context = u64::MAX;
    for place in 0..count {
        let address = number_at(body, 32 + place * 8, 8)?;
        // The largest addresses are none, but say where those that follow are.
        if address >= PERF_CONTEXT_MAX {
            context = address;
            continue;
        }
        match context {
            PERF_CONTEXT_KERNEL => sample.kernel.push(address),
            PERF_CONTEXT_USER => sample.user.push(address),
            _ => {}
        }
    }
    Some(SamplingRecord::Sample(sample))
}

/// Process, its parent, thread, its parent, time.
fn fork_of_record(body: &[u8]) -> Option<SamplingRecord> {
    let (pid, parent) = (number_at(body, 0, 4)?, number_at(body, 4, 4)?);
    Some(SamplingRecord::Fork { pid: u32::try_from(pid).ok()?, parent: u32::try_from(parent).ok()? })
}

/// A number of this machine's byte order.
fn number_at(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
    let part = bytes.get(at..at + length)?;
    let mut number = [0; 8];
    if cfg!(target_endian = "little") {
        number[..length].copy_from_slice(part);
    } else {
        number[8 - length..].copy_from_slice(part);
    }
    Some(u64::from_ne_bytes(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: u32, body: &[u8]) -> Vec<u8> {
        let mut bytes = kind.to_ne_bytes().to_vec();
        bytes.extend(2u16.to_ne_bytes());
        bytes.extend(u16::try_from(8 + body.len()).unwrap().to_ne_bytes());
        bytes.extend(body);
        bytes
    }

    fn sample_bytes(pid: u32, addresses: &[u64]) -> Vec<u8> {
        let mut body = 0x11u64.to_ne_bytes().to_vec();
        body.extend(pid.to_ne_bytes());
        body.extend(pid.to_ne_bytes());
        body.extend(5u64.to_ne_bytes());
        body.extend((addresses.len() as u64).to_ne_bytes());
        addresses.iter().for_each(|address| body.extend(address.to_ne_bytes()));
        record(PERF_RECORD_SAMPLE, &body)
    }

    #[test]
    fn addresses_of_kernel_and_process_are_told_apart() {
        let mut bytes = sample_bytes(7, &[PERF_CONTEXT_KERNEL, 0xffff_0001, PERF_CONTEXT_USER, 0x11, 0x12]);
        bytes.extend(sample_bytes(8, &[PERF_CONTEXT_USER, 0x13]));
        let first = ProcessSample { pid: 7, kernel: vec![0xffff_0001], user: vec![0x11, 0x12] };
        let second = ProcessSample { pid: 8, kernel: Vec::new(), user: vec![0x13] };
        assert_eq!(parse_records(&bytes), [SamplingRecord::Sample(first), SamplingRecord::Sample(second)]);
    }

    #[test]
    fn processes_that_begin_and_lost_records_are_read_and_others_are_passed_over() {
        let fork = [9u32, 3, 9, 3].iter().flat_map(|number| number.to_ne_bytes()).chain(6u64.to_ne_bytes());
        let lost = [1u64, 40].iter().flat_map(|number| number.to_ne_bytes()).collect::<Vec<_>>();
        let mut bytes = record(PERF_RECORD_FORK, &fork.collect::<Vec<_>>());
        bytes.extend(record(5, &[0; 16]));
        bytes.extend(record(PERF_RECORD_LOST, &lost));
        assert_eq!(
            parse_records(&bytes),
            [SamplingRecord::Fork { pid: 9, parent: 3 }, SamplingRecord::Lost { records: 40 }]
        );
    }

    #[test]
    fn a_torn_buffer_ends_with_its_last_whole_record() {
        let bytes = sample_bytes(7, &[PERF_CONTEXT_USER, 0x11]);
        assert_eq!(parse_records(&bytes[..bytes.len() - 4]), []);
        assert_eq!(parse_records(&[0; 32]), [], "a record of no length");
    }
}
