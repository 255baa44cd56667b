//! That a page is open on a run that is being measured: written into the run, for a browser may disturb it.

use std::net::SocketAddr;
use std::path::PathBuf;

use axum::extract::connect_info::Connected;
use axum::serve::IncomingStream;
use jiff::{SignedDuration, Timestamp};
use results::store::RunDir;
use results::viewers::{Viewed, Whence};
use tokio::net::TcpListener;

/// How long it is open until it is written down at the latest: so much is not known of a server that was killed.
const WRITTEN: SignedDuration = SignedDuration::from_secs(5);

/// Where the browser of a connection is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Browser(pub(crate) Whence);

impl Connected<IncomingStream<'_, TcpListener>> for Browser {
    fn connect_info(stream: IncomingStream<'_, TcpListener>) -> Self {
        let own = stream.io().local_addr().ok();
        Self(origin_of_connection(*stream.remote_addr(), own))
    }
}

/// A connection between an address and itself does not leave the machine.
fn origin_of_connection(peer: SocketAddr, own: Option<SocketAddr>) -> Whence {
    let (peer, own) = (peer.ip().to_canonical(), own.map(|own| own.ip().to_canonical()));
    if peer.is_loopback() || own == Some(peer) { Whence::Here } else { Whence::Elsewhere }
}

/// A page that is open on a run, until it is dropped. Where the directory cannot be written to, nothing is.
#[derive(Debug)]
pub(crate) struct PagePresence {
    run: PathBuf,
    whence: Whence,
    /// Since when it is open and not written down; absent while nothing is measured.
    since: Option<Timestamp>,
}

impl PagePresence {
    pub(crate) fn new(run: PathBuf, Browser(whence): Browser) -> Self {
        Self { run, whence, since: None }
    }

    /// It is still open, and the run is being measured or not.
    pub(crate) fn goes_on(&mut self, is_measured: bool) {
        let now = Timestamp::now();
        if self.since.is_some_and(|since| !is_measured || now.duration_since(since) >= WRITTEN) {
            self.write_viewed_period(now);
        }
        if is_measured {
            self.since.get_or_insert(now);
        }
    }

    fn write_viewed_period(&mut self, to: Timestamp) {
        let Some(from) = self.since.take() else { return };
        let viewed = Viewed { from, to, whence: self.whence };
        let _ = RunDir::open(&self.run).and_then(|dir| dir.append_viewed(&viewed));
    }
}

impl Drop for PagePresence {
    fn drop(&mut self) {
        self.write_viewed_period(Timestamp::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_here_when_its_connection_does_not_leave_the_machine() {
        let is_here = |peer: &str, own: &str| {
            origin_of_connection(peer.parse().unwrap(), Some(own.parse().unwrap())) == Whence::Here
        };
        assert!(is_here("127.0.0.1:5", "127.0.0.1:80") && is_here("[::1]:5", "[::1]:80"));
        assert!(is_here("10.0.0.5:5", "10.0.0.5:80") && is_here("[::ffff:10.0.0.5]:5", "10.0.0.5:80"));
        assert!(!is_here("10.0.0.6:5", "10.0.0.5:80"));
        assert_eq!(origin_of_connection("10.0.0.6:5".parse().unwrap(), None), Whence::Elsewhere);
    }
}
