//! How fast `pgdyno import` reads logs, beside `awk` that sums one of their columns, in MB per second of CPU time,
//! since the machine is shared; and how much memory it takes. `import=MIB` makes logs of another size than 2 GiB.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;

use super::tool;

/// Size of a log, unless another one is asked for.
pub(super) const MIB: u64 = 2 << 10;
const ROUNDS: usize = 3;

/// A log with the field that `awk` sums.
struct Log {
    name: &'static str,
    what: &'static str,
    field: u32,
    line: fn(u64, &mut dyn Write) -> std::io::Result<()>,
}

/// Makes the logs in the directory for temporary files, and reads each `ROUNDS` times with both.
pub(super) fn print(pgdyno: &Path, mib: u64) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    println!("\n## Reading a log of {mib} MiB, MB per second of CPU time, {ROUNDS} times\n");
    for log in [
        Log { name: "pgbench_log.1", what: "pgbench's transaction log", field: 3, line: transaction },
        Log { name: "stage_lat.1.log", what: "fio's log of single requests", field: 2, line: request },
    ] {
        let path = directory.path().join(log.name);
        let bytes = write(&path, &log, mib << 20) as f64;
        let mut rates = [Vec::new(), Vec::new()];
        let mut resident_kib = 0;
        for round in 0..ROUNDS {
            let runs = directory.path().join(format!("runs-{}-{round}", log.name));
            let arguments = ["import", "--quiet", "--workload", "w", "--runs"];
            let mut import = Command::new(pgdyno);
            import.args(arguments).arg(&runs).arg(&path);
            let spent = tool::run_spending(&mut import);
            rates[0].push(bytes / 1e6 / spent.cpu.as_secs_f64());
            resident_kib = spent.resident_kib.max(resident_kib);
            let mut awk = Command::new("awk");
            awk.arg(format!("{{ sum += ${} }} END {{ print sum }}", log.field)).arg(&path);
            rates[1].push(bytes / 1e6 / tool::run_spending(&mut awk).cpu.as_secs_f64());
        }
        std::fs::remove_file(&path).expect("it was written");
        let [ours, awks] = rates.map(|rates| super::spread_in_words(&rates));
        println!("- {}: pgdyno {ours}, awk {awks}; at most {} MiB resident", log.what, resident_kib >> 10);
    }
}

fn write(path: &Path, log: &Log, bytes: u64) -> u64 {
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path).expect("a file"));
    // The size is looked at now and then.
    for number in 0.. {
        (log.line)(number, &mut out).expect("room for the log");
        if number % (1 << 16) == 0 && std::fs::metadata(path).expect("it is there").len() >= bytes {
            break;
        }
    }
    out.flush().expect("room for the log");
    std::fs::metadata(path).expect("it is there").len()
}

/// 64 clients, 100 000 transactions a second, latencies spread by a multiplicative hash.
fn transaction(number: u64, out: &mut dyn Write) -> std::io::Result<()> {
    let (client, us) = (number % 64, 200 + (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52));
    let at = 1_795_183_830_000_000 + number * 10;
    writeln!(out, "{client} {} {us} 0 {} {}", number / 64, at / 1_000_000, at % 1_000_000)
}

/// Reads and writes of 8 KiB, 10 000 a second.
fn request(number: u64, out: &mut dyn Write) -> std::io::Result<()> {
    let ns = 80_000 + (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 44);
    writeln!(out, "{}, {ns}, {}, 8192, 0", number / 10, u64::from(number.is_multiple_of(5)))
}
