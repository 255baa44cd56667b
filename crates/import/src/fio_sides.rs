//! Outputs of fio on a page: what stands above them names their disks, where it differs above executions of the same
//! jobs.

use std::collections::{BTreeMap, BTreeSet};

use outputs::fio_json::FioOutput;

use super::between::{InterveningLines, OutputSurroundings};
use super::file_sides::JobKey;

/// What stands above each output whose first line has one of these numbers, from 1.
fn surroundings_of_outputs(text: &str, first_lines: &[usize]) -> Vec<OutputSurroundings> {
    let mut between = InterveningLines::default();
    let mut surroundings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        while first_lines.get(surroundings.len()).is_some_and(|first| *first <= index + 1) {
            surroundings.push(between.next());
        }
        between.read_surrounding_line(line);
    }
    surroundings.resize_with(first_lines.len(), || between.next());
    surroundings
}

/// The target of each output, where headings or labels tell those of the same jobs apart: what differs above them.
/// Otherwise they are executions of one disk, and have no target.
pub(crate) fn targets_of_outputs(text: &str, outputs: &[&FioOutput], first_lines: &[usize]) -> Vec<Option<String>> {
    let surroundings = surroundings_of_outputs(text, first_lines);
    let jobs: Vec<BTreeSet<JobKey>> =
        outputs.iter().map(|output| output.groups.iter().map(JobKey::from_group).collect()).collect();
    let of_each: [fn(&OutputSurroundings) -> &Vec<String>; 2] = [|above| &above.headings, |above| &above.labels];
    for parts in of_each {
        let names = names_of_outputs(&jobs, &surroundings, parts);
        let distinct: BTreeSet<&String> = names.iter().collect();
        if distinct.len() > 1 && names.iter().all(|name| !name.is_empty()) {
            return names.into_iter().map(Some).collect();
        }
    }
    vec![None; outputs.len()]
}

/// Of each output the parts that another one of the same jobs has not.
fn names_of_outputs(
    jobs: &[BTreeSet<JobKey>],
    surroundings: &[OutputSurroundings],
    parts: fn(&OutputSurroundings) -> &Vec<String>,
) -> Vec<String> {
    let mut above_jobs: BTreeMap<&BTreeSet<JobKey>, Vec<&Vec<String>>> = BTreeMap::new();
    for (jobs, above) in jobs.iter().zip(surroundings) {
        above_jobs.entry(jobs).or_default().push(parts(above));
    }
    let mut unlike: BTreeSet<&String> = BTreeSet::new();
    for all in above_jobs.values() {
        let in_some = all.iter().flat_map(|parts| parts.iter());
        unlike.extend(in_some.filter(|part| !all.iter().all(|parts| parts.contains(part))));
    }
    let mut all = Vec::new();
    for above in surroundings {
        let own: Vec<&str> = parts(above).iter().filter(|part| unlike.contains(part)).map(String::as_str).collect();
        all.push(own.join(" "));
    }
    all
}

#[cfg(test)]
mod tests {
    use outputs::fio_text;

    use super::*;

    fn targets(page: &str) -> Vec<Option<String>> {
        let executions = fio_text::parse_executions_with_lines(page).expect("outputs of fio");
        let (outputs, lines): (Vec<&FioOutput>, Vec<usize>) = executions.iter().map(|(one, line)| (one, *line)).unzip();
        targets_of_outputs(page, &outputs, &lines)
    }

    fn output(job: &str, process: u32) -> String {
        format!(
            "```\n{job}: (g=0): rw=randread, bs=(R) 8192B-8192B, (W) 8192B-8192B, (T) 8192B-8192B, ioengine=libaio, \
             iodepth=1\nfio-3.28\nStarting 1 process\n\n{job}: (groupid=0, jobs=1): err= 0: pid={process}: Sat\n   \
             read: IOPS=1000, BW=8000KiB/s (8192kB/s)(100MiB/12800msec)\n\nRun status group 0 (all jobs):\n   READ: \
             bw=8000KiB/s\n```\n"
        )
    }

    #[test]
    fn headings_above_the_same_job_name_disks_and_those_that_count_do_not() {
        let [one, two, three] = [1, 2, 3].map(|process| output("rand", process));
        let page = format!("# Disks\n\n## NVMe\n\n{one}\n{two}\n## Cloud volume\n\n{three}\n");
        let nvme = Some("NVMe".to_owned());
        assert_eq!(targets(&page), [nvme.clone(), nvme, Some("Cloud volume".to_owned())]);
        assert_eq!(targets(&format!("## Run 1\n\n{one}\n## Run 2\n\n{two}\n")), [None, None]);
    }

    #[test]
    fn lines_before_a_colon_name_disks_and_headings_of_different_jobs_do_not() {
        let (one, two) = (output("rand", 1), output("rand", 2));
        let page = format!("## Raw drives\n\nHard disk:\n\n{one}\nSSD:\n\n{two}\n");
        assert_eq!(targets(&page).len(), 2);
        assert!(targets(&page).iter().all(Option::is_some), "{:?}", targets(&page));
        let of_jobs = format!("## Reads\n\n{}\n## Reads at depth\n\n{}\n", output("a", 1), output("b", 2));
        assert_eq!(targets(&of_jobs), [None, None]);
    }
}
