//! `profile.json`: what the server's processes executed while a trial measured, sampled at a fixed rate of their time
//! on a CPU.
//!
//! A sample is one instant at which one process was on a CPU. The share of a process's samples in a function is the
//! share of its CPU time there, and a sample stands for `1 / frequency_hz` seconds of CPU time.

use serde::{Deserialize, Serialize};

/// The newest format of `profile.json`.
pub const FORMAT: u32 = 1;

/// The samples of one trial.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// Format version, [`FORMAT`] when written by this build.
    pub format: u32,
    /// Why there are no samples; absent where there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<String>,
    /// Samples per second of CPU time.
    pub frequency_hz: u32,
    /// What the kernel took samples of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<SampledScope>,
    /// What is known of the time in the kernel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel: Option<KernelFrames>,
    /// Samples that the kernel could not deliver, of any process.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lost: u64,
    /// Samples of processes that are not the server's; none are taken where only the server's processes are sampled.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub of_others: u64,
    /// Time that pgdyno took to read and name the samples, in microseconds of wall-clock time.
    pub took_us: u64,
    /// The functions that occur in stacks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub symbols: Vec<Symbol>,
    /// The samples by kind of process.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub processes: Vec<SampledProcesses>,
}

/// What samples were taken of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SampledScope {
    /// Everything that the CPUs executed.
    EveryCpu,
    /// The server's processes alone. A process that ends before it has used as much CPU time as lies between two
    /// samples is never sampled.
    ServerProcesses,
}

/// What is known of the time in the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KernelFrames {
    /// The functions of the kernel.
    Named,
    /// That it was the kernel.
    Unnamed,
    /// Nothing: no samples were taken there.
    Excluded,
}

/// One function, or what stands for one.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Symbol {
    /// Its name; absent where the file does not name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The file that it is in, without its directory; `kernel`, `[vdso]`, or `anonymous memory` for code that was made
    /// while the server ran.
    pub library: String,
    /// The named functions before and after one without a name; either is absent at an end of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub between: Option<[Option<String>; 2]>,
}

/// The samples of one kind of process.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SampledProcesses {
    /// Which.
    pub kind: ProcessKind,
    /// Processes of this kind of which there are samples.
    pub processes: u32,
    /// Samples of them together.
    pub samples: u64,
    /// The same by stack.
    pub stacks: Vec<SampledStack>,
}

/// Whom a process of the server serves.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProcessKind {
    /// A session of the load.
    Load,
    /// Another session, or one of which it is not known whose it was.
    Backend,
    /// The server itself, by the name of the process: `checkpointer`, `walwriter`, `parallel worker`.
    Server(String),
}

/// One stack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampledStack {
    /// Places in [`Profile::symbols`], from the function that was executing to its callers. Callers are known as far as
    /// the kernel and the program's frame pointers tell.
    pub frames: Vec<u32>,
    /// How often it was seen.
    pub samples: u64,
}

impl Profile {
    /// A profile without samples, and why.
    #[must_use]
    pub fn without_samples(frequency_hz: u32, gap: String) -> Self {
        Self { format: FORMAT, frequency_hz, gap: Some(gap), ..Self::default() }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profile_is_read_as_it_was_written() {
        let named = Symbol { name: Some("ExecScan".to_owned()), library: "postgres".to_owned(), between: None };
        let between = Some([Some("ExecScan".to_owned()), None]);
        let unnamed = Symbol { name: None, library: "postgres".to_owned(), between };
        let stacks = vec![SampledStack { frames: vec![1, 0], samples: 7 }];
        let load = SampledProcesses { kind: ProcessKind::Load, processes: 1, samples: 7, stacks };
        let checkpointer = ProcessKind::Server("checkpointer".to_owned());
        let server = SampledProcesses { kind: checkpointer, processes: 1, samples: 0, stacks: Vec::new() };
        let profile = Profile {
            format: FORMAT,
            frequency_hz: 99,
            scope: Some(SampledScope::EveryCpu),
            kernel: Some(KernelFrames::Named),
            took_us: 5,
            symbols: vec![named, unnamed],
            processes: vec![load, server],
            ..Profile::default()
        };
        let text = serde_json::to_string(&profile).unwrap();
        assert_eq!(serde_json::from_str::<Profile>(&text).unwrap(), profile);
        assert!(text.contains(r#""kind":{"server":"checkpointer"}"#), "{text}");
    }

    #[test]
    fn profile_without_samples_says_why() {
        let profile = Profile::without_samples(99, "no right".to_owned());
        let text = serde_json::to_string(&profile).unwrap();
        assert_eq!(text, r#"{"format":1,"gap":"no right","frequency_hz":99,"took_us":0}"#);
        assert_eq!(serde_json::from_str::<Profile>(&text).unwrap(), profile);
    }
}
