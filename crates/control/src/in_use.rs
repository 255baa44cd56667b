//! Which encryption a connection has, and with whose certificate: seen from this end, so that a pooler in between is no
//! obstacle, of a session that logs in as the load does. A handshake alone would leave a line in the server's log.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use conninfo::ConnInfo;
use tokio_rustls::rustls::ClientConnection;
use wire::tls::{Described, describe_certificate};

use crate::Config;

/// What two ends have agreed on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InUse {
    /// Every byte can be read on the way.
    Nothing,
    /// TLS.
    Tls {
        /// Its version, such as `TLSv1.3`.
        version: String,
        /// The cipher suite, such as `TLS13_AES_256_GCM_SHA384`.
        cipher: String,
        /// The server's certificate; absent where it showed none that can be read.
        certificate: Option<Described>,
    },
}

/// What the newest connection of a connector has agreed on; none: nothing so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Agreed(Arc<Mutex<Option<io::Result<InUse>>>>);

impl Agreed {
    /// A connection begins.
    pub(crate) fn forget_handshake(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Its handshake is complete.
    pub(crate) fn note_handshake(&self, connection: &ClientConnection) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(in_use(connection));
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn take_agreed(&self) -> io::Result<InUse> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or(Ok(InUse::Nothing))
    }
}

fn in_use(agreed: &ClientConnection) -> io::Result<InUse> {
    // `TLSv1_3`, as everybody writes it.
    let version = agreed.protocol_version().and_then(|version| Some(version.as_str()?.replace('_', ".")));
    let cipher = agreed.negotiated_cipher_suite().map(|suite| format!("{:?}", suite.suite()));
    let missing = || io::Error::other("the handshake negotiated no version or no cipher");
    let certificate = agreed.peer_certificates().and_then(|all| describe_certificate(all.first()?));
    Ok(InUse::Tls { version: version.ok_or_else(missing)?, cipher: cipher.ok_or_else(missing)?, certificate })
}

/// Logs in as every session of this server does, says what encrypts the connection, and ends the session.
///
/// # Errors
/// The server cannot be reached, does not let the session in, or the two ends do not agree.
pub async fn encryption_in_use(conninfo: &ConnInfo) -> io::Result<InUse> {
    let opened = Config::from(conninfo).open_noting().await.map_err(|error| io::Error::other(error.in_words()))?;
    let in_use = opened.agreed.take_agreed()?;
    drop(opened.client);
    // Says goodbye. The session has served its purpose, however it ends.
    drop(opened.driver.await);
    Ok(in_use)
}
