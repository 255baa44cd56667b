//! The sampling events of one server: on every CPU, of everything or of the server's processes alone, as far as the
//! kernel allows.

use std::io;
use std::path::Path;

use results::profile::SampledScope;

use super::sampling_event::{EventSampling, RecordRing, SampledProcess, SamplingEvent};

/// Bytes that one sample takes at most, with its stack.
const SAMPLE_BYTES: usize = 512;
/// Seconds of samples for which a ring buffer has room: they are read once a second.
const SECONDS: usize = 2;

/// Events that are taking samples.
pub(super) struct AttachedEvents {
    rings: Vec<RecordRing>,
    /// Further events that write into the same rings.
    _others: Vec<SamplingEvent>,
    scope: SampledScope,
    samples_kernel: bool,
}

impl AttachedEvents {
    /// Samples every CPU, or else the postmaster with what it starts from now on and its `children`.
    ///
    /// # Errors
    /// In words: what is not allowed, and what would allow it.
    pub(super) fn on_every_cpu(
        root: &Path,
        postmaster: u32,
        children: &[u32],
        frequency_hz: u32,
    ) -> Result<Self, String> {
        let cpus = online_cpus(root)?;
        let attempts = [(SampledScope::EveryCpu, true), (SampledScope::ServerProcesses, true)];
        let attempts = attempts.into_iter().chain([(SampledScope::ServerProcesses, false)]);
        let mut refusal = None;
        for (scope, kernel) in attempts {
            let processes: Vec<SampledProcess> = match scope {
                SampledScope::EveryCpu => vec![SampledProcess::Every],
                SampledScope::ServerProcesses => {
                    [&[postmaster], children].concat().into_iter().map(SampledProcess::WithChildren).collect()
                }
            };
            match Self::on_cpus(&cpus, &processes, EventSampling { frequency_hz, kernel }, scope) {
                Ok(attached) => return Ok(attached),
                Err(error) => refusal = Some(error),
            }
        }
        Err(refusal.map_or_else(|| "no CPU is online".to_owned(), |error| not_allowed(root, &error)))
    }

    fn on_cpus(
        cpus: &[u32],
        processes: &[SampledProcess],
        how: EventSampling,
        scope: SampledScope,
    ) -> io::Result<Self> {
        let capacity = how.frequency_hz as usize * SAMPLE_BYTES * SECONDS;
        let (mut rings, mut others) = (Vec::new(), Vec::new());
        for cpu in cpus {
            let mut ring: Option<RecordRing> = None;
            for process in processes {
                let event = match SamplingEvent::begin_sampling(*process, *cpu, how) {
                    Ok(event) => event,
                    // A child that has ended since it was seen.
                    Err(error) if error.raw_os_error() == Some(ESRCH) && ring.is_some() => continue,
                    Err(error) => return Err(error),
                };
                match &ring {
                    None => ring = Some(RecordRing::of_event(event, capacity)?),
                    Some(ring) => {
                        event.write_into(ring)?;
                        others.push(event);
                    }
                }
            }
            rings.extend(ring);
        }
        Ok(Self { rings, _others: others, scope, samples_kernel: how.kernel })
    }

    /// Moves all records since the last call behind `records`.
    pub(super) fn take_records(&mut self, records: &mut Vec<u8>) {
        for ring in &mut self.rings {
            ring.take_records(records);
        }
    }

    /// What is sampled.
    pub(super) fn sampled_scope(&self) -> SampledScope {
        self.scope
    }

    /// Whether time in the kernel is sampled.
    pub(super) fn samples_kernel(&self) -> bool {
        self.samples_kernel
    }
}

/// No such process.
const ESRCH: i32 = 3;

/// Why nothing may be sampled, and what would help.
fn not_allowed(root: &Path, error: &io::Error) -> String {
    let paranoid = std::fs::read_to_string(root.join("proc/sys/kernel/perf_event_paranoid"));
    let grant = match (error.kind(), paranoid) {
        (io::ErrorKind::PermissionDenied, Ok(level)) => format!(
            " (kernel.perf_event_paranoid is {}); the capability CAP_PERFMON or `sysctl kernel.perf_event_paranoid=0` \
             allows it, or 1 where pgdyno runs as the user of the server",
            level.trim()
        ),
        (io::ErrorKind::PermissionDenied, Err(_)) => "; the capability CAP_PERFMON allows it".to_owned(),
        _ => String::new(),
    };
    format!("the kernel does not let pgdyno sample the server's processes: {error}{grant}")
}

/// The numbers of the CPUs that are online: `0-3,8`.
fn online_cpus(root: &Path) -> Result<Vec<u32>, String> {
    let path = root.join("sys/devices/system/cpu/online");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("could not read {path:?}: {error}"))?;
    let cpus = cpus_of_list(text.trim());
    cpus.ok_or_else(|| format!("could not understand {path:?}: {:?}", text.trim()))
}

fn cpus_of_list(text: &str) -> Option<Vec<u32>> {
    let mut cpus = Vec::new();
    for range in text.split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        cpus.extend(first..=last);
    }
    Some(cpus)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_cpus_is_read() {
        assert_eq!(cpus_of_list("0-2,5"), Some(vec![0, 1, 2, 5]));
        assert_eq!(cpus_of_list("0"), Some(vec![0]));
        assert_eq!(cpus_of_list("x"), None);
    }

    #[test]
    fn a_missing_right_is_told_with_the_grant() {
        let root = tempfile::tempdir().unwrap();
        let error = io::Error::from(io::ErrorKind::PermissionDenied);
        assert!(not_allowed(root.path(), &error).ends_with("the capability CAP_PERFMON allows it"));
        std::fs::create_dir_all(root.path().join("proc/sys/kernel")).unwrap();
        std::fs::write(root.path().join("proc/sys/kernel/perf_event_paranoid"), "3\n").unwrap();
        let told = not_allowed(root.path(), &error);
        assert!(told.contains("kernel.perf_event_paranoid is 3"), "{told}");
    }
}
