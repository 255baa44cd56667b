//! The whole program against real servers: what a person types, what pgdyno prints, leaves behind and answers.
//!
//! Facts only, never figures: nothing here depends on how fast the machine is. Every child process has a deadline,
//! every server and directory goes with its test, also when that fails. Needs an installed PostgreSQL
//! (`PGDYNO_TEST_BIN`, else the newest below `/usr/lib/postgresql`); what needs root or the network says so on standard
//! error when it is skipped.

// As in the program itself: `pub` says "for the other modules".
#![allow(unreachable_pub)]

mod agent;
mod audit;
mod bad_plans;
mod bench;
mod beside;
mod budget;
mod capture;
mod capture_of_statements;
mod captured;
mod causes_in_kubernetes;
mod changed_elsewhere;
mod changed_in_kubernetes;
mod concurrent_runs;
mod crashes;
mod data;
mod data_from_a_server;
mod delayed;
mod diagnosis;
mod disk;
mod disk_by_agent;
mod disk_in_kubernetes;
mod drawn_conditions;
mod encryption;
mod events;
mod events_elsewhere;
mod failover_in_kubernetes;
mod failures;
mod first_contact;
mod found;
#[path = "../lab_of_kinds/generator/mod.rs"]
mod generator;
mod generators;
mod generators_in_kubernetes;
mod history;
mod how_to;
mod import;
mod impostors;
mod inside_kubernetes;
mod interrupts;
mod json_outputs;
mod kills;
mod kubernetes;
mod lab;
mod ladder;
mod latest;
mod limits;
mod loads_beside;
mod lost_in_kubernetes;
mod made_in_kubernetes;
mod main_path;
mod managed;
mod mcp;
mod new_plans;
mod observer;
mod outages;
mod own_statements;
mod pages;
#[path = "../lab_of_kinds/pieces.rs"]
#[allow(dead_code)]
mod pieces;
mod process;
mod redact;
mod rehearse;
mod reset;
mod restarts;
mod rights;
mod rule;
mod run_view;
mod secrets;
mod servers_that_refuse;
mod several_generators;
mod sizes;
mod space;
mod standby_reads;
mod standstills;
mod studies;
mod tables;
mod terminal;
mod traces;
mod tune;
mod turns;
mod variants;
mod versions;
mod workloads;
mod wrong_servers;
