//! The sessions of a timed replay: which connection each of them has, when its transactions are due, and where sides
//! that take turns change. Pure.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use load::{TimedSessions, TimedTransaction};

/// The shortest window, in microseconds.
const WINDOW_AT_LEAST_US: u64 = 10_000_000;

/// The longest one, but for the last.
const WINDOW_AT_MOST_US: u64 = 60_000_000;

/// How long before its first transaction a session connects, in microseconds: time to log in.
const CONNECTS_BEFORE_US: i64 = 20_000;

/// What a log's time of a session's start may be too early, in microseconds: it has whole seconds.
const START_STEP_US: i64 = 1_000_000;

/// A transaction that is replayed, at the times of the capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ReplayedTransaction {
    pub(super) session: u64,
    pub(super) script: usize,
    pub(super) begin_us: i64,
    pub(super) end_us: i64,
}

/// When sessions connected and disconnected, as far as the capture says it.
#[derive(Debug, Default)]
pub(super) struct CapturedSessions {
    connect_us: BTreeMap<u64, i64>,
    disconnect_us: BTreeMap<u64, i64>,
}

/// One line of the file with the order: a transaction, at the times of the replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OrderLine {
    pub(super) script: u32,
    pub(super) connection: u32,
    pub(super) due_us: u64,
    /// When its session connects, if it is the first one of a session.
    pub(super) connect_us: Option<u64>,
}

/// The transactions with their connections.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PlacedTransactions {
    /// In the order in which they begin.
    pub(super) lines: Vec<OrderLine>,
    pub(super) sessions: u64,
    pub(super) connections: u32,
    /// Where windows end, ascending, in microseconds since the begin.
    pub(super) window_ends_us: Vec<u64>,
}

/// From the time of the capture to that of the replay.
struct ReplayClock {
    origin_us: i64,
    speed: f64,
}

impl ReplayClock {
    fn replay_us(&self, captured_us: i64) -> u64 {
        ((captured_us - self.origin_us).max(0) as f64 / self.speed).round() as u64
    }
}

/// A session, between the begin of its first and the end of its last transaction at least.
#[derive(Debug, Clone, Copy)]
struct SessionSpan {
    session: u64,
    begin_us: i64,
    end_us: i64,
}

impl CapturedSessions {
    pub(super) fn note_connect(&mut self, session: u64, at_us: i64) {
        self.connect_us.insert(session, at_us);
    }

    pub(super) fn note_disconnect(&mut self, session: u64, at_us: i64) {
        self.disconnect_us.insert(session, at_us);
    }

    /// Gives each session the connection that has been free for longest, or another one if none is. `transactions` are
    /// in the order in which they begin; times and pauses are divided by `speed`.
    pub(super) fn place_transactions(&self, transactions: &[ReplayedTransaction], speed: f64) -> PlacedTransactions {
        let origin_us = transactions.first().map_or(0, |first| first.begin_us);
        let clock = ReplayClock { origin_us, speed };
        let spans = self.spans_of_sessions(transactions);
        let mut connections: u32 = 0;
        let mut free: BinaryHeap<Reverse<(i64, u32)>> = BinaryHeap::new();
        let mut connection_of_session: BTreeMap<u64, u32> = BTreeMap::new();
        let mut begin_of_session: BTreeMap<u64, i64> = BTreeMap::new();
        for span in &spans {
            let reused = match free.peek() {
                Some(Reverse((end_us, connection))) if *end_us < span.begin_us => Some(*connection),
                Some(_) | None => None,
            };
            let connection = match reused {
                Some(connection) => {
                    free.pop();
                    connection
                }
                None => {
                    connections += 1;
                    connections - 1
                }
            };
            free.push(Reverse((span.end_us, connection)));
            connection_of_session.insert(span.session, connection);
            begin_of_session.insert(span.session, span.begin_us);
        }
        let mut lines = Vec::with_capacity(transactions.len());
        for transaction in transactions {
            // Only the first one of its session finds it.
            let connect_us = begin_of_session.remove(&transaction.session);
            let connect_us = connect_us.map(|connect_us| clock.replay_us(connect_us));
            lines.push(OrderLine {
                script: u32::try_from(transaction.script).unwrap_or(u32::MAX),
                connection: connection_of_session.get(&transaction.session).copied().unwrap_or_default(),
                due_us: clock.replay_us(transaction.begin_us),
                connect_us,
            });
        }
        let at_work: Vec<(u64, u64)> =
            transactions.iter().map(|one| (clock.replay_us(one.begin_us), clock.replay_us(one.end_us))).collect();
        let window_ends_us = cut_windows(&at_work);
        PlacedTransactions { lines, sessions: spans.len() as u64, connections, window_ends_us }
    }

    /// The sessions that have transactions, in the order in which they begin.
    fn spans_of_sessions(&self, transactions: &[ReplayedTransaction]) -> Vec<SessionSpan> {
        let mut spans: BTreeMap<u64, SessionSpan> = BTreeMap::new();
        for transaction in transactions {
            let ReplayedTransaction { session, begin_us, end_us, .. } = *transaction;
            let span = spans.entry(session).or_insert(SessionSpan { session, begin_us, end_us });
            span.end_us = span.end_us.max(end_us);
        }
        let mut sorted: Vec<SessionSpan> = spans.into_values().collect();
        for span in &mut sorted {
            let logged_in_us = span.begin_us - CONNECTS_BEFORE_US;
            span.begin_us = match self.connect_us.get(&span.session) {
                Some(connect_us) => logged_in_us.min(connect_us + START_STEP_US).max(*connect_us).min(span.begin_us),
                None => logged_in_us,
            };
            if let Some(disconnect_us) = self.disconnect_us.get(&span.session) {
                span.end_us = span.end_us.max(*disconnect_us);
            }
        }
        sorted.sort_by_key(|span| (span.begin_us, span.session));
        sorted
    }
}

/// Where windows end of a load whose transactions begin and end at these instants: from 10 to 60 s after the one
/// before, where the fewest transactions are under way, and there as early as can be. What is left at the end is a part
/// of the last window.
fn cut_windows(at_work: &[(u64, u64)]) -> Vec<u64> {
    let mut changes: Vec<(u64, i64)> = Vec::with_capacity(2 * at_work.len());
    for (begin_us, end_us) in at_work {
        changes.push((*begin_us, 1));
        changes.push(((*end_us).max(*begin_us), -1));
    }
    // What begins at an instant is under way at it, so that a cut does not divide two that follow each other.
    changes.sort_unstable_by_key(|(at_us, change)| (*at_us, Reverse(*change)));
    let end_us = changes.last().map_or(0, |(at_us, _)| *at_us) + 1;
    let mut under_way: i64 = 0;
    for (_, change) in &mut changes {
        under_way += *change;
        *change = under_way;
    }
    let states = changes;
    let mut ends: Vec<u64> = Vec::new();
    let mut begin_us = 0;
    while end_us.saturating_sub(begin_us) > 2 * WINDOW_AT_LEAST_US {
        let earliest_us = begin_us + WINDOW_AT_LEAST_US;
        let latest_us = (begin_us + WINDOW_AT_MOST_US).min(end_us - WINDOW_AT_LEAST_US - 1);
        let mut next = states.partition_point(|(at_us, _)| *at_us <= earliest_us);
        let mut cut_us = earliest_us;
        let mut fewest = next.checked_sub(1).map_or(0, |last| states[last].1);
        while let Some((at_us, open)) = states.get(next).copied()
            && at_us <= latest_us
            && fewest > 0
        {
            if open < fewest {
                (fewest, cut_us) = (open, at_us);
            }
            next += 1;
        }
        // Behind the instant, at which a transaction ends.
        begin_us = cut_us + 1;
        ends.push(begin_us);
    }
    ends.push(end_us.max(begin_us + 1));
    ends
}

impl OrderLine {
    pub(super) fn to_text(self) -> String {
        let Self { script, connection, due_us, connect_us } = self;
        match connect_us {
            Some(connect_us) => format!("{script} {connection} {due_us} {connect_us}\n"),
            None => format!("{script} {connection} {due_us}\n"),
        }
    }

    pub(super) fn from_text(line: &str) -> Option<Self> {
        let mut numbers = line.split(' ');
        let (script, connection) = (numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?);
        let due_us = numbers.next()?.parse().ok()?;
        let connect_us = numbers.next().map(str::parse).transpose().ok()?;
        numbers.next().is_none().then_some(Self { script, connection, due_us, connect_us })
    }
}

/// The sessions as the engine takes them: the nth transaction of a script has the nth row of its values. `None` where
/// the lines are not those of so many connections, or not in order.
pub(super) fn sessions_of_lines(
    lines: &[OrderLine],
    connections: u32,
    window_ends_us: &[u64],
) -> Option<TimedSessions> {
    let mut rows: Vec<u32> = Vec::new();
    let mut clients: Vec<Vec<TimedTransaction>> = vec![Vec::new(); connections as usize];
    for line in lines {
        let place = line.script as usize;
        if rows.len() <= place {
            rows.resize(place + 1, 0);
        }
        clients.get_mut(line.connection as usize)?.push(TimedTransaction {
            due_ns: line.due_us.saturating_mul(1_000),
            script: line.script,
            row: rows[place],
            connect_ns: line.connect_us.map(|connect_us| connect_us.saturating_mul(1_000)),
        });
        rows[place] += 1;
    }
    TimedSessions::from_clients(clients, window_ends_us.iter().map(|end_us| end_us.saturating_mul(1_000)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use work::Random;

    fn transaction(session: u64, begin_us: i64, end_us: i64) -> ReplayedTransaction {
        ReplayedTransaction { session, script: 0, begin_us, end_us }
    }

    #[test]
    fn a_connection_is_given_to_the_next_session_once_it_is_free() {
        let mut sessions = CapturedSessions::default();
        let ms = 1_000;
        sessions.note_connect(1, -5 * ms);
        sessions.note_disconnect(1, 30 * ms);
        // The log has whole seconds: it may have connected up to a second later, and logs in before its transaction.
        sessions.note_connect(3, 0);
        sessions.note_connect(4, 100 * ms);
        let transactions = [
            transaction(1, 0, 10 * ms),
            transaction(2, 5 * ms, 8 * ms),
            transaction(1, 20 * ms, 25 * ms),
            transaction(3, 60 * ms, 62 * ms),
            transaction(4, 3_000 * ms, 3_001 * ms),
        ];
        let placed = sessions.place_transactions(&transactions, 2.0);
        let line = |connection, due_ms: u64, connect_ms: Option<u64>| {
            let connect_us = connect_ms.map(|connect_ms| connect_ms * 1_000);
            OrderLine { script: 0, connection, due_us: due_ms * 1_000, connect_us }
        };
        let mut expected = vec![line(1, 0, Some(0)), line(0, 2, Some(0)), line(1, 10, None)];
        expected[1].due_us += 500;
        expected.extend([line(0, 30, Some(20)), line(1, 1_500, Some(550))]);
        assert_eq!(placed.lines, expected, "session 2 ended first, so that session 3 has its connection");
        assert_eq!((placed.sessions, placed.connections, placed.window_ends_us), (4, 2, vec![1_500_501]));
        for written in placed.lines {
            assert_eq!(OrderLine::from_text(written.to_text().trim_end()), Some(written));
        }
        assert_eq!([OrderLine::from_text("0 1"), OrderLine::from_text("0 1 2 3 4")], [None, None]);
    }

    #[test]
    fn windows_are_cut_where_nothing_is_under_way() {
        let s = 1_000_000;
        let pause_at_12 = [(0, 11 * s), (11 * s, 12 * s), (13 * s, 14 * s), (30 * s, 45 * s)];
        assert_eq!(cut_windows(&pause_at_12), [12 * s + 1, 22 * s + 2, 32 * s + 3, 45 * s + 1]);
        assert_eq!(cut_windows(&[(0, 15 * s)]), [15 * s + 1], "too short for two");
        let busy: Vec<(u64, u64)> = (0..300).map(|n| (n * s / 2, n * s / 2 + s)).collect();
        let ends = cut_windows(&busy);
        assert!(ends.len() > 1, "{ends:?}");
    }

    #[test]
    fn windows_are_long_enough_and_cover_everything() {
        for seed in 0..300 {
            let mut random = Random::new(seed);
            let count = 1 + random.up_to(60);
            let mut at_work = Vec::new();
            for _ in 0..count {
                let begin_us = random.up_to(400_000_000);
                at_work.push((begin_us, begin_us + random.up_to(30_000_000)));
            }
            let ends = cut_windows(&at_work);
            let last = at_work.iter().map(|(_, end)| *end).max().expect("there is one");
            assert!(ends.is_sorted_by(|before, after| before < after), "{seed}: {ends:?}");
            assert_eq!(ends.last(), Some(&(last + 1)), "{seed}");
            let mut begin_us = 0;
            for end_us in &ends {
                let length_us = end_us - begin_us;
                assert!(ends.len() == 1 || length_us >= WINDOW_AT_LEAST_US, "{seed}: {ends:?}");
                assert!(length_us <= WINDOW_AT_MOST_US + 2 * WINDOW_AT_LEAST_US, "{seed}: {ends:?}");
                begin_us = *end_us;
            }
        }
    }
}
