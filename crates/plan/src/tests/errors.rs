//! The text of every error: what a user reads is what is tested.

use super::super::{parse_plan, parse_with_codes};
use super::{GOOD, edited, errors_and_hints, plan, refusal};

#[test]
fn a_misspelled_key_is_answered_with_the_nearest_one() {
    insta::assert_snapshot!(refusal(&edited("trial: { warm_up: 1s", "trial: { warmup: 1s")), @r#"
    error: unknown key "warmup" in trial
      --> plan.yaml:17:10
       |
    17 | trial: { warmup: 1s, measure: 5s }
       |          ^^^^^^
    hint: did you mean "warm_up"?
    "#);
}

#[test]
fn a_misspelled_required_key_is_not_also_reported_as_missing() {
    insta::assert_snapshot!(refusal(&edited("clients: [2, 8]", "client: [2, 8]")), @r#"
    error: unknown key "client" in the plan
      --> plan.yaml:16:1
       |
    16 | client: [2, 8]
       | ^^^^^^
    hint: did you mean "clients"?
    "#);
}

#[test]
fn keys_beside_a_misspelled_one_are_not_reported_as_misplaced() {
    insta::assert_snapshot!(refusal(&edited("read: { builtin:", "read: { buildin:")), @r#"
    error: unknown key "buildin" in workloads.read
      --> plan.yaml:14:11
       |
    14 |   read: { buildin: select-only, scale: 10 }
       |           ^^^^^^^
    hint: did you mean "builtin"?
    "#);
}

#[test]
fn a_key_in_the_wrong_place_is_answered_with_its_right_one() {
    insta::assert_snapshot!(refusal(&edited("practical_threshold: 3%", "measure: 5s")), @r#"
    error: unknown key "measure" in the plan
      --> plan.yaml:19:1
       |
    19 | measure: 5s
       | ^^^^^^^
    hint: "measure" belongs to trial; the keys of the plan are name, author, customer, notes, targets, baseline, compare, ladder, may_differ, generators, workloads, clients, threads, trial, events, beside, interleave, slice, blocks, practical_threshold, costs, statements, may_risk, ignore, noise_floor, probes, observer_cost, profile, disk, rehearse_upgrade, seed
    "#);
}

#[test]
fn a_key_that_is_near_to_nothing_is_answered_with_the_keys_there_are() {
    insta::assert_snapshot!(refusal(&edited("until: 2%", "flavour: 2%")), @r#"
    error: unknown key "flavour" in blocks
      --> plan.yaml:18:36
       |
    18 | blocks: { at_least: 3, at_most: 5, flavour: 2% }
       |                                    ^^^^^^^
    hint: the keys of blocks are at_least, at_most, until, at_most_time, restart
    "#);
}

#[test]
fn a_missing_key_is_named_with_an_example() {
    insta::assert_snapshot!(refusal(&edited("clients: [2, 8]\n", "")), @r#"
    error: the plan has no key "clients"
     --> plan.yaml:1:1
      |
    1 | name: A question
      | ^
    hint: add `clients: [2, 8]`
    "#);
}

#[test]
fn a_duration_in_a_wrong_unit_is_answered_with_the_right_text() {
    insta::assert_snapshot!(refusal(&edited("measure: 5s", "measure: 5 sec")), @r#"
    error: trial.measure: found "5 sec", not a duration
      --> plan.yaml:17:32
       |
    17 | trial: { warm_up: 1s, measure: 5 sec }
       |                                ^^^^^
    hint: write 5s
    "#);
}

#[test]
fn a_duration_without_a_unit_is_refused() {
    insta::assert_snapshot!(refusal(&edited("measure: 5s", "measure: 5")), @"
    error: trial.measure: found 5, a number without its unit
      --> plan.yaml:17:32
       |
    17 | trial: { warm_up: 1s, measure: 5 }
       |                                ^
    hint: write 5s for seconds or 5ms for milliseconds; m and h are minutes and hours
    ");
}

#[test]
fn a_measurement_of_no_length_is_refused() {
    insta::assert_snapshot!(refusal(&edited("measure: 5s", "measure: 0s")), @r#"
    error: trial.measure: found "0s", too short to measure anything
      --> plan.yaml:17:32
       |
    17 | trial: { warm_up: 1s, measure: 0s }
       |                                ^^
    hint: write at least 100ms
    "#);
}

#[test]
fn a_percentage_without_its_sign_is_refused() {
    insta::assert_snapshot!(refusal(&edited("threshold: 3%", "threshold: 3")), @"
    error: practical_threshold: found 3, a number without its unit
      --> plan.yaml:19:22
       |
    19 | practical_threshold: 3
       |                      ^
    hint: write 3% for 3 percent
    ");
}

#[test]
fn a_baseline_that_is_no_target_is_answered_with_the_targets() {
    insta::assert_snapshot!(refusal(&edited("baseline: a", "baseline: c")), @r#"
    error: baseline: found "c", not one of the targets
      --> plan.yaml:11:11
       |
    11 | baseline: c
       |           ^
    hint: the targets are: a, b
    "#);
}

#[test]
fn an_empty_ladder_of_clients_is_refused() {
    insta::assert_snapshot!(refusal(&edited("clients: [2, 8]", "clients: []")), @"
    error: clients: found a list of 0, too few
      --> plan.yaml:16:10
       |
    16 | clients: []
       |          ^^
    hint: write [2, 8]
    ");
}

#[test]
fn zero_clients_are_refused() {
    insta::assert_snapshot!(refusal(&edited("clients: [2, 8]", "clients: [0, 8]")), @"
    error: clients: found 0, out of range
      --> plan.yaml:16:11
       |
    16 | clients: [0, 8]
       |           ^
    hint: write a whole number from 1 to 262143
    ");
}

#[test]
fn a_number_of_clients_given_twice_is_refused() {
    insta::assert_snapshot!(refusal(&edited("clients: [2, 8]", "clients: [2, 8, 2]")), @"
    error: clients: 2 is given twice
      --> plan.yaml:16:17
       |
    16 | clients: [2, 8, 2]
       |                 ^
    detail: it is first given in line 16, column 11
    hint: keep one of the two
    ");
}

#[test]
fn a_scale_of_zero_is_refused() {
    insta::assert_snapshot!(refusal(&edited("select-only, scale: 10", "select-only, scale: 0")), @"
    error: workloads.read.scale: found 0, out of range
      --> plan.yaml:14:40
       |
    14 |   read: { builtin: select-only, scale: 0 }
       |                                        ^
    hint: write a whole number from 1 to 1000000
    ");
}

#[test]
fn managed_and_existing_data_in_one_plan_are_refused() {
    insta::assert_snapshot!(refusal(&edited("tpcb-like, scale: 10", "tpcb-like, scale: 10, data: existing")), @r#"
    error: workload "write" would use as existing the tables that "read" has created
      --> plan.yaml:15:49
       |
    15 |   write: { builtin: tpcb-like, scale: 10, data: existing }
       |                                                 ^^^^^^^^
    hint: use `data: existing` for all workloads of a plan or for none
    "#);
}

#[test]
fn two_targets_with_one_data_directory_are_refused() {
    insta::assert_snapshot!(refusal(&edited("    url: postgresql://bench@10.0.0.5/bench\n", "    local: { version: 18, data_directory: /srv/./x/../a/ }\n")), @r#"
    error: targets "a" and "b" would share a data directory
      --> plan.yaml:10:43
       |
    10 |     local: { version: 18, data_directory: /srv/./x/../a/ }
       |                                           ^^^^^^^^^^^^^^
    detail: that of "a" is in line 6
    hint: give each target its own directory, neither inside the other
    "#);
}

#[test]
fn a_data_directory_inside_another_is_refused() {
    insta::assert_snapshot!(refusal(&edited("    url: postgresql://bench@10.0.0.5/bench\n", "    local: { version: 18, data_directory: /srv/a/b }\n")), @r#"
    error: targets "a" and "b" would share a data directory
      --> plan.yaml:10:43
       |
    10 |     local: { version: 18, data_directory: /srv/a/b }
       |                                           ^^^^^^^^
    detail: that of "a" is in line 6
    hint: give each target its own directory, neither inside the other
    "#);
}

#[test]
fn a_duplicate_key_is_refused_with_the_line_of_the_first() {
    insta::assert_snapshot!(refusal(&edited("baseline: a\n", "baseline: a\nname: Again\n")), @r#"
    error: the key "name" is given twice
      --> plan.yaml:12:1
       |
    12 | name: Again
       | ^^^^
    detail: it is first given in line 1
    hint: keep one of the two
    "#);
}

#[test]
fn a_duplicate_target_is_refused() {
    insta::assert_snapshot!(refusal(&edited("  b:\n", "  a:\n")), @r#"
    error: the key "a" is given twice
     --> plan.yaml:9:3
      |
    9 |   a:
      |   ^
    detail: it is first given in line 3
    hint: keep one of the two
    "#);
}

#[test]
fn a_tab_as_indentation_is_refused() {
    insta::assert_snapshot!(refusal(&edited("  b:\n", "\tb:\n")), @"
    error: not YAML: tabs disallowed within this context (block indentation)
     --> plan.yaml:9:2
      |
    9 | →b:
      |  ^
    hint: indent with spaces; YAML does not permit tabs there
    ");
}

#[test]
fn a_quote_that_is_not_closed_is_refused() {
    insta::assert_snapshot!(refusal(&edited("name: A question", "name: \"A question")), @r#"
    error: not YAML: invalid indentation in quoted scalar
     --> plan.yaml:1:7
      |
    1 | name: "A question
      |       ^
    hint: check the indentation and the quotes here and in the line above
    "#);
}

#[test]
fn an_empty_file_is_refused() {
    insta::assert_snapshot!(refusal(""), @"
    error: the plan is empty
     --> plan.yaml:1:1
    hint: `pgdyno plan new` prints one to start from
    ");
}

#[test]
fn a_plan_that_is_a_list_is_refused() {
    insta::assert_snapshot!(refusal("- name: x\n"), @"
    error: the plan: found a list of 1, not a mapping
     --> plan.yaml:1:1
      |
    1 | - name: x
      | ^^^^^^^^^
    hint: write keys and values; the keys are name, author, customer, notes, targets, baseline, compare, ladder, may_differ, generators, workloads, clients, threads, trial, events, beside, interleave, slice, blocks, practical_threshold, costs, statements, may_risk, ignore, noise_floor, probes, observer_cost, profile, disk, rehearse_upgrade, seed
    ");
}

#[test]
fn a_second_document_is_refused() {
    insta::assert_snapshot!(refusal(&format!("{GOOD}{}", "---\nname: x\n")), @r#"
    error: the file contains a second document
      --> plan.yaml:20:1
       |
    20 | ---
       | ^^^
    hint: write one plan per file, and remove this "---"
    "#);
}

#[test]
fn a_key_without_a_value_is_refused() {
    insta::assert_snapshot!(refusal(&edited("practical_threshold: 3%", "practical_threshold:")), @"
    error: practical_threshold: found nothing
      --> plan.yaml:19:20
       |
    19 | practical_threshold:
       |                    ^
    hint: write `practical_threshold: 3%`, or remove the key
    ");
}

#[test]
fn a_number_where_a_text_belongs_is_answered_with_the_quotes_to_write() {
    insta::assert_snapshot!(refusal(&edited("name: A question", "name: 2026")), @r#"
    error: name: found 2026, not a text
     --> plan.yaml:1:7
      |
    1 | name: 2026
      |       ^^^^
    hint: write it in quotes: "2026"
    "#);
}

#[test]
fn a_text_where_a_number_belongs_is_answered_with_the_number_to_write() {
    insta::assert_snapshot!(refusal(&edited("tpcb-like, scale: 10", "tpcb-like, scale: \"10\"")), @r#"
    error: workloads.write.scale: found "10", a text
      --> plan.yaml:15:39
       |
    15 |   write: { builtin: tpcb-like, scale: "10" }
       |                                       ^^^^^
    hint: write 10 without quotes
    "#);
}

#[test]
fn a_mapping_where_a_list_belongs_is_refused() {
    insta::assert_snapshot!(refusal(&edited("may_differ: [version]", "may_differ: { version: true }")), @"
    error: may_differ: found a mapping, not a list
      --> plan.yaml:12:13
       |
    12 | may_differ: { version: true }
       |             ^^^^^^^^^^^^^^^^^
    hint: write [version]
    ");
}

#[test]
fn a_word_that_is_none_of_the_choices_is_answered_with_them() {
    insta::assert_snapshot!(refusal(&edited("builtin: select-only", "builtin: select_only")), @r#"
    error: workloads.read.builtin: found "select_only", not a valid value here
      --> plan.yaml:14:20
       |
    14 |   read: { builtin: select_only, scale: 10 }
       |                    ^^^^^^^^^^^
    hint: did you mean "select-only"? write one of: tpcb-like, simple-update, select-only
    "#);
}

#[test]
fn yes_is_answered_with_true() {
    insta::assert_snapshot!(refusal(&edited("practical_threshold: 3%", "noise_floor: yes")), @r#"
    error: noise_floor: found "yes", not true or false
      --> plan.yaml:19:14
       |
    19 | noise_floor: yes
       |              ^^^
    hint: write true
    "#);
}

#[test]
fn fewer_blocks_at_most_than_at_least_are_refused() {
    insta::assert_snapshot!(refusal(&edited("at_most: 5", "at_most: 2")), @"
    error: blocks: at_least is 3, at_most is 2
      --> plan.yaml:18:33
       |
    18 | blocks: { at_least: 3, at_most: 2, until: 2% }
       |                                 ^
    hint: write `at_most: 3` or more, or lower at_least
    ");
}

#[test]
fn more_blocks_at_least_than_the_default_at_most_are_refused() {
    insta::assert_snapshot!(refusal(&edited("at_least: 3, at_most: 5, until: 2%", "at_least: 12")), @"
    error: blocks: at_least is 12, at_most is 10 (by default)
      --> plan.yaml:18:21
       |
    18 | blocks: { at_least: 12 }
       |                     ^^
    hint: write `at_most: 12` or more, or lower at_least
    ");
}

#[test]
fn an_unknown_word_in_may_differ_is_answered_with_the_nearest_one() {
    insta::assert_snapshot!(refusal(&edited("may_differ: [version]", "may_differ: [version, kernal]")), @r#"
    error: may_differ: found "kernal", neither an aspect nor a setting
      --> plan.yaml:12:23
       |
    12 | may_differ: [version, kernal]
       |                       ^^^^^^
    hint: did you mean "kernel"? write one of: version, build, settings, platform, route, hardware, kernel, locale; or the name of a PostgreSQL setting
    "#);
}

#[test]
fn a_setting_in_may_differ_that_is_nearly_another_is_refused() {
    insta::assert_snapshot!(refusal(&edited("may_differ: [version]", "may_differ: [version, shared_bufers, my.own]")), @r#"
    error: may_differ: shared_bufers is not a setting of PostgreSQL
      --> plan.yaml:12:23
       |
    12 | may_differ: [version, shared_bufers, my.own]
       |                       ^^^^^^^^^^^^^
    hint: did you mean shared_buffers?
    "#);
    let single = refusal(&edited("may_differ: [version]", "may_differ: work_memm"));
    assert!(single.contains("did you mean work_mem?"), "{single}");
    for others in ["statement_mem", "checkpoint_segments", "enable_self_join_removal", "SHARED_BUFFERS", "x.work_memm"]
    {
        plan(&edited("may_differ: [version]", &format!("may_differ: [version, {others}]")));
    }
    assert_eq!(refusal(&edited("may_differ: [version]", "may_differ: [version, fysnc]")).matches("error:").count(), 1);
}

#[test]
fn a_name_that_cannot_be_a_file_name_is_refused() {
    insta::assert_snapshot!(refusal(&edited("  read: {", "  ../read: {")), @r#"
    error: workloads: the name "../read" cannot be a file name
      --> plan.yaml:14:3
       |
    14 |   ../read: { builtin: select-only, scale: 10 }
       |   ^^^^^^^
    hint: start with a letter or digit, followed by letters, digits, "_", "." and "-", 64 at most
    "#);
}

#[test]
fn a_version_that_is_not_supported_is_refused() {
    insta::assert_snapshot!(refusal(&edited("version: 17", "version: 13")), @"
    error: targets.a.local.version: found 13, which is not supported
     --> plan.yaml:5:16
      |
    5 |       version: 13
      |                ^^
    hint: write a version from 14 to 19
    ");
}

#[test]
fn a_version_that_is_not_known_is_refused() {
    insta::assert_snapshot!(refusal(&edited("version: 17", "version: 20")), @"
    error: targets.a.local.version: found 20, which this version of pgdyno does not know
     --> plan.yaml:5:16
      |
    5 |       version: 20
      |                ^^
    hint: write a version from 14 to 19, or specify installed binaries with `bin`
    ");
}

#[test]
fn a_release_without_quotes_is_answered_with_the_quotes_to_write() {
    insta::assert_snapshot!(refusal(&edited("version: 17", "version: 17.10")), @r#"
    error: targets.a.local.version: found 17.10, which other readers of YAML read as a decimal fraction
     --> plan.yaml:5:16
      |
    5 |       version: 17.10
      |                ^^^^^
    hint: write it in quotes: "17.10"
    "#);
}

#[test]
fn a_target_with_url_and_local_is_refused() {
    insta::assert_snapshot!(refusal(&edited("    url: postgresql://bench@10.0.0.5/bench\n", "    url: postgresql://bench@10.0.0.5/bench\n    local: { version: 18 }\n")), @r#"
    error: targets.b has both "url" and "local"
      --> plan.yaml:11:5
       |
    11 |     local: { version: 18 }
       |     ^^^^^
    detail: "url" is in line 10
    hint: keep one of the two
    "#);
}

#[test]
fn a_target_with_neither_url_nor_local_is_refused() {
    insta::assert_snapshot!(refusal(&edited("    url: postgresql://bench@10.0.0.5/bench\n", "    settings: {}\n")), @r#"
    error: targets.b has none of the keys "url" or "local" or "kubernetes" or "shared"
      --> plan.yaml:10:5
       |
    10 |     settings: {}
       |     ^
    hint: add `url: postgresql://user@host/database` or `local: { version: 18 }` or `kubernetes: { cluster: db-stage }` or `shared: { server_of: the name of a target }`
    "#);
}

#[test]
fn a_local_server_with_version_and_bin_is_refused() {
    insta::assert_snapshot!(refusal(&edited("version: 17\n", "version: 17\n      bin: /usr/lib/postgresql/17/bin\n")), @r#"
    error: targets.a.local has both "version" and "bin"
     --> plan.yaml:6:7
      |
    6 |       bin: /usr/lib/postgresql/17/bin
      |       ^^^
    detail: "version" is in line 5
    hint: keep one of the two
    "#);
}

#[test]
fn a_url_that_is_none_is_refused_without_being_repeated() {
    insta::assert_snapshot!(refusal(&edited("postgresql://bench@10.0.0.5/bench", "https://bench:s3cret@10.0.0.5/bench")), @r#"
    error: targets.b.url: not a connection string
      --> plan.yaml:10:10
       |
    10 |     url: https://bench:***@10.0.0.5/bench
       |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    hint: write postgresql://user@host:port/database or "host=… dbname=… user=…"
    "#);
}

#[test]
fn a_connection_string_is_refused_for_what_is_wrong_in_it_on_any_machine() {
    let url = "postgresql://bench@10.0.0.5/bench";
    insta::assert_snapshot!(refusal(&edited(url, "postgresql://bench@10.0.0.5/bench?sslmod=require")), @r#"
    error: targets.b.url: unknown connection parameter "sslmod"
      --> plan.yaml:10:10
       |
    10 |     url: postgresql://bench@10.0.0.5/bench?sslmod=require
       |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    hint: did you mean sslmode?
    "#);
    insta::assert_snapshot!(refusal(&edited(url, "\"host=h password=s3cret cret=1\"")), @r#"
    error: targets.b.url: unknown connection parameter
      --> plan.yaml:10:10
       |
    10 |     url: "host=h password=***
       |          ^^^^^^^^^^^^^^^^^^^^
    hint: write a connection parameter of libpq, such as sslmode
    "#);
    for known in ["sslmode=require", "gsslib=gssapi", "sslmode=verify-full&sslrootcert=/no/such/file"] {
        plan(&edited(url, &format!("{url}?{known}")));
    }
    let wrong = [
        "postgresql://bench@h/bench?sslmode=requires",
        "postgresql://bench@h/bench?sslmode",
        "postgresql://bench@h:54b32/bench",
        "\"host=h port=54b\"",
        "postgresql://bench@h/bench?target_session_attrs=rw",
        "postgresql://bench@h/bench?connect_timeout=abc",
        "postgresql://bench@h/bench?require_auth=scram-sha-256",
        "postgresql://bench@h/%zz",
    ];
    let refused = wrong.map(|wrong| {
        let text = refusal(&edited(url, wrong));
        let of = |word: &str| text.lines().find(|line| line.starts_with(word)).unwrap_or_default().to_owned();
        format!("{}; {}", of("error"), of("hint"))
    });
    insta::assert_snapshot!(refused.join("\n"), @r##"
    error: targets.b.url: invalid value for connection parameter sslmode; hint: write disable, allow, prefer, require, verify-ca or verify-full
    error: targets.b.url: malformed connection string: a parameter without "=" after "?"; hint: write parameters as ?name=value&name=value, with & and = percent-encoded inside values
    error: targets.b.url: invalid value for connection parameter port; hint: write a number from 1 to 65535
    error: targets.b.url: invalid value for connection parameter port; hint: write a number from 1 to 65535
    error: targets.b.url: invalid value for connection parameter target_session_attrs; hint: write any, read-write, read-only, primary, standby or prefer-standby
    error: targets.b.url: invalid value for connection parameter connect_timeout; hint: write whole seconds
    error: targets.b.url: connection parameter require_auth is not supported yet by this version; hint: remove it
    error: targets.b.url: malformed connection string: "%" without two hexadecimal digits; hint: write % itself as %25
    "##);
}

#[test]
fn every_code_of_ignore_that_does_not_exist_is_refused_at_its_place_beside_all_other_errors() {
    let text = edited("practical_threshold: 3%", "ignore: [no-such, cpu-stolen, other]").replace("5s", "5");
    let refuse = |code: &str| {
        let message = format!("code \"{code}\" does not exist");
        (code != "cpu-stolen").then(|| (message, "`pgdyno rule` lists the codes".to_owned()))
    };
    let errors = parse_with_codes("plan.yaml", text.as_bytes(), &refuse).expect_err("this plan has errors");
    insta::assert_snapshot!(errors.to_string(), @r#"
    error: trial.measure: found 5, a number without its unit
      --> plan.yaml:17:32
       |
    17 | trial: { warm_up: 1s, measure: 5 }
       |                                ^
    hint: write 5s for seconds or 5ms for milliseconds; m and h are minutes and hours

    error: ignore: code "no-such" does not exist
      --> plan.yaml:19:10
       |
    19 | ignore: [no-such, cpu-stolen, other]
       |          ^^^^^^^
    hint: `pgdyno rule` lists the codes

    error: ignore: code "other" does not exist
      --> plan.yaml:19:31
       |
    19 | ignore: [no-such, cpu-stolen, other]
       |                               ^^^^^
    hint: `pgdyno rule` lists the codes

    plan.yaml: 3 errors
    "#);
    plan(&edited("practical_threshold: 3%", "ignore: no-such"));
}

#[test]
fn an_error_beside_a_password_masks_it() {
    insta::assert_snapshot!(refusal(&edited("    url: postgresql://bench@10.0.0.5/bench\n", "    { url: postgresql://bench:s3cret@10.0.0.5/bench, knob: {} }\n")), @r#"
    error: unknown key "knob" in targets.b
      --> plan.yaml:10:54
       |
    10 |     { url: postgresql://bench:***@10.0.0.5/bench, knob: {} }
       |                                                   ^^^^
    hint: the keys of a target are url, local, kubernetes, shared, settings, filesystem, huge_pages, sysctl, limits, cache, data, beside, pooler, facts, may_disturb, may_change, restart_by, disk, cost, agent, variants
    "#);
}

#[test]
fn a_password_under_a_key_of_its_own_is_masked() {
    insta::assert_snapshot!(refusal(&edited("    url: postgresql://bench@10.0.0.5/bench\n", "    url: postgresql://bench@10.0.0.5/bench\n    password: s3cret\n")), @r#"
    error: unknown key "password" in targets.b
      --> plan.yaml:11:5
       |
    11 |     password: ***
       |     ^^^^^^^^
    hint: the keys of a target are url, local, kubernetes, shared, settings, filesystem, huge_pages, sysctl, limits, cache, data, beside, pooler, facts, may_disturb, may_change, restart_by, disk, cost, agent, variants
    "#);
}

#[test]
fn a_path_with_a_tilde_is_refused() {
    insta::assert_snapshot!(refusal(&edited("data_directory: /srv/a", "data_directory: ~/a")), @r#"
    error: targets.a.local.data_directory: found "~/a", not a path: "~" is expanded only by shells
     --> plan.yaml:6:23
      |
    6 |       data_directory: ~/a
      |                       ^^^
    hint: write the whole path
    "#);
}

#[test]
fn a_wal_segment_size_that_initdb_would_refuse_is_refused() {
    insta::assert_snapshot!(refusal(&edited("version: 17\n", "version: 17\n      initdb: { wal_segment_size: 10MB }\n")), @r#"
    error: targets.a.local.initdb.wal_segment_size: found "10MB", not a valid size of WAL segments
     --> plan.yaml:6:35
      |
    6 |       initdb: { wal_segment_size: 10MB }
      |                                   ^^^^
    hint: write a power of two from 1MB to 1GB, like 64MB
    "#);
}

#[test]
fn setting_of_a_target_that_is_also_one_of_its_server_is_refused() {
    insta::assert_snapshot!(refusal(&edited("work_mem: 4MB", "Shared_Buffers: 1GB")), @r#"
    error: target "a": "Shared_Buffers" is in `settings` of the target and of the server
     --> plan.yaml:8:17
      |
    8 |     settings: { Shared_Buffers: 1GB }
      |                 ^^^^^^^^^^^^^^
    detail: the setting is in line 7
    hint: keep one of the two: those of the server for what all targets share, those of the target for what you compare
    "#);
}

#[test]
fn a_setting_that_pgdyno_decides_is_refused() {
    insta::assert_snapshot!(refusal(&edited("work_mem: 4MB", "port: 5433")), @r#"
    error: target "a": the setting port of a local server is reserved for pgdyno
     --> plan.yaml:8:17
      |
    8 |     settings: { port: 5433 }
      |                 ^^^^
    hint: remove it: pgdyno needs it to find the server, its files and its log
    "#);
}

#[test]
fn a_setting_that_is_a_list_is_refused() {
    insta::assert_snapshot!(refusal(&edited("work_mem: 4MB", "shared_preload_libraries: [auto_explain]")), @r#"
    error: targets.a.settings.shared_preload_libraries: found a list of 1, not a value
     --> plan.yaml:8:43
      |
    8 |     settings: { shared_preload_libraries: [auto_explain] }
      |                                           ^^^^^^^^^^^^^^^
    hint: write a text, a number, true or false; write several items as one text: "a, b"
    "#);
}

#[test]
fn a_setting_with_a_password_in_it_is_refused() {
    let setting = "primary_conninfo: 'host=h password=s3cret user=u'";
    insta::assert_snapshot!(refusal(&edited("work_mem: 4MB", setting)), @r#"
    error: target "a": the setting primary_conninfo contains a password
     --> plan.yaml:8:35
      |
    8 |     settings: { primary_conninfo: 'host=h password=***
      |                                   ^^^^^^^^^^^^^^^^^
    hint: use a password file instead: passfile=…
    "#);
}

#[test]
fn a_setting_with_a_name_that_none_has_is_refused() {
    insta::assert_snapshot!(refusal(&edited("work_mem: 4MB", "work-mem: 4MB")), @r#"
    error: targets.a.settings: "work-mem" is not the name of a setting
     --> plan.yaml:8:17
      |
    8 |     settings: { work-mem: 4MB }
      |                 ^^^^^^^^
    hint: write letters, digits and "_", with one "." for the setting of an extension
    "#);
}

#[test]
fn a_tag_is_refused() {
    insta::assert_snapshot!(refusal(&edited("name: A question", "name: !!str A question")), @r#"
    error: the tag "tag:yaml.org,2002:!str" is not allowed in a plan
     --> plan.yaml:1:7
      |
    1 | name: !!str A question
      |       ^^^^^^^^^^^^^^^^
    hint: remove it; a value in quotes is text
    "#);
}

#[test]
fn a_merge_key_is_refused() {
    insta::assert_snapshot!(refusal(&edited("    settings: { work_mem: 4MB }\n", "    settings: { work_mem: 4MB }\n    <<: { url: x }\n")), @r#"
    error: unknown key "<<" in targets.a
     --> plan.yaml:9:5
      |
    9 |     <<: { url: x }
      |     ^^
    hint: merge keys are not part of YAML 1.2; repeat the keys, or share a whole value with &name and *name
    "#);
}

/// The same with a server that admits all clients.
fn with_room(text: &str) -> String {
    text.replace("shared_buffers: 256MB", "shared_buffers: 256MB, max_connections: 1000")
}

#[test]
fn a_plan_with_too_many_trials_is_refused() {
    let ladder: Vec<String> = (1..=300).map(|clients| clients.to_string()).collect();
    let text =
        edited("clients: [2, 8]", &format!("clients: [{}]", ladder.join(","))).replace("at_most: 5", "at_most: 1000");
    let text = with_room(&text);
    insta::assert_snapshot!(refusal(&text), @"
    error: the plan has up to 1200000 trials, more than 1000000
      --> plan.yaml:16:1
       |
    16 | clients: [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,…
       | ^^^^^^^
    hint: use fewer targets, workloads, numbers of clients or blocks
    ");
}

#[test]
fn the_steps_that_a_search_could_take_are_trials() {
    let ladder: Vec<String> = (1..=300).map(|clients| clients.to_string()).collect();
    let text = with_workload("builtin: tpcb-like, scale: 10, capacity: { p99: 5ms, from: 10/s, to: 100/s }")
        .replace("clients: [2, 8]", &format!("clients: [{}]", ladder.join(",")))
        .replace("at_most: 5", "at_most: 500");
    let text = with_room(&text);
    let plan = refusal(&text);
    assert!(plan.starts_with("error: the plan has up to ") && plan.contains("more than 1000000"), "{plan}");
    let closed = text.replace(", capacity: { p99: 5ms, from: 10/s, to: 100/s }", "");
    assert!(parse_plan("plan.yaml", closed.as_bytes()).is_ok());
}

#[test]
fn a_plan_with_too_many_values_is_refused() {
    let ladder: Vec<String> = (1..=60_000).map(|clients| clients.to_string()).collect();
    insta::assert_snapshot!(refusal(&edited("clients: [2, 8]", &format!("clients: [{}]", ladder.join(",")))), @"
    error: the plan has more than 50000 values, counting each use of an alias
      --> plan.yaml:16:288629
       |
    16 | …6,49947,49948,49949,49950,49951,49952,49953,49954,49955,49956,49957,49958,49959,49960,49961,49962,49…
       |                                                    ^^^^^
    hint: write fewer values
    ");
}

#[test]
fn the_caret_stands_under_a_wide_character() {
    insta::assert_snapshot!(refusal(&edited("clients: [2, 8]", "clients: [2, 8, 数据, 1]")), @r#"
    error: clients: found "数据", not a whole number
      --> plan.yaml:16:17
       |
    16 | clients: [2, 8, 数据, 1]
       |                 ^^^^
    hint: write a whole number from 1 to 262143, in digits only
    "#);
}

#[test]
fn a_long_line_is_cut_around_its_error() {
    let ladder: Vec<String> = (1..=200).map(|clients| clients.to_string()).collect();
    let text =
        edited("clients: [2, 8]", &format!("clients: [{}, x, {}]", ladder[..100].join(", "), ladder[100..].join(", ")));
    insta::assert_snapshot!(refusal(&with_room(&text)), @r#"
    error: clients: found "x", not a whole number
      --> plan.yaml:16:403
       |
    16 | … 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, x, 101, 102, 103, 104, 105, 106, 107, 108, 109, 11…
       |                                                    ^
    hint: write a whole number from 1 to 262143, in digits only
    "#);
}

#[test]
fn every_error_is_reported_at_once_in_the_order_of_the_file() {
    let text =
        "targets: { a: {}, b c: { url: x } }\nbaseline: d\nclients: [0, 2]\nblocks: { at_least: 9, at_most: 1 }\n";
    insta::assert_snapshot!(refusal(text), @r#"
    error: the plan has no key "name"
     --> plan.yaml:1:1
      |
    1 | targets: { a: {}, b c: { url: x } }
      | ^
    hint: add `name: What does data_checksums cost?`

    error: the plan has no key "workloads"
     --> plan.yaml:1:1
      |
    1 | targets: { a: {}, b c: { url: x } }
      | ^
    hint: add `workloads: { a-name: { builtin: tpcb-like, scale: 10 } }`

    error: targets.a has none of the keys "url" or "local" or "kubernetes" or "shared"
     --> plan.yaml:1:15
      |
    1 | targets: { a: {}, b c: { url: x } }
      |               ^
    hint: add `url: postgresql://user@host/database` or `local: { version: 18 }` or `kubernetes: { cluster: db-stage }` or `shared: { server_of: the name of a target }`

    error: targets: the name "b c" cannot be a file name
     --> plan.yaml:1:19
      |
    1 | targets: { a: {}, b c: { url: x } }
      |                   ^^^
    hint: start with a letter or digit, followed by letters, digits, "_", "." and "-", 64 at most

    error: targets.b c.url: not a connection string
     --> plan.yaml:1:31
      |
    1 | targets: { a: {}, b c: { url: x } }
      |                               ^
    hint: write postgresql://user@host:port/database or "host=… dbname=… user=…"

    error: baseline: found "d", not one of the targets
     --> plan.yaml:2:11
      |
    2 | baseline: d
      |           ^
    hint: the targets are: a, b c

    error: clients: found 0, out of range
     --> plan.yaml:3:11
      |
    3 | clients: [0, 2]
      |           ^
    hint: write a whole number from 1 to 262143

    error: blocks: at_least is 9, at_most is 1
     --> plan.yaml:4:33
      |
    4 | blocks: { at_least: 9, at_most: 1 }
      |                                 ^
    hint: write `at_most: 9` or more, or lower at_least

    plan.yaml: 8 errors
    "#);
}

#[test]
fn of_very_many_errors_the_first_are_printed_and_all_are_counted() {
    let keys: String = (0..5_000).map(|i| format!("strange{i}: 1\n")).collect();
    let text = refusal(&format!("{GOOD}{keys}"));
    assert_eq!(text.matches("error: ").count(), 25);
    assert!(text.ends_with("plan.yaml: 5000 errors, the first 25 shown"), "{text}");
}

#[test]
fn a_file_that_is_not_utf_8_is_refused_with_the_place_of_the_byte() {
    let mut bytes = GOOD.as_bytes().to_vec();
    bytes[10] = 0xe4;
    insta::assert_snapshot!(parse_plan("plan.yaml", &bytes).expect_err("not UTF-8"), @"
    error: the file is not UTF-8: byte 0xe4 at offset 10
     --> plan.yaml:1:11
      |
    1 | name: A qu�stion
      |           ^
    hint: save the file as UTF-8
    ");
}

#[test]
fn a_file_of_ten_megabytes_is_refused_without_being_read() {
    let bytes = vec![b'['; 10_000_000];
    insta::assert_snapshot!(parse_plan("plan.yaml", &bytes).expect_err("too large"), @"
    error: the file has 10000000 bytes, which exceeds the limit
     --> plan.yaml:1:1
      |
    1 | [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[…
      | ^
    hint: a plan has at most 1048576 bytes; check that this is the right file
    ");
}

#[test]
fn aliases_that_unfold_without_end_are_refused() {
    let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let below = format!("*a{}", level - 1);
        text += &format!("a{level}: &a{level} [{}]\n", [below.as_str()].repeat(10).join(", "));
    }
    insta::assert_snapshot!(refusal(&text), @"
    error: the plan has more than 50000 values, counting each use of an alias
     --> plan.yaml:5:25
      |
    5 | a4: &a4 [*a3, *a3, *a3, *a3, *a3, *a3, *a3, *a3, *a3, *a3]
      |                         ^^^
    hint: write fewer values
    ");
}

#[test]
fn a_value_that_stands_in_itself_is_refused() {
    insta::assert_snapshot!(refusal("name: &a [*a]\n"), @"
    error: an alias refers to a value that contains it
     --> plan.yaml:1:11
      |
    1 | name: &a [*a]
      |           ^^
    ");
}

#[test]
fn a_key_with_a_line_end_is_named_on_one_line() {
    insta::assert_snapshot!(refusal(&edited("work_mem: 4MB", "work_\n\n4MB")), @r#"
    error: targets.a.settings: "work_�4MB" is not the name of a setting
     --> plan.yaml:8:17
      |
    8 |     settings: { work_
      |                 ^^^^^
    hint: write letters, digits and "_", with one "." for the setting of an extension

    error: targets.a.settings.work_�4MB: found nothing, not a value
      --> plan.yaml:10:5
       |
    10 | 4MB }
       |     ^
    hint: write a text, a number, true or false; write several items as one text: "a, b"

    plan.yaml: 2 errors
    "#);
}

#[test]
fn nesting_without_end_is_refused() {
    insta::assert_snapshot!(refusal(&format!("name: {}", "[".repeat(200_000))), @"
    error: not YAML: recursion limit exceeded
     --> plan.yaml:1:262
      |
    1 | …[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[…
      |                                                    ^
    hint: check the indentation and the quotes here and in the line above
    ");
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_are_read_past() {
    let text = format!("\u{feff}{}", GOOD.replace('\n', "\r\n"));
    assert_eq!(parse_plan("plan.yaml", text.as_bytes()), parse_plan("plan.yaml", GOOD.as_bytes()));
}

proptest::proptest! {
    #[test]
    fn a_plan_spoilt_in_any_place_is_read_or_refused_with_places_that_are_in_the_file(
        at in 0..GOOD.len(), length in 0..12_usize, with in "[ -~\\n\\t\u{e4}\u{1f418}]{0,6}",
    ) {
        let mut text = GOOD.to_owned();
        text.replace_range(at..(at + length).min(GOOD.len()), &with);
        if let Err(errors) = parse_plan("plan.yaml", text.as_bytes()) {
            proptest::prop_assert!(!errors.errors.is_empty());
            for error in &errors.errors {
                proptest::prop_assert!((1..=text.lines().count() + 1).contains(&error.line), "{}", errors);
                proptest::prop_assert!(error.column >= 1);
                let said = [Some(&error.message), error.detail.as_ref(), error.hint.as_ref()];
                proptest::prop_assert!(!said.into_iter().flatten().any(|text| text.contains('\n')), "{:?}", error);
            }
        }
    }
}

/// The good plan with another workload in the place of `write`.
fn with_workload(workload: &str) -> String {
    edited("{ builtin: tpcb-like, scale: 10 }", &format!("{{ {workload} }}"))
}

#[test]
fn keys_of_a_workload_that_do_not_go_together_are_refused_by_name() {
    for (workload, said) in [
        ("builtin: tpcb-like", "has no key \"scale\", which \"builtin\" needs"),
        ("script: [a.sql], data: existing", "data is for pgbench's tables"),
        ("builtin: tpcb-like, scale: 10, define: { a: 1 }", "define is for `script`"),
        ("sysbench: { script: select_random_points, tables: 2 }", "tables is 1 for `script: select_random_points`"),
        ("sysbench: { script: bulk_insert, table_size: 2 }", "table_size does not apply to `script: bulk_insert`"),
        (
            "sysbench: { script: bulk_insert }, generator: sysbench",
            "sysbench.script: bulk_insert does not apply to `generator: sysbench`",
        ),
        ("sysbench: { script: oltp_insert, auto_inc: off }", "sysbench.auto_inc: found \"off\", not true or false"),
        ("sysbench: { script: oltp_insert, distribution: normal }", "not a valid value here"),
        (
            "sysbench: { script: oltp_insert, distribution: [special] }",
            "distribution: found a list of 1, which is not possible here",
        ),
        ("sysbench: { script: oltp_insert, distribution: { uniform: {} } }", "unknown key \"uniform\""),
        (
            "sysbench: { script: oltp_insert, distribution: { pareto: 0.2 } }",
            "distribution.pareto: found 0.2, not a mapping",
        ),
        ("sysbench: { script: oltp_insert, distribution: { pareto: { h: 1 } } }", "pareto.h: found 1, out of range"),
        (
            "sysbench: { script: oltp_insert, distribution: { special: { res: 100 } } }",
            "special.res: found 100, out of range",
        ),
        ("sysbench: { script: oltp_insert, distribution: { gaussian: { iter: 0 } } }", "iter: found 0, out of range"),
        ("read-intensive: { distribution: { zipfian: { exponent: -1 } } }", "zipfian.exponent: found -1, not a number"),
        ("read-intensive: { distribution: { pareto: {}, special: {} } }", "has both \"pareto\" and \"special\""),
        (
            "sysbench: { script: oltp_insert, distribution: zipfian }, generator: sysbench",
            "sysbench.distribution: zipfian does not apply to `generator: sysbench`",
        ),
        ("erp: { object: catalog }, scale: 10", "scale is for `builtin` and `script`"),
        ("erp: { object: catalog, reuse: true }", "reuse is for `object: temp-table`"),
        ("erp: { object: temp-table, inserts_percent: 5 }", "inserts_percent is for `object: catalog`"),
        ("erp: { object: catalog, inserts_percent: 101 }", "inserts_percent: found 101, out of range"),
        ("erp: { object: catalog, zipfian: 1 }", "zipfian: found 1, out of range"),
        ("erp: { object: catalog, splitter: 4 }", "splitter is for `accumulation-register`"),
        ("builtin: tpcb-like, scale: 10, rate: 5/s, think: 1s", "think is for a closed loop"),
        ("builtin: tpcb-like, scale: 10, arrivals: even", "arrivals is for an open loop"),
        ("builtin: tpcb-like, scale: 10, rate: 5/s, capacity: { p99: 5ms, from: 1/s, to: 9/s }", "exclude each other"),
        ("builtin: tpcb-like, scale: 10, capacity: { p99: 5ms, from: 9/s, to: 9/s }", "to is not above `from` (9/s)"),
        ("builtin: select-only, scale: 10, ledger: true", "ledger applies only to `tpcb-like` and `simple-update`"),
        ("builtin: tpcb-like, scale: 10, generator: sysbench", "builtin does not apply to `generator: sysbench`"),
        (
            "builtin: tpcb-like, scale: 10, generator: pgbench, think: 1s",
            "think does not apply to `generator: \
                                                                          pgbench`",
        ),
        ("builtin: tpcb-like, scale: 10, generator: pgbench, rate: [5/s, 9/s]", "does not support a changing rate"),
        ("script: [a.sql@0]", "not a script and its weight"),
        ("script: a.sql, target_scripts: b.sql", "target_scripts: found \"b.sql\", not a mapping of names"),
        ("script: a.sql, target_scripts: { a: [] }", "too few"),
        ("script: a.sql, target_scripts: { bb: b.sql }", "target_scripts: found \"bb\", not one of the targets"),
        (
            "script: [a.sql, b.sql@2], target_scripts: { b: [c.sql, d.sql] }",
            "executes c.sql@1, d.sql@1, which cannot be compared with a.sql@1, b.sql@2 script by script",
        ),
        ("builtin: tpcb-like, scale: 10, target_scripts: { a: b.sql }", "target_scripts is for `script`"),
        ("builtin: tpcb-like, scale: 10, tries: 0", "not a valid number of tries"),
        ("builtin: tpcb-like, scale: 10, rate: 500", "a number without its unit"),
        ("builtin: tpcb-like, scale: 10, rate: [500/s]", "which needs at least two elements"),
    ] {
        let refusal = refusal(&with_workload(workload));
        assert!(refusal.contains(said) && refusal.contains("--> plan.yaml:15:"), "{workload}:\n{refusal}");
    }
}

#[test]
fn workloads_on_the_same_tables_have_the_same_layout() {
    for (one, other, said) in [
        ("sysbench: { script: oltp_insert, tables: 2 }", "read-intensive: { tables: 3 }", "tables 3"),
        ("sysbench: { script: oltp_insert }", "sysbench: { script: oltp_delete, auto_inc: false }", "auto_inc false"),
        ("read-intensive: {}", "sysbench: { script: oltp_delete, create_secondary: false }", "create_secondary false"),
        ("sysbench: { script: oltp_insert }", "sysbench: { script: bulk_insert }", "an empty table of two columns"),
        (
            "sysbench: { script: oltp_delete, auto_inc: false }",
            "sysbench: { script: oltp_insert, auto_inc: false }",
            "starts with empty tables",
        ),
    ] {
        let text = with_workload(other).replace("builtin: select-only, scale: 10", one);
        let refusal = refusal(&text);
        assert!(refusal.contains("error: workload \"write\" ") && refusal.contains(said), "{refusal}");
    }
}

/// A plan with these targets and this ladder, or these pairs.
fn ladder(targets: &str, ladder: &str) -> String {
    format!(
        "name: x\ntargets:\n  unix: {{ local: {{ version: 17 }} }}\n{targets}baseline: unix\n{ladder}\
         workloads: {{ w: {{ builtin: select-only, scale: 1 }} }}\nclients: [1]\n"
    )
}

#[test]
fn a_ladder_names_targets_once() {
    let tcp = "  tcp: { shared: { server_of: unix, via: tcp } }\n";
    let refused = |text: &str| refusal(&ladder(tcp, text));
    assert!(refused("ladder: [unix, tpc]\n").contains("ladder: found \"tpc\", not one of the targets"));
    assert!(refused("ladder: [unix, tpc]\n").contains("did you mean \"tcp\"?"));
    assert!(refused("ladder: [unix, tcp, unix]\n").contains("ladder: \"unix\" is given twice"));
    assert!(refused("ladder: [unix]\n").contains("which needs at least two elements"));
    assert!(refused("ladder: unix\n").contains("not a list"));
    assert!(refused("ladder: [[unix, tcp], [tcp, tpc]]\n").contains("ladder: found \"tpc\", not one of the targets"));
    assert!(refused("ladder: [[unix, tcp], [unix]]\n").contains("which needs at least two elements"));
    assert!(refused("ladder: [[unix, tcp], tcp]\n").contains("ladder: found \"tcp\", not a list"));
    assert!(refused("ladder: [[unix, tcp], [unix, tcp]]\n").contains("ladder: [unix, tcp] is given twice"));
}

#[test]
fn pair_names_two_targets_that_are_not_compared_already() {
    let others = "  pg: { local: { version: 17 }, variants: { sync: { settings: { work_mem: 8MB } } } }\n";
    let refused = |text: &str| refusal(&ladder(others, text));
    let unknown = refused("compare: [[pg/sink, pg]]\n");
    assert!(unknown.contains("compare: found \"pg/sink\", not one of the targets"), "{unknown}");
    assert!(unknown.contains("did you mean \"pg/sync\"?") && unknown.contains("unix, pg, pg/sync"), "{unknown}");
    assert!(refused("compare: [[pg, pg]]\n").contains("compare: \"pg\" is compared with itself"));
    let with_baseline = "compare: \"pg\" is already compared with \"unix\", the baseline";
    assert!(refused("compare: [[pg, unix]]\n").contains(with_baseline));
    assert!(refused("compare: [[unix, pg]]\n").contains(with_baseline));
    assert!(
        refused("compare: [[pg/sync, pg], [pg, pg/sync]]\n")
            .contains("compare: \"pg\" and \"pg/sync\" are given twice")
    );
    assert!(refused("compare: [pg/sync]\n").contains("not two targets"));
    assert!(refused("compare: [[pg/sync, pg, unix]]\n").contains("not two targets"));
    assert!(refused("compare: pg\n").contains("compare: found \"pg\", not a pair of targets"));
    assert!(refused("compare: [[pg/sync, pg], pg]\n").contains("compare: found \"pg\", not a pair of targets"));
    assert!(refused("compare: []\n").contains("not two targets"));
    assert!(refused("compare: [[pg/sync, [pg]]]\n").contains("not the name of a target"));
}

#[test]
fn a_shared_server_is_one_that_pgdyno_starts_and_a_way_is_possible() {
    let refused = |target: &str| refusal(&ladder(&format!("  b: {target}\n"), ""));
    assert!(
        refused("{ shared: { server_of: unx, via: tcp } }").contains("shared.server_of: found \"unx\", not one of")
    );
    assert!(refused("{ shared: { server_of: b, via: tcp } }").contains("target \"b\" is not a `local` target"));
    assert!(
        refused("{ shared: { server_of: unix, tls: true } }")
            .contains("target \"b\": tls requires a route through TCP")
    );
    assert!(refused("{ local: { version: 17, pgbouncer: true } }").contains("pgbouncer requires a route through TCP"));
    assert!(
        refused("{ shared: { server_of: unix, via: tcp, pgbouncer: true }, settings: { jit: off } }")
            .contains("settings of a shared server do not pass through PgBouncer")
    );
    assert!(refused("{ shared: { server_of: unix, cpus: 0 } }").contains("not a number of CPUs"));
    let unpooled = "{ local: { version: 17, via: tcp, pooling: { size: 20 } } }";
    assert!(refused(unpooled).contains("target \"b\": pooling requires a route through PgBouncer"));
    super::plan(&ladder(
        "  b: { local: { version: 17, via: tcp, pgbouncer: true, pooling: { mode: transaction, size: 20 } } }\n",
        "",
    ));
    let foreign = ladder("  b: { shared: { server_of: unix, via: veth } }\n", "")
        .replace("scale: 1", "scale: 1, generator: pgbench");
    assert!(refusal(&foreign).contains("which supports only the load engine of pgdyno"));
}

/// The good plan with turns asked for in a workload.
fn with_turns(workload: &str) -> String {
    edited("  read: { builtin: select-only, scale: 10 }", &format!("  read: {workload}"))
}

#[test]
fn turns_that_cannot_be_are_refused_with_the_reason() {
    let of = |workload: &str| errors_and_hints(&with_turns(workload));
    let cases = [
        "{ builtin: select-only, scale: 10, interleave: slices, generator: pgbench }",
        "{ builtin: select-only, scale: 10, interleave: slices, rate: { from: 1/s, to: 9/s } }",
        "{ builtin: select-only, scale: 10, interleave: slices, capacity: { p99: 5ms, from: 1/s, to: 9/s } }",
    ];
    insta::assert_snapshot!(cases.map(of).join("\n"), @r#"
    error: workload "read": its sides cannot alternate within trials: the load comes from pgbench, which cannot pause for another side
    hint: write `interleave: trials`, or remove the key, or use `generator: pgdyno`
    error: workload "read": its sides cannot alternate within trials: the rate changes within a trial, of which each side would have only a part
    hint: write `interleave: trials`, or remove the key, or use a constant rate
    error: workload "read": its sides cannot alternate within trials: a search for the capacity chooses the rate of each trial by the previous ones
    hint: write `interleave: trials`, or remove the key, or use a constant `rate`
    "#);
}

#[test]
fn turns_of_one_target_alone_are_refused_where_they_are_asked_for() {
    insta::assert_snapshot!(refusal(
        "name: x\ntargets: { a: { local: { version: 17 } } }\nbaseline: a\ninterleave: slices\n\
         workloads: { w: { builtin: select-only, scale: 1 } }\nclients: [1]\n"
    ), @r#"
    error: workload "w": its sides cannot alternate within trials: there is only one target
     --> plan.yaml:4:13
      |
    4 | interleave: slices
      |             ^^^^^^
    hint: add a target or `noise_floor: true`, or remove `interleave`
    "#);
}

#[test]
fn slices_in_which_the_other_servers_stand_still_need_servers_that_can() {
    let local = "{ local: { version: 17 } }";
    let of = |(other, more): (&str, &str)| {
        errors_and_hints(&format!(
            "name: x\ntargets:\n  a: {local}\n  b: {other}\nbaseline: a\ninterleave: frozen-slices\n{more}\
             workloads: {{ w: {{ builtin: tpcb-like, scale: 1 }} }}\nclients: [1]\n"
        ))
    };
    let cases = [
        ("{ url: \"postgresql://h/db\" }", ""),
        ("{ shared: { server_of: a, via: tcp } }", ""),
        ("{ local: { version: 17, standby: streaming } }", ""),
        (local, "noise_floor: true\n"),
    ];
    insta::assert_snapshot!(cases.map(of).join("\n"), @r#"
    error: workload "w": its sides cannot alternate within trials: only a server that pgdyno starts on this machine for one target can be stopped, and that of target "b" is not
    hint: write `interleave: trials`, or `interleave: slices` for a workload that only reads
    error: workload "w": its sides cannot alternate within trials: only a server that pgdyno starts on this machine for one target can be stopped, and that of target "b" is not
    hint: write `interleave: trials`, or `interleave: slices` for a workload that only reads
    error: workload "w": its sides cannot alternate within trials: the standby of target "b" would continue while its primary is stopped
    hint: write `interleave: trials`, or `interleave: slices` for a workload that only reads
    error: workload "w": its sides cannot alternate within trials: for `noise_floor`, the server of target "a" is both sides
    hint: write `interleave: trials`, or `interleave: slices` for a workload that only reads
    "#);
}

#[test]
fn turns_are_refused_beside_what_holds_for_one_side_only() {
    let text = "name: x\ntargets:\n  a: { local: { version: 17 } }\n  b: { local: { version: 17 }, SIDE }\nbaseline: a\n\
                MORE\nworkloads: { w: { builtin: select-only, scale: 1, interleave: slices } }\nclients: [1]\n";
    let of = |(side, more): (&str, &str)| errors_and_hints(&text.replace("SIDE", side).replace("MORE", more));
    let cases = [
        ("cache: cold", ""),
        ("sysctl: { vm.swappiness: 1 }", ""),
        ("settings: {}", "observer_cost: true"),
        ("settings: {} }\n  c: { shared: { server_of: b, cpus: 0.5 }", ""),
    ];
    insta::assert_snapshot!(cases.map(of).join("\n"), @r#"
    error: workload "w": its sides cannot alternate within trials: a cold cache, as of target "b", lasts for the first slice only
    hint: write `interleave: trials`, or remove the key, or use `cache: warm`
    error: workload "w": its sides cannot alternate within trials: target "b" sets kernel parameters during its trials, which would affect the other sides
    hint: write `interleave: trials`, or remove the key
    error: workload "w": its sides cannot alternate within trials: observer_cost compares fifths of a second, of which each side would have only some
    hint: write `interleave: trials`, or remove the key, or remove `observer_cost`
    error: workload "w": its sides cannot alternate within trials: target "c" limits the CPUs of a server that another target uses without that limit
    hint: write `interleave: trials`, or remove the key, or use targets with their own `local` servers
    "#);
}

#[test]
fn a_turn_that_is_too_short_is_refused() {
    insta::assert_snapshot!(refusal(&edited("trial: { warm_up: 1s", "slice: 20ms\ntrial: { warm_up: 1s")), @r#"
    error: slice: found "20ms", too short to measure anything
      --> plan.yaml:17:8
       |
    17 | slice: 20ms
       |        ^^^^
    hint: write at least 50ms
    "#);
}

#[test]
fn a_setting_of_the_whole_server_is_refused_where_pgdyno_did_not_start_it() {
    let url = "    url: postgresql://bench@10.0.0.5/bench\n";
    let target_settings = format!("{url}    settings: {{ work_mem: 8MB, Shared_Buffers: 1GB }}\n");
    insta::assert_snapshot!(refusal(&edited(url, &target_settings)), @r#"
    error: target "b": shared_buffers is a setting of the whole server, which pgdyno did not start
      --> plan.yaml:11:32
       |
    11 |     settings: { work_mem: 8MB, Shared_Buffers: 1GB }
       |                                ^^^^^^^^^^^^^^
    detail: without `may_change`, settings of an existing server are settings of the load's sessions
    hint: with the owner's consent add `may_change: [settings, restart]` and an `agent`; or change it there, or use `local`
    "#);
}

#[test]
fn a_setting_of_the_whole_server_is_refused_where_other_targets_share_it() {
    let url = "    url: postgresql://bench@10.0.0.5/bench\n";
    let shared = "    shared: { server_of: a }\n    settings: { fsync: off }\n";
    insta::assert_snapshot!(refusal(&edited(url, shared)), @r#"
    error: target "b": fsync is a setting of the whole server, which other targets share
      --> plan.yaml:11:17
       |
    11 |     settings: { fsync: off }
       |                 ^^^^^
    hint: use a separate server for this target (`local`)
    "#);
}

#[test]
fn a_timed_replay_is_of_a_capture_and_has_its_times() {
    let of = |workload: &str| errors_and_hints(&with_turns(workload));
    for (workload, expected) in [
        ("{ builtin: select-only, scale: 10, replay: timed }", "is for `captured`"),
        ("{ captured: peak, replay: timed, rate: 5/s }", "does not apply to `replay: timed`"),
        ("{ captured: peak, replay: timed, connections: per-transaction }", "does not apply to `replay: timed`"),
        ("{ captured: peak, speed: 2 }", "is for `replay: timed`"),
        ("{ captured: peak, replay: timed, speed: 0 }", "speed"),
        ("{ captured: peak, replay: later }", "sampled"),
    ] {
        let said = of(workload);
        assert!(said.contains(expected), "{workload}: {said}");
    }
}
