//! PostgreSQL as data: what its wait events mean, and to which group of the manual a setting belongs. Taken from a
//! server (`pg_wait_events`, `postgres --describe-config`), so that a judgement names what no rule knows of.

/// `pg_wait_events` of PostgreSQL 18 without the main loops of background processes: type, name, description.
const WAIT_EVENTS: &str = include_str!("wait-events.tsv");

/// `postgres --describe-config` of PostgreSQL 18: name, group.
const SETTING_GROUPS: &str = include_str!("setting-groups.tsv");

/// What a session waits for, to go on in a sentence (`to read a buffer`); none of an event that PostgreSQL 18 does not
/// have.
pub(crate) fn wait_event_meaning(class: &str, event: &str) -> Option<&'static str> {
    for line in WAIT_EVENTS.lines() {
        let mut columns = line.split('\t');
        if columns.next() == Some(class) && columns.next() == Some(event) {
            let description = columns.next()?;
            return Some(description.strip_prefix("Waiting ").unwrap_or(description));
        }
    }
    None
}

/// The group of the manual that a setting is described in (`Query Tuning / Planner Cost Constants`); none of the
/// setting of an extension.
pub(crate) fn setting_group(name: &str) -> Option<&'static str> {
    for line in SETTING_GROUPS.lines() {
        if let Some((setting, group)) = line.split_once('\t')
            && setting.eq_ignore_ascii_case(name)
        {
            return Some(group);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wait_event_and_setting_are_told_as_the_server_tells_them() {
        assert_eq!(wait_event_meaning("LWLock", "WALWrite"), Some("for WAL buffers to be written to disk"));
        assert_eq!(wait_event_meaning("LWLock", "nothing"), None);
        assert_eq!(setting_group("work_mem"), Some("Resource Usage / Memory"));
        assert_eq!(setting_group("datestyle"), setting_group("DateStyle"));
        assert_eq!(setting_group("auto_explain.log_min_duration"), None);
    }

    #[test]
    fn every_line_has_its_columns() {
        assert!(WAIT_EVENTS.lines().all(|line| line.split('\t').count() == 3));
        assert!(SETTING_GROUPS.lines().all(|line| line.split('\t').count() == 2));
    }
}
