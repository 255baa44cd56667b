//! How long one question to a server may take whose answer no trial depends on.

use std::time::Duration;

use tokio::time::timeout;

use crate::postgres::ServerLink;

/// The longest that one question may take.
pub(crate) const AT_MOST: Duration = Duration::from_secs(2);

/// What `ask` brings within [`AT_MOST`]. A session that did not answer is given up, so that no further question waits
/// behind this one.
pub(crate) async fn in_time<T>(
    link: &mut ServerLink,
    asked: &str,
    ask: impl AsyncFnOnce(&mut ServerLink) -> Result<T, String>,
) -> Result<T, String> {
    timeout(AT_MOST, ask(link)).await.unwrap_or_else(|_| {
        link.hang_up();
        Err(format!("{asked} did not answer within {} s", AT_MOST.as_secs()))
    })
}
