//! Which statements of a script a client waits for, and since when.
//!
//! A statement counts from the end of what was waited for before it, or from the begin of its transaction, to the
//! complete answer to it: what the script computes in between, which takes less than a microsecond, is part of it. In a
//! pipeline each counts from the instant from which on the pipeline was sent to the answer to it alone; a server may
//! keep small answers back until the pipeline is over. Allocates nothing once a pipeline of the script has been sent.

use std::collections::VecDeque;

/// The number of a statement among those of its job.
pub(crate) type JobStatementNumber = u32;

/// One answer that a pipeline is still to get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owed {
    Statement {
        number: JobStatementNumber,
        since_ns: u64,
    },
    /// The server is ready; after an error it skips what stands before this.
    Sync,
}

/// What a client waits for.
#[derive(Debug, Default)]
pub(crate) struct Awaited {
    /// Since when the next statement counts.
    since_ns: u64,
    /// The one outside of a pipeline that is under way.
    alone: Option<JobStatementNumber>,
    /// Answers to come, in order.
    pipeline: VecDeque<Owed>,
    /// The one that a pipeline was answered last.
    answered: Option<JobStatementNumber>,
    /// The one that has made the transaction fail.
    failed: Option<JobStatementNumber>,
}

impl Awaited {
    /// A transaction begins, or is tried again.
    #[inline]
    pub(crate) fn begin_transaction(&mut self, now_ns: u64) {
        self.since_ns = now_ns;
        (self.alone, self.answered, self.failed) = (None, None, None);
        self.pipeline.clear();
    }

    /// A statement is sent and all else waits for it.
    #[inline]
    pub(crate) fn note_sent_statement(&mut self, number: JobStatementNumber) {
        self.alone = Some(number);
    }

    /// A statement is sent, and more follows without waiting.
    pub(crate) fn sent_in_pipeline(&mut self, number: JobStatementNumber) {
        self.pipeline.push_back(Owed::Statement { number, since_ns: self.since_ns });
    }

    /// A part of a pipeline has been sent.
    pub(crate) fn note_sent_sync(&mut self) {
        self.pipeline.push_back(Owed::Sync);
    }

    /// All that was waited for has come at `now_ns`. The statement outside of a pipeline that this was, and how long
    /// it took.
    #[inline]
    pub(crate) fn finish_statement(&mut self, now_ns: u64) -> Option<(JobStatementNumber, u64)> {
        let took_ns = now_ns.saturating_sub(std::mem::replace(&mut self.since_ns, now_ns));
        self.alone.take().map(|number| (number, took_ns))
    }

    /// The statement outside of a pipeline that is under way.
    #[inline]
    pub(crate) fn statement_alone(&self) -> Option<JobStatementNumber> {
        self.alone
    }

    /// Whether answers to a pipeline are to come.
    #[inline]
    pub(crate) fn in_pipeline(&self) -> bool {
        !self.pipeline.is_empty()
    }

    /// A statement of a pipeline is complete at `now_ns`. Which, and how long it took.
    pub(crate) fn complete_in_pipeline(&mut self, now_ns: u64) -> Option<(JobStatementNumber, u64)> {
        match *self.pipeline.front()? {
            Owed::Sync => None,
            Owed::Statement { number, since_ns } => {
                self.pipeline.pop_front();
                self.answered = Some(number);
                Some((number, now_ns.saturating_sub(since_ns)))
            }
        }
    }

    /// The server is ready; what it has not answered of a pipeline's part it has skipped.
    #[inline]
    pub(crate) fn skip_to_sync(&mut self) {
        while self.pipeline.pop_front().is_some_and(|owed| owed != Owed::Sync) {}
    }

    /// The transaction has failed: because of the statement whose turn it was or, where the end of a pipeline's part
    /// has failed, because of the one before it.
    #[cold]
    pub(crate) fn note_failure(&mut self) {
        let blamed = match self.pipeline.front() {
            Some(Owed::Statement { number, .. }) => Some(*number),
            Some(Owed::Sync) => self.answered,
            None => self.alone.take(),
        };
        self.failed = self.failed.or(blamed);
    }

    /// What has made the transaction fail.
    pub(crate) fn failed_statement(&self) -> Option<JobStatementNumber> {
        self.failed
    }

    /// The same, and forgets it.
    pub(crate) fn take_failed(&mut self) -> Option<JobStatementNumber> {
        self.failed.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_counts_from_the_end_of_the_one_before_it() {
        let mut awaited = Awaited::default();
        awaited.begin_transaction(100);
        awaited.note_sent_statement(4);
        assert_eq!(awaited.finish_statement(130), Some((4, 30)));
        awaited.note_sent_statement(5);
        assert_eq!(awaited.finish_statement(170), Some((5, 40)));
        assert_eq!(awaited.finish_statement(180), None);
    }

    /// A pipeline of three statements in two parts.
    fn pipeline() -> Awaited {
        let mut awaited = Awaited::default();
        awaited.begin_transaction(100);
        awaited.sent_in_pipeline(1);
        awaited.sent_in_pipeline(2);
        awaited.note_sent_sync();
        awaited.sent_in_pipeline(3);
        awaited.note_sent_sync();
        awaited
    }

    #[test]
    fn each_statement_of_a_pipeline_counts_from_its_begin_to_its_own_answer() {
        let mut awaited = pipeline();
        assert_eq!(awaited.complete_in_pipeline(110), Some((1, 10)));
        assert_eq!(awaited.complete_in_pipeline(120), Some((2, 20)));
        awaited.skip_to_sync();
        assert_eq!(awaited.complete_in_pipeline(130), Some((3, 30)));
        awaited.skip_to_sync();
        assert!(!awaited.in_pipeline());
        assert_eq!(awaited.finish_statement(140), None);
    }

    #[test]
    fn what_follows_an_error_in_a_pipeline_is_skipped_up_to_the_next_part() {
        let mut awaited = pipeline();
        awaited.note_failure();
        awaited.skip_to_sync();
        assert_eq!(awaited.complete_in_pipeline(130), Some((3, 30)));
        awaited.skip_to_sync();
        assert_eq!(awaited.take_failed(), Some(1));
    }

    #[test]
    fn the_statement_before_it_is_blamed_for_a_part_that_could_not_be_ended() {
        let mut awaited = pipeline();
        let _first = awaited.complete_in_pipeline(110);
        let _second = awaited.complete_in_pipeline(120);
        awaited.note_failure();
        awaited.note_failure();
        assert_eq!(awaited.take_failed(), Some(2));
    }
}
