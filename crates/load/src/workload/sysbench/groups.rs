//! Which statements a transaction of the `oltp_*` family has, how many, and in which order.

use work::{SysbenchOptions, SysbenchScript, SysbenchTransaction};

/// Statements of a transaction that are alike and go to one table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StatementGroup {
    Points,
    SimpleRanges,
    SumRanges,
    OrderRanges,
    DistinctRanges,
    IndexUpdates,
    NonIndexUpdates,
    Deletes,
    DeleteInserts,
}

/// The statements of one transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outline {
    /// Whether they stand between BEGIN and COMMIT.
    pub(super) transaction: bool,
    /// How many of each group, in order.
    pub(super) groups: Vec<(StatementGroup, u32)>,
}

/// The outline of a workload of the family; none for the others.
pub(super) fn outline_of_transaction(of: SysbenchTransaction, options: &SysbenchOptions) -> Option<Outline> {
    let transaction = !options.skip_trx;
    let single = |group, count| Outline { transaction: false, groups: vec![(group, count)] };
    let script = match of {
        SysbenchTransaction::Script(script) => script,
        SysbenchTransaction::ReadIntensive { read_percent } => {
            return Some(Outline { transaction, groups: mixed_groups(read_percent) });
        }
    };
    Some(match script {
        SysbenchScript::PointSelect => single(StatementGroup::Points, 1),
        SysbenchScript::UpdateIndex => single(StatementGroup::IndexUpdates, options.index_updates),
        SysbenchScript::UpdateNonIndex => single(StatementGroup::NonIndexUpdates, options.non_index_updates),
        SysbenchScript::Delete => single(StatementGroup::Deletes, 1),
        SysbenchScript::ReadOnly => Outline { transaction, groups: read_groups(options) },
        SysbenchScript::WriteOnly => Outline { transaction, groups: write_groups(options) },
        SysbenchScript::ReadWrite => {
            Outline { transaction, groups: [read_groups(options), write_groups(options)].concat() }
        }
        SysbenchScript::Insert
        | SysbenchScript::BulkInsert
        | SysbenchScript::RandomPoints
        | SysbenchScript::RandomRanges => return None,
    })
}

fn read_groups(options: &SysbenchOptions) -> Vec<(StatementGroup, u32)> {
    let mut groups = vec![(StatementGroup::Points, options.point_selects)];
    if options.range_selects {
        groups.extend([
            (StatementGroup::SimpleRanges, options.simple_ranges),
            (StatementGroup::SumRanges, options.sum_ranges),
            (StatementGroup::OrderRanges, options.order_ranges),
            (StatementGroup::DistinctRanges, options.distinct_ranges),
        ]);
    }
    groups
}

fn write_groups(options: &SysbenchOptions) -> Vec<(StatementGroup, u32)> {
    vec![
        (StatementGroup::IndexUpdates, options.index_updates),
        (StatementGroup::NonIndexUpdates, options.non_index_updates),
        (StatementGroup::DeleteInserts, options.delete_inserts),
    ]
}

/// 100 statements: reads in sysbench's proportion of 10 points to one range of each of the four kinds, writes in equal
/// parts, of which a pair of DELETE and INSERT takes two. What does not divide goes to the ranges and to the updates.
fn mixed_groups(read_percent: u32) -> Vec<(StatementGroup, u32)> {
    let points = read_percent * 10 / 14;
    let ranges = read_percent - points;
    let range = |place: u32| ranges / 4 + u32::from(place < ranges % 4);
    let pairs = (100 - read_percent) / 4;
    let updates = 100 - read_percent - 2 * pairs;
    vec![
        (StatementGroup::Points, points),
        (StatementGroup::SimpleRanges, range(0)),
        (StatementGroup::SumRanges, range(1)),
        (StatementGroup::OrderRanges, range(2)),
        (StatementGroup::DistinctRanges, range(3)),
        (StatementGroup::IndexUpdates, updates.div_ceil(2)),
        (StatementGroup::NonIndexUpdates, updates / 2),
        (StatementGroup::DeleteInserts, pairs),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mix_has_100_statements_of_which_the_given_share_reads() {
        for percent in 0..=100 {
            let counts = mixed_groups(percent);
            let reads: u32 = counts[..5].iter().map(|(_, count)| count).sum();
            assert_eq!(reads, percent);
            let writes: u32 =
                counts[5..].iter().map(|(group, n)| n * (1 + u32::from(*group == StatementGroup::DeleteInserts))).sum();
            assert_eq!(reads + writes, 100, "{percent}");
        }
        let counts: Vec<u32> = mixed_groups(80).into_iter().map(|(_, count)| count).collect();
        assert_eq!(counts, [57, 6, 6, 6, 5, 5, 5, 5]);
    }
}
