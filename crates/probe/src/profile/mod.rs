//! What the server's processes execute, sampled at a fixed rate of CPU time and named by function.
//!
//! An event on every CPU samples whatever is executed there, and the server's processes are picked out of it. That
//! needs the capability `CAP_PERFMON` or `kernel.perf_event_paranoid` of 0 or less, costs a timer on each CPU, and
//! misses no process, however short it lives. Without that right the server's processes are sampled one by one, with
//! all that they start from then on: the kernel allows it to the user that they belong to, without its own functions
//! where `kernel.perf_event_paranoid` is 2.
//!
//! Samples are read and named once a second. What cannot be sampled is a gap with its reason.

mod attached_events;
mod kernel_symbols;
mod memory_map;
mod sample_record;
mod sampled_processes;
mod sampling_event;
mod symbol_table;
mod symbolizer;

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

use results::profile::{FORMAT, KernelFrames, ProcessKind, Profile, SampledProcesses, SampledStack};

use crate::host::HostScope;
use attached_events::AttachedEvents;
use sample_record::{ProcessSample, SamplingRecord, parse_records};
pub(crate) use sampled_processes::ServerChildren;
use symbolizer::Symbolizer;

/// Samples the processes of one server until it is ended.
pub struct Profiler {
    frequency_hz: u32,
    sampling: Result<ServerSampling, String>,
}

/// Samples are being taken.
struct ServerSampling {
    events: AttachedEvents,
    children: ServerChildren,
    symbolizer: Symbolizer,
    /// How often each stack of each process was seen.
    seen: BTreeMap<u32, HashMap<Vec<u32>, u64>>,
    lost: u64,
    of_others: u64,
    took: Duration,
    /// Used again for each reading.
    buffer: Vec<u8>,
}

impl Profiler {
    /// Samples the children of the scope's postmaster. Never fails: the profile has the reason.
    #[must_use]
    pub fn attach_to_server(scope: &HostScope, frequency_hz: u32) -> Self {
        let sampling = match scope.postmaster {
            Some(postmaster) => ServerSampling::begin_sampling(scope, postmaster, frequency_hz),
            None => Err("the server's processes are not known".to_owned()),
        };
        Self { frequency_hz, sampling }
    }

    /// Where nothing can be sampled, and why.
    #[must_use]
    pub fn without_samples(frequency_hz: u32, reason: String) -> Self {
        Self { frequency_hz, sampling: Err(reason) }
    }

    /// Reads what was sampled since the last call. `counts`: it belongs to the measurement phase.
    pub fn read_samples(&mut self, counts: bool) {
        if let Ok(sampling) = &mut self.sampling {
            sampling.read_samples(counts);
        }
    }

    /// The samples that counted.
    #[must_use]
    pub fn end_profile(self) -> Profile {
        match self.sampling {
            Ok(sampling) => sampling.into_profile(self.frequency_hz),
            Err(reason) => Profile::without_samples(self.frequency_hz, reason),
        }
    }
}

impl ServerSampling {
    fn begin_sampling(scope: &HostScope, postmaster: u32, frequency_hz: u32) -> Result<Self, String> {
        let mut children = ServerChildren::of_postmaster(&scope.root, postmaster, scope.load.clone());
        children.look_at_living();
        let events = AttachedEvents::on_every_cpu(&scope.root, postmaster, &children.living_children(), frequency_hz)?;
        Ok(Self {
            events,
            children,
            symbolizer: Symbolizer::of_server(&scope.root, postmaster),
            seen: BTreeMap::new(),
            lost: 0,
            of_others: 0,
            took: Duration::ZERO,
            buffer: Vec::new(),
        })
    }

    fn read_samples(&mut self, counts: bool) {
        let begun = Instant::now();
        self.buffer.clear();
        self.events.take_records(&mut self.buffer);
        let records = parse_records(&self.buffer);
        self.children.look_at_living();
        // Before the samples, of which each CPU has its own.
        for record in &records {
            if let SamplingRecord::Fork { pid, parent } = record {
                self.children.note_fork(*pid, *parent);
            }
        }
        self.symbolizer.next_second();
        for record in &records {
            match record {
                SamplingRecord::Sample(sample) if counts => self.count_sample(sample),
                SamplingRecord::Lost { records } if counts => self.lost += records,
                SamplingRecord::Sample(_) | SamplingRecord::Lost { .. } | SamplingRecord::Fork { .. } => {}
            }
        }
        if counts {
            self.took += begun.elapsed();
        }
    }

    fn count_sample(&mut self, sample: &ProcessSample) {
        if !self.children.is_of_server(sample.pid) {
            self.of_others += 1;
            return;
        }
        let stack = self.symbolizer.named_stack(sample);
        *self.seen.entry(sample.pid).or_default().entry(stack).or_default() += 1;
    }

    fn into_profile(self, frequency_hz: u32) -> Profile {
        let mut by_kind: BTreeMap<ProcessKind, (u32, BTreeMap<Vec<u32>, u64>)> = BTreeMap::new();
        for (pid, stacks) in self.seen {
            let (processes, all) = by_kind.entry(self.children.process_kind(pid)).or_default();
            *processes += 1;
            for (stack, samples) in stacks {
                *all.entry(stack).or_default() += samples;
            }
        }
        let kernel = match (self.events.samples_kernel(), Symbolizer::names_kernel()) {
            (false, _) => KernelFrames::Excluded,
            (true, true) => KernelFrames::Named,
            (true, false) => KernelFrames::Unnamed,
        };
        Profile {
            format: FORMAT,
            gap: None,
            frequency_hz,
            scope: Some(self.events.sampled_scope()),
            kernel: Some(kernel),
            lost: self.lost,
            of_others: self.of_others,
            took_us: u64::try_from(self.took.as_micros()).unwrap_or(u64::MAX),
            symbols: self.symbolizer.into_symbols(),
            processes: by_kind.into_iter().map(sampled_processes).collect(),
        }
    }
}

fn sampled_processes((kind, (processes, stacks)): (ProcessKind, (u32, BTreeMap<Vec<u32>, u64>))) -> SampledProcesses {
    let samples = stacks.values().sum();
    let stacks = stacks.into_iter().map(|(frames, samples)| SampledStack { frames, samples }).collect();
    SampledProcesses { kind, processes, samples, stacks }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::parent_process::{ParentProcess, scope_of_postmaster};

    #[test]
    fn what_a_child_executes_is_sampled_while_it_counts() {
        let busy = ParentProcess::of_script("while :; do :; done &");
        let mut profiler = Profiler::attach_to_server(&busy.watched_scope(), 200);
        std::thread::sleep(Duration::from_millis(300));
        profiler.read_samples(false);
        std::thread::sleep(Duration::from_millis(700));
        profiler.read_samples(true);
        std::thread::sleep(Duration::from_millis(300));
        profiler.read_samples(false);
        let profile = profiler.end_profile();
        if let Some(gap) = profile.gap {
            // Where tests run without the right.
            assert!(gap.starts_with("the kernel does not let pgdyno sample"), "{gap}");
            return;
        }
        let backend = profile.processes.iter().find(|processes| processes.kind == ProcessKind::Backend).unwrap();
        // At most those of 0.7 s and a little; other work may leave it less than a CPU.
        assert!((10..=200).contains(&backend.samples), "{}", backend.samples);
        assert_eq!(backend.samples, backend.stacks.iter().map(|stack| stack.samples).sum::<u64>());
        let innermost = backend.stacks.iter().map(|stack| &profile.symbols[stack.frames[0] as usize]);
        assert!(innermost.clone().any(|symbol| symbol.library.contains("sh")), "{:?}", innermost.collect::<Vec<_>>());
    }

    #[test]
    fn without_a_server_or_a_way_to_it_there_is_a_reason() {
        let profile = Profiler::attach_to_server(&scope_of_postmaster(Path::new("/"), None), 99).end_profile();
        assert_eq!(profile.gap.as_deref(), Some("the server's processes are not known"));
        let elsewhere = Profiler::without_samples(99, "elsewhere".to_owned()).end_profile();
        assert_eq!((elsewhere.gap.as_deref(), elsewhere.frequency_hz), (Some("elsewhere"), 99));
    }
}
