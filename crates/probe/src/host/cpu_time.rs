//! How much of its CPUs' time this machine got, for whoever has to know before a figure is believed.

use std::path::Path;

use results::probe_fields::host_cpu;

use super::HostSource;
use super::cpu::Cpu;

/// The time of all CPUs since the machine started, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CpuTime {
    all_us: u64,
    /// Of it what its host gave to others while something was there to run (`steal`, proc_stat(5)).
    stolen_us: u64,
}

impl CpuTime {
    /// As it stands now, from `/proc/stat`, in steps of 10 ms on most kernels. None where the kernel does not tell.
    pub fn read_now() -> Option<Self> {
        let times = Cpu::new(Path::new("/")).read_snapshot().ok()?.times_us;
        let all_us = times.iter().filter_map(|(_, us)| *us).sum();
        let (_, stolen_us) = times.into_iter().find(|(field, _)| *field == host_cpu::STEAL_US)?;
        Some(Self { all_us, stolen_us: stolen_us? })
    }

    /// What share was stolen of the time since `before`; 0 where there was none.
    pub fn stolen_since(&self, before: &Self) -> f64 {
        let all_us = self.all_us.saturating_sub(before.all_us);
        let stolen_us = self.stolen_us.saturating_sub(before.stolen_us);
        if all_us == 0 { 0.0 } else { stolen_us as f64 / all_us as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_stolen_is_a_share_of_the_time_that_passed() {
        let before = CpuTime { all_us: 1_000, stolen_us: 400 };
        assert_eq!(CpuTime { all_us: 3_000, stolen_us: 500 }.stolen_since(&before), 0.05);
        assert_eq!(before.stolen_since(&before), 0.0);
        // The kernel's idle time may step back a little.
        assert_eq!(CpuTime { all_us: 990, stolen_us: 400 }.stolen_since(&before), 0.0);
    }
}
