//! How the control plane connects: tokio-postgres, encrypted and judged by the same settings as the load's connections.
//!
//! One place for everything that is not load: data sets, probes, settings, facts. It tries what libpq would try: for
//! `sslmode=allow` and `prefer` a second time, for `target_session_attrs=prefer-standby` a second round. A primary is
//! told from a standby by whether its sessions can write, which is all that tokio-postgres asks.

mod in_use;
mod login;
mod open_error;
mod tls;

pub use in_use::{InUse, encryption_in_use};
pub use open_error::OpenError;
pub use tls::Connector;

use conninfo::EncryptionMode;
use std::ops::{Deref, DerefMut};
use std::time::Duration;

use tokio_postgres::config::{Host, SslMode, SslNegotiation, TargetSessionAttrs};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Connection, Error, Socket};

use in_use::Agreed;
use open_error::FailedAttempt;

/// Where to connect and how. Everything of tokio-postgres' own configuration can be read and set on it, but not whether
/// there is encryption.
#[derive(Debug, Clone)]
pub struct Config {
    postgres: tokio_postgres::Config,
    encryption: EncryptionMode,
    prefers_standby: bool,
}

/// An open connection's other half, which has to be driven.
pub type ConnectionDriver = Connection<Socket, tls::EncryptedStream<Socket>>;

/// An open session, and what encrypts it.
pub(crate) struct Opened {
    pub(crate) client: Client,
    pub(crate) driver: ConnectionDriver,
    pub(crate) agreed: Agreed,
}

impl Config {
    /// Connects as `postgres` says, encrypted as `encryption` says.
    pub fn with_encryption(postgres: tokio_postgres::Config, encryption: EncryptionMode) -> Config {
        Config { postgres, encryption, prefers_standby: false }
    }

    /// An empty one, without encryption.
    #[allow(clippy::new_without_default, reason = "without a host there is nothing to connect to")]
    pub fn new() -> Config {
        Config::from(tokio_postgres::Config::new())
    }

    /// Looks for a standby first, and takes any server if there is none.
    #[must_use]
    pub fn preferring_standby(self) -> Config {
        Config { prefers_standby: true, ..self }
    }

    /// The longest that [`Config::open_connection`] may take when each host may take this long:
    /// a dead one leaves the others their time.
    pub fn at_most(&self, each: Duration) -> Duration {
        let rounds = if self.prefers_standby { 2 } else { 1 };
        each * rounds * u32::try_from(self.postgres.get_hosts().len().max(1)).unwrap_or(u32::MAX)
    }

    /// Connects and logs in.
    ///
    /// # Errors
    /// What the attempts came to.
    pub async fn open_connection(&self) -> Result<(Client, ConnectionDriver), OpenError> {
        self.open_noting().await.map(|opened| (opened.client, opened.driver))
    }

    pub(crate) async fn open_noting(&self) -> Result<Opened, OpenError> {
        if self.prefers_standby
            && let Ok(opened) = self.open_to(TargetSessionAttrs::ReadOnly).await
        {
            return Ok(opened);
        }
        self.open_to(self.postgres.get_target_session_attrs()).await
    }

    async fn open_to(&self, kind: TargetSessionAttrs) -> Result<Opened, OpenError> {
        let (first, second) = self.ssl_modes_to_try();
        let failed = match self.attempt_connection(first, kind).await {
            Ok(opened) => return Ok(opened),
            Err(failed) => failed,
        };
        match second {
            Some(second) if is_worth_another(&failed, second) => {
                let second = self.attempt_connection(second, kind).await;
                second.map_err(|last| OpenError { first: Some(failed), last })
            }
            Some(_) | None => Err(OpenError { first: None, last: failed }),
        }
    }

    async fn attempt_connection(&self, mode: SslMode, kind: TargetSessionAttrs) -> Result<Opened, FailedAttempt> {
        let mut config = self.postgres.clone();
        config.ssl_mode(mode).target_session_attrs(kind);
        if self.encryption.is_direct() && mode == SslMode::Require {
            config.ssl_negotiation(SslNegotiation::Direct);
        }
        let connector = self.tls_connector();
        let agreed = connector.agreed.clone();
        match config.connect(connector).await {
            Ok((client, driver)) => Ok(Opened { client, driver, agreed }),
            Err(error) => {
                let encrypted = mode == SslMode::Require || agreed.is_encrypted() || tls_error(&error).is_some();
                Err(FailedAttempt { encrypted, error })
            }
        }
    }

    /// How to encrypt, for a request to cancel too.
    pub fn tls_connector(&self) -> Connector {
        Connector::new(self.encryption.tls_settings().cloned())
    }

    /// A unix socket is never encrypted, whatever is asked for.
    fn ssl_modes_to_try(&self) -> (SslMode, Option<SslMode>) {
        let local = self.postgres.get_hosts().iter().all(|host| matches!(host, Host::Unix(_)));
        match &self.encryption {
            _ if local => (SslMode::Disable, None),
            EncryptionMode::Never => (SslMode::Disable, None),
            EncryptionMode::IfInsisted(_) => (SslMode::Disable, Some(SslMode::Require)),
            EncryptionMode::IfPossible(_) => (SslMode::Prefer, Some(SslMode::Disable)),
            EncryptionMode::Always(_) => (SslMode::Require, None),
        }
    }
}

/// Whether the other way could succeed: `pg_hba.conf` may tell encrypted connections from others, and TLS may fail. A
/// server that does not encrypt was asked in clear already.
fn is_worth_another(failed: &FailedAttempt, other: SslMode) -> bool {
    let same_again = other == SslMode::Disable && !failed.encrypted;
    match failed.error.code() {
        Some(code) => {
            let may_differ = [&SqlState::INVALID_AUTHORIZATION_SPECIFICATION, &SqlState::INVALID_PASSWORD];
            may_differ.contains(&code) && !same_again
        }
        None => tls_error(&failed.error).is_some(),
    }
}

/// What was wrong with TLS, if that is what failed.
pub fn tls_error(error: &Error) -> Option<wire::tls::TlsError> {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(found) = cause {
        if let Some(error) = found.downcast_ref::<wire::tls::TlsError>() {
            return Some(error.clone());
        }
        // tokio-rustls wraps it in an I/O error, whose source is not it but its source.
        let inner = found.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        if let Some(error) = inner.and_then(|inner| inner.downcast_ref::<tokio_rustls::rustls::Error>()) {
            return Some(error.into());
        }
        cause = found.source();
    }
    // tokio-postgres has no kind for this, only words.
    error.to_string().contains("server does not support TLS").then_some(wire::tls::TlsError::NotOffered).or_else(|| {
        let source = std::error::Error::source(error)?;
        source.to_string().contains("server does not support TLS").then_some(wire::tls::TlsError::NotOffered)
    })
}

impl From<tokio_postgres::Config> for Config {
    fn from(postgres: tokio_postgres::Config) -> Config {
        Config::with_encryption(postgres, EncryptionMode::Never)
    }
}

impl Deref for Config {
    type Target = tokio_postgres::Config;

    fn deref(&self) -> &tokio_postgres::Config {
        &self.postgres
    }
}

impl DerefMut for Config {
    fn deref_mut(&mut self) -> &mut tokio_postgres::Config {
        &mut self.postgres
    }
}
