//! A question whose answer may be late: it is waited for no longer than a second allows, and taken when the next second
//! asks. So nothing that was counted meanwhile is lost, and no second question is asked before the first is answered.

use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::timeout;

/// The question under way, if there is one. Dropping it gives it up.
pub(super) struct PendingQuestion<T>(JoinSet<T>);

impl<T: Send + 'static> PendingQuestion<T> {
    /// Nothing is asked.
    pub(super) fn without_question() -> Self {
        Self(JoinSet::new())
    }

    /// The answer to the question under way, else to the one that `ask` begins; none if it is late, or lost with its
    /// task.
    pub(super) async fn answer_or_late<Q>(&mut self, ask: impl FnOnce() -> Option<Q>, at_most: Duration) -> Option<T>
    where
        Q: Future<Output = T> + Send + 'static,
    {
        if self.0.is_empty()
            && let Some(question) = ask()
        {
            self.0.spawn(question);
        }
        timeout(at_most, self.0.join_next()).await.ok()??.ok()
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    const AT_ONCE: Duration = Duration::ZERO;
    const AT_LAST: Duration = Duration::from_secs(60);

    fn asked_already() -> Option<oneshot::Receiver<u32>> {
        panic!("it is asked already")
    }

    #[tokio::test]
    async fn a_late_answer_is_taken_by_the_next_second_and_no_other_question_is_asked_meanwhile() {
        let mut late = PendingQuestion::without_question();
        let (answer, question) = oneshot::channel();
        assert_eq!(late.answer_or_late(|| Some(question), AT_ONCE).await, None, "it is late");
        assert_eq!(late.answer_or_late(asked_already, AT_ONCE).await, None, "it is later");
        answer.send(1).expect("it is waited for");
        assert_eq!(late.answer_or_late(asked_already, AT_LAST).await, Some(Ok(1)));
        let (answer, question) = oneshot::channel();
        answer.send(2).expect("it will be asked");
        assert_eq!(late.answer_or_late(|| Some(question), AT_LAST).await, Some(Ok(2)));
    }

    #[tokio::test]
    async fn a_question_that_cannot_be_asked_has_no_answer() {
        let mut late: PendingQuestion<()> = PendingQuestion::without_question();
        assert_eq!(late.answer_or_late(|| None::<std::future::Ready<()>>, AT_LAST).await, None);
    }
}
