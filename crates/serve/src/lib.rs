//! A run in the browser, while it is measured and afterwards, by the viewer and the data of `report.html`.
//!
//! A server over directories: it reads what a measurement appends and never speaks with one, so that it can be begun
//! late, outlives the run, and does nothing while nobody looks. It draws no conclusion; `judge` does. What it answers
//! is for whoever has the token (`access`).

mod access;
mod attendance;
mod error;
mod follow;
mod list;
mod metrics;
mod presence;
mod reports;
mod routes;
mod site;
mod stamp;
mod stream;
mod tail;
mod token;
mod trial_tail;
mod writer;

use std::net::{IpAddr, SocketAddr, TcpListener};
use std::time::Duration;

pub use error::ServeError;
pub use list::{ListedRun, RunAnswer, answer_of_run, list_runs};
pub use site::ServedRuns;
pub use token::AccessToken;
pub use writer::is_writing;

use attendance::Attendance;
use presence::Browser;

/// How often a server that is to end by itself looks whether it may, at most.
const LOOK: Duration = Duration::from_secs(60);

/// Takes an address; port 0 is any that is free.
///
/// # Errors
/// [`ServeError::InUse`] and [`ServeError::Listen`].
pub fn listen_on_address(address: IpAddr, port: u16) -> Result<TcpListener, ServeError> {
    let asked = SocketAddr::new(address, port);
    TcpListener::bind(asked).map_err(|error| ServeError::from_listen_error(asked, error))
}

/// A server that has its address and does not answer yet.
#[derive(Debug)]
pub struct ReportServer {
    listener: TcpListener,
    address: SocketAddr,
    site: ServedRuns,
    token: AccessToken,
}

impl ReportServer {
    /// Of what [`listen_on_address`] took, in this process or in the one that started it.
    ///
    /// # Errors
    /// [`ServeError::NoListener`].
    pub fn new(listener: TcpListener, site: ServedRuns, token: AccessToken) -> Result<Self, ServeError> {
        let address = listener.local_addr().and_then(|address| listener.set_nonblocking(true).map(|()| address));
        Ok(Self { address: address.map_err(ServeError::NoListener)?, listener, site, token })
    }

    /// What to open in a browser, token included.
    pub fn browser_url(&self) -> String {
        format!("http://{}/{}/{}", self.address, self.token.reveal_text(), self.site.first_page())
    }

    /// Answers, for as long as the future is polled; with `linger` only until nobody has looked for so long while no
    /// run was being measured.
    ///
    /// # Errors
    /// The system's, when it gives no more connections.
    pub async fn serve_requests(self, linger: Option<Duration>) -> Result<(), ServeError> {
        let attendance = Attendance::new();
        let access = access::AccessRule::new(self.address.ip(), self.token);
        let router = routes::build_router(self.site.clone(), access, attendance.clone());
        let listener = tokio::net::TcpListener::from_std(self.listener).map_err(ServeError::NoListener)?;
        let answering = axum::serve(listener, router.into_make_service_with_connect_info::<Browser>());
        tokio::select! {
            answered = answering => answered.map_err(|error| ServeError::from_listen_error(self.address, error)),
            () = wait_until_unattended(linger, &self.site, &attendance) => Ok(()),
        }
    }
}

/// Returns when nobody has looked for as long as `linger`; never without one.
async fn wait_until_unattended(linger: Option<Duration>, site: &ServedRuns, attendance: &Attendance) {
    let Some(linger) = linger else { return std::future::pending().await };
    while attendance.quiet_for() < linger {
        tokio::time::sleep(linger.min(LOOK)).await;
        if site.is_being_measured() {
            attendance.record_look();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    #[tokio::test]
    async fn a_server_that_lingers_ends_once_nobody_looks_and_nothing_is_measured() {
        let directory = tempfile::tempdir().unwrap();
        let run = File::create(directory.path().join("run.json")).unwrap();
        run.lock().unwrap();
        let site = ServedRuns::new(directory.path()).unwrap();
        let attendance = Attendance::new();
        let page = attendance.follow_page();
        let ends = |linger_ms| wait_until_unattended(Some(Duration::from_millis(linger_ms)), &site, &attendance);
        // Many times as long as it lingers; that it is still there is true on any machine.
        let stays = async || tokio::time::timeout(Duration::from_millis(60), ends(1)).await.is_err();
        assert!(stays().await, "it is measured and looked at");
        drop(page);
        assert!(stays().await, "it is measured");
        drop(run);
        let page = attendance.follow_page();
        assert!(stays().await, "it is looked at");
        drop(page);
        ends(1).await;
    }
}
