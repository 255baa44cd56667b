//! Whether the limits of all servers of a plan fit into one machine.

use super::model::Plan;
use super::server_limits::ServerLimits;
use super::target::Target;
use super::units::{Cpus, FileSize};

impl Plan {
    /// Whether all limited servers together fit into a machine with so many CPUs and so much memory, a sentence for
    /// each of the two; none where no server is limited.
    #[must_use]
    pub fn limits_in_machine(&self, cpus: u32, memory_bytes: u64) -> Vec<String> {
        let local: Vec<&Target> = self.targets.iter().filter(|target| target.reach.can_restart()).collect();
        let limited: Vec<&ServerLimits> = local.iter().filter_map(|target| target.machine.limits.as_ref()).collect();
        let mut sentences = Vec::new();
        let of_cpus: Vec<f64> = limited.iter().filter_map(|limits| limits.cpus).map(Cpus::cpu_count).collect();
        if !of_cpus.is_empty() {
            let sum: f64 = of_cpus.iter().sum();
            let fits = if sum <= f64::from(cpus) { "fit" } else { "do not fit" };
            sentences.push(format!(
                "limits of CPUs: {}, together {sum}; they {fit} into this machine ({cpus} CPUs), and the load needs CPUs, too{unlimited}",
                of_cpus.iter().map(f64::to_string).collect::<Vec<_>>().join(" + "),
                fit = fits,
                unlimited = other_servers(local.len() - of_cpus.len()),
            ));
        }
        let of_memory: Vec<u64> = limited.iter().filter_map(|limits| limits.memory).map(FileSize::size_bytes).collect();
        if !of_memory.is_empty() {
            let sum: u64 = of_memory.iter().sum();
            let fits = if sum <= memory_bytes { "fit" } else { "do not fit" };
            let [sum, machine] = [sum, memory_bytes].map(|bytes| bytes as f64 / f64::from(1 << 30));
            sentences.push(format!(
                "limits of memory: together {sum:.1} GiB; they {fits} into this machine ({machine:.1} GiB){}",
                other_servers(local.len() - of_memory.len()),
            ));
        }
        sentences
    }
}

/// That there are servers without such a limit.
fn other_servers(number: usize) -> String {
    match number {
        0 => String::new(),
        1 => "; 1 server has no such limit".to_owned(),
        number => format!("; {number} servers have no such limit"),
    }
}
