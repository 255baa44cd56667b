//! What the provider of a managed server says, by a command that stands in its place: facts with their source, balances
//! that invalidate or weaken, and commands that fail, hang or print something else.

use std::fs;
use std::path::Path;
use std::process::Command;

use testbed::Postgres;

use crate::lab::Lab;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/managed");

/// Two targets on one server, the second of which has a provider.
fn plan(server: &Postgres, facts: &str) -> String {
    let url = server.socket_conninfo();
    format!(
        "name: Managed\ntargets:\n  plain: {{ url: \"{url}\" }}\n  rds: {{ url: \"{url}\", facts: {facts} }}\n\
         baseline: plain\nmay_differ: [route, platform]\nworkloads: {{ one: {{ script: [one.sql], think: 5ms }} }}\nclients: [1]\n\
         trial: {{ warm_up: 0s, measure: 1s }}\nblocks: {{ at_least: 1, at_most: 1 }}\nprobes: false\ninterleave: trials\n"
    )
}

fn lab_with(server: &Postgres, facts: &str) -> Lab {
    let lab = Lab::new();
    lab.write("one.sql", "SELECT 1;\n");
    lab.write("plan.yaml", plan(server, facts));
    lab
}

/// A command that prints one balance after the other, and then the last one again.
fn answers_of_balances(lab: &Lab, balances: &[f64]) {
    let line = |value: &f64| {
        format!(
            "{{ \"service\": \"Amazon RDS\", \"class\": \"db.t4g.medium\", \"balances\": [{{ \"name\": \"CPUCreditBalance\", \
             \"value\": {value}, \"unit\": \"credits\" }}] }}\n"
        )
    };
    lab.write("answers", balances.iter().map(line).collect::<String>());
    let script = "n=$(cat count 2>/dev/null || echo 1)\necho $((n + 1)) > count\nlast=$(wc -l < answers)\n\
                  sed -n \"$((n < last ? n : last))p\" answers\n";
    lab.write("answer.sh", script);
}

#[test]
fn facts_of_the_provider_have_their_source_and_differ() {
    let server = Postgres::start_default();
    let lab = lab_with(&server, "{ command: sh answer.sh }");
    answers_of_balances(&lab, &[100.0]);
    lab.pgdyno("run plan.yaml --details").prints(&["Credits of the provider", "CPUCreditBalance"]);
    let facts = lab.run().dir().target_facts().expect("facts").remove("rds").expect("those of rds");
    let of_platform = facts.of_platform.expect("the provider was asked");
    assert_eq!(of_platform.facts["instance class"].source, "command of `facts`: class");
    let trials = lab.run().trials();
    let of_rds: Vec<_> = trials.iter().filter(|trial| trial.cell.target == "rds").collect();
    let totals = of_rds[0].provider.as_ref().expect("it was asked");
    assert_eq!((totals.before[0].value, totals.after[0].value, &totals.gap), (100.0, 100.0, &None));
    assert!(trials.iter().any(|trial| trial.cell.target == "plain" && trial.provider.is_none()));
}

#[test]
fn balance_that_falls_weakens_and_one_at_zero_is_not_compared() {
    let server = Postgres::start_default();
    for (balances, expected) in [
        ([100.0, 100.0, 97.5], "the balance CPUCreditBalance fell from 100 to 97.5 credits"),
        ([100.0, 3.0, 0.0], "the balance CPUCreditBalance was zero"),
    ] {
        let lab = lab_with(&server, "{ command: sh answer.sh }");
        answers_of_balances(&lab, &balances);
        lab.pgdyno("run plan.yaml").prints(&[expected]);
    }
}

#[test]
fn command_that_does_not_work_ends_the_run_before_anything_is_measured() {
    let server = Postgres::start_default();
    for (facts, expected) in [
        (
            "{ command: \"echo ExpiredToken: log in again >&2; exit 254\" }",
            "exit status: 254: ExpiredToken: log in again",
        ),
        ("{ command: sleep 600, within: 200ms }", "it did not end within 0.2 s"),
        ("{ command: echo rubbish }", "it printed no such JSON"),
        ("{ command: \"true\" }", "it printed nothing"),
    ] {
        let lab = lab_with(&server, facts);
        let ended = lab.pgdyno("run plan.yaml");
        ended.exits(3).says(&["target \"rds\": the command of `facts` failed", expected, "hint: "]);
        let left = Command::new("pgrep").args(["-f", "^sleep 600$"]).output().expect("pgrep");
        assert!(left.stdout.is_empty(), "the command is gone");
    }
}

#[test]
fn token_that_expires_during_the_run_is_a_gap_with_its_reason() {
    let server = Postgres::start_default();
    let lab = lab_with(&server, "{ command: sh answer.sh }");
    answers_of_balances(&lab, &[100.0]);
    // Facts, and before the trial; then it is over.
    let script = fs::read_to_string(lab.path().join("answer.sh")).expect("it was written");
    lab.write("answer.sh", script + "test \"$n\" -le 2 || { echo ExpiredToken >&2; exit 254; }\n");
    lab.pgdyno("run plan.yaml").prints(&["the balances of the provider are not known", "ExpiredToken"]);
    assert_eq!(lab.run().trials().len(), 2);
}

/// The commands of `examples/managed`, with the providers' programs replaced by ones that print recorded answers.
#[test]
fn ready_commands_print_what_a_plan_reads() {
    if Command::new("jq").arg("--version").output().is_err() {
        eprintln!("skipped: jq is not installed");
        return;
    }
    let server = Postgres::start_default();
    for (program, fake, command, expected) in [
        ("aws", FAKE_AWS, "rds.sh shop", ["db.t4g.medium", "CPUCreditBalance"]),
        ("gcloud", FAKE_GCLOUD, "cloud-sql.sh shop", ["db-custom-4-15360", "REGIONAL"]),
        ("az", FAKE_AZ, "azure.sh bench shop", ["Standard_B2s", "cpu_credits_remaining"]),
    ] {
        let lab = Lab::new();
        let bin = lab.path().join("bin");
        fs::create_dir(&bin).expect("a directory");
        let path = bin.join(program);
        fs::write(&path, fake.replace("ANSWERS", &format!("{EXAMPLES}/answers"))).expect("written");
        make_executable(&path);
        let command = format!("PATH={}:$PATH {EXAMPLES}/{command}", bin.display());
        lab.write("one.sql", "SELECT 1;\n");
        lab.write("plan.yaml", plan(&server, &format!("{{ command: \"{command}\" }}")));
        lab.pgdyno("run plan.yaml");
        let facts = fs::read_to_string(lab.run().path().join("targets/rds.json")).expect("facts");
        let trials = serde_json::to_string(&lab.run().trials()).expect("they are JSON");
        for word in expected {
            assert!(facts.contains(word) || trials.contains(word), "{command}: {word} in {facts}");
        }
    }
}

fn make_executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("permissions");
}

const FAKE_AWS: &str = r#"#!/bin/sh
case "$1 $2" in
"rds describe-db-instances") cat ANSWERS/rds-describe-db-instances.json ;;
"ec2 describe-instance-types") cat ANSWERS/ec2-describe-instance-types.json ;;
"rds describe-events") cat ANSWERS/rds-describe-events.json ;;
"cloudwatch get-metric-statistics") cat "ANSWERS/cloudwatch-$6.json" 2>/dev/null || echo '{ "Datapoints": [] }' ;;
*) echo "unknown command: $*" >&2; exit 2 ;;
esac
"#;

const FAKE_GCLOUD: &str = "#!/bin/sh\ncat \"ANSWERS/gcloud-$1-$2-$3.json\"\n";

const FAKE_AZ: &str = r#"#!/bin/sh
case "$1 $2 $3" in
"postgres flexible-server show") cat ANSWERS/az-flexible-server-show.json ;;
"monitor metrics list") cat ANSWERS/az-monitor-metrics-list.json ;;
"monitor activity-log list") cat ANSWERS/az-monitor-activity-log-list.json ;;
*) echo "unknown command: $*" >&2; exit 2 ;;
esac
"#;
