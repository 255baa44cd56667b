//! Where in the kernel the server's processes sleep, looked at some ten times a second.
//!
//! A thread of its own reads `/proc/PID` of the server's processes: whether each runs or sleeps, and if it sleeps, in
//! which function of the kernel, in which system call, and on what kind of file. It is never felt by what is measured:
//! the time between two samples is at least 200 times the CPU time of one, and of many processes each sample looks at
//! some, others the next time. What may not be seen is a gap with its reason.

mod file_kind;
mod kernel_stack;
mod process_look;
mod seen_processes;
mod system_call;

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use results::off_cpu::{FORMAT, OffCpu, ProcessesLookedAt};
use rustix::time::{ClockId, clock_gettime};

use crate::activity::{PERIOD, Pause, dithered_sample_offset};
use crate::host::HostScope;
use crate::profile::ServerChildren;
use process_look::ProcessReader;
use seen_processes::SeenLooks;

/// A period is at least so many times the CPU time of a sample.
const PERIOD_OVER_COST: u32 = 200;
/// Processes that one sample looks at.
const PROCESSES_OF_SAMPLE: usize = 200;
/// What lets pgdyno see where processes sleep.
const HINT: &str = "run pgdyno as root or as the user of the server, or give it CAP_SYS_PTRACE";

/// Looks at the processes of one server until it is ended.
pub struct OffCpuSampler {
    sampling: Result<RunningSampler, String>,
}

struct RunningSampler {
    window: Arc<Mutex<SleepWindow>>,
    /// What counted so far.
    counted: SeenLooks,
    /// Its thread ends when this is dropped.
    stop: Sender<()>,
    thread: JoinHandle<SamplingThread>,
}

/// What was seen since it was taken last.
#[derive(Default)]
struct SleepWindow {
    looks: SeenLooks,
    period: Duration,
}

/// What the thread works with, and hands back at its end.
struct SamplingThread {
    children: ServerChildren,
    postmaster: u32,
    reader: ProcessReader,
    window: Arc<Mutex<SleepWindow>>,
    pause: Pause,
    /// The process of the list that the next sample begins with.
    next: usize,
}

impl OffCpuSampler {
    /// Looks at the children of the scope's postmaster, but not while `pause` is set. Never fails: the result has the
    /// reason.
    #[must_use]
    pub fn attach_to_server(scope: &HostScope, pause: Pause) -> Self {
        Self { sampling: RunningSampler::begin_sampling(scope, pause) }
    }

    /// Where nothing can be seen, and why.
    #[must_use]
    pub fn without_samples(reason: String) -> Self {
        Self { sampling: Err(reason) }
    }

    /// Takes what was seen since the last call. `counts`: it belongs to the measurement phase.
    pub fn read_samples(&mut self, counts: bool) {
        if let Ok(sampler) = &mut self.sampling {
            let looks = std::mem::take(&mut lock_window(&sampler.window).looks);
            if counts {
                sampler.counted.add_looks(looks);
            }
        }
    }

    /// What was seen and counted.
    #[must_use]
    pub fn end_sampling(self) -> OffCpu {
        match self.sampling {
            Ok(sampler) => sampler.into_off_cpu(),
            Err(reason) => OffCpu::without_samples(reason),
        }
    }
}

impl RunningSampler {
    fn begin_sampling(scope: &HostScope, pause: Pause) -> Result<Self, String> {
        let postmaster = scope.postmaster.ok_or_else(|| "the server's processes are not known".to_owned())?;
        if !scope.root.join(format!("proc/{postmaster}/stat")).exists() {
            return Err(format!("there is no /proc/{postmaster} to read"));
        }
        let window = Arc::new(Mutex::new(SleepWindow { looks: SeenLooks::default(), period: PERIOD }));
        let sampling = SamplingThread {
            children: ServerChildren::of_postmaster(&scope.root, postmaster, scope.load.clone()),
            postmaster,
            reader: ProcessReader::below_root(&scope.root),
            window: Arc::clone(&window),
            pause,
            next: 0,
        };
        let (stop, stopped) = channel();
        // Reading may wait for a process that the kernel is busy with: not in a thread that others need.
        let thread =
            std::thread::Builder::new().name("off-cpu".to_owned()).spawn(move || sampling.take_samples_until(&stopped));
        let thread = thread.map_err(|error| format!("no thread for the samples: {error}"))?;
        Ok(Self { window, counted: SeenLooks::default(), stop, thread })
    }

    fn into_off_cpu(self) -> OffCpu {
        drop(self.stop);
        let Ok(ended) = self.thread.join() else {
            return OffCpu::without_samples("the thread that takes the samples has failed".to_owned());
        };
        let (samples, took_us) = (self.counted.samples, self.counted.took_ns / 1_000);
        let processes = self.counted.by_kind(|pid| ended.children.process_kind(pid));
        let call_refused = ended.reader.call_refused;
        if let Some(refused) = &call_refused
            && !is_any_place_known(&processes)
        {
            return OffCpu::without_samples(format!(
                "the kernel does not let pgdyno see where the server's processes sleep ({refused}); hint: {HINT}"
            ));
        }
        let period = lock_window(&self.window).period;
        OffCpu {
            format: FORMAT,
            gap: None,
            call_gap: call_refused.map(|refused| format!("{refused}; hint: {HINT}")),
            stack_gap: ended.reader.stack_refused.map(|refused| format!("{refused}; hint: run pgdyno as root")),
            period_us: u64::try_from(period.as_micros()).unwrap_or(u64::MAX),
            samples,
            took_us,
            processes,
        }
    }
}

impl SamplingThread {
    fn take_samples_until(mut self, stopped: &Receiver<()>) -> Self {
        let mut period_begins = Instant::now();
        for number in 0u32.. {
            let period = self.take_sample_unless_paused();
            // Periods that have gone by unused are not made up for.
            period_begins = (period_begins + period).max(Instant::now());
            let instant = period_begins + dithered_sample_offset(number, period);
            if stopped.recv_timeout(instant - Instant::now()) == Err(RecvTimeoutError::Disconnected) {
                break;
            }
        }
        self
    }

    /// Looks at the processes of now. The time until the next sample.
    fn take_sample_unless_paused(&mut self) -> Duration {
        if self.pause.is_set() {
            return lock_window(&self.window).period;
        }
        let begun = cpu_time_of_thread();
        let mut seen = SeenLooks::of_one_sample();
        let mut living = self.children.look_at_living();
        living.push(self.postmaster);
        for pid in &living {
            seen.note_present(*pid);
        }
        let looks = living.len().min(PROCESSES_OF_SAMPLE);
        for offset in 0..looks {
            let pid = living[(self.next + offset) % living.len()];
            seen.note_look(pid, self.reader.look_at(pid));
        }
        self.next = (self.next + looks) % living.len();
        let took = cpu_time_of_thread().saturating_sub(begun);
        seen.took_ns = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        let period = period_after(took);
        let mut window = lock_window(&self.window);
        window.period = period;
        // It may have seen what came after.
        if !self.pause.is_set() {
            window.looks.add_looks(seen);
        }
        period
    }
}

/// The time to the next sample after one that took this CPU time.
fn period_after(took: Duration) -> Duration {
    (took * PERIOD_OVER_COST).max(PERIOD)
}

/// CPU time of the calling thread: on a busy machine a sample takes longer, and no more of the machine.
fn cpu_time_of_thread() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    // The clock begins at zero with the thread.
    Duration::from_secs(time.tv_sec.unsigned_abs()) + Duration::from_nanos(time.tv_nsec.unsigned_abs())
}

fn lock_window(window: &Mutex<SleepWindow>) -> MutexGuard<'_, SleepWindow> {
    window.lock().unwrap_or_else(PoisonError::into_inner)
}

fn is_any_place_known(processes: &[ProcessesLookedAt]) -> bool {
    let mut places = processes.iter().flat_map(|processes| &processes.places);
    places.any(|place| place.function.is_some() || place.call.is_some())
}

#[cfg(test)]
mod tests;
