//! A run in the browser, while it is measured and afterwards, by the viewer and the data of `report.html`.
//!
//! A server over directories: it reads what a measurement appends and never speaks with one, so that it can be begun
//! late, outlives the run, and does nothing while nobody looks. It draws no conclusion; `judge` does. What it answers
//! is for whoever has the token (`access`).

mod access;
mod error;
mod follow;
mod list;
mod reports;
mod routes;
mod site;
mod stamp;
mod stream;
mod tail;
mod token;
mod trial_tail;
mod writer;

use std::net::{IpAddr, SocketAddr};

use tokio::net::TcpListener;

pub use error::ServeError;
pub use site::Site;
pub use token::Token;

/// A server that has its address and does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    site: Site,
    token: Token,
}

impl Server {
    /// Takes the address; port 0 is any that is free.
    ///
    /// # Errors
    /// [`ServeError::InUse`] and [`ServeError::Listen`].
    pub async fn bind(address: IpAddr, port: u16, site: Site, token: Token) -> Result<Self, ServeError> {
        let asked = SocketAddr::new(address, port);
        let refused = |error: std::io::Error| ServeError::listening(asked, error);
        let listener = TcpListener::bind(asked).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        Ok(Self { listener, address, site, token })
    }

    /// What to open in a browser, token included.
    pub fn url(&self) -> String {
        format!("http://{}/{}/{}", self.address, self.token.reveal(), self.site.first_page())
    }

    /// Answers, for as long as the future is polled.
    ///
    /// # Errors
    /// The system's, when it gives no more connections.
    pub async fn serve(self) -> Result<(), ServeError> {
        let router = routes::router(self.site, access::Access::new(self.address.ip(), self.token));
        let answering = axum::serve(self.listener, router);
        answering.await.map_err(|error| ServeError::listening(self.address, error))
    }
}
