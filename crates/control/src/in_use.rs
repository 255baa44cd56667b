//! Which encryption a connection has, and with whose certificate: seen from this end, so that a pooler in between is no
//! obstacle, and nobody logs in.

use std::io;

use conninfo::{ConnInfo, Encryption, Host};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use wire::tls::{Described, Negotiation, TlsSettings, describe};

/// The question for encryption, which every PostgreSQL answers with one byte: length 8, code 80877103.
const SSL_REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];

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

/// Negotiates as every connection to this server does, and says what comes of it. The first host stands for all.
///
/// # Errors
/// The server cannot be reached, or the two ends do not agree.
pub async fn encryption_in_use(conninfo: &ConnInfo) -> io::Result<InUse> {
    let Host::Tcp { name, address } = &conninfo.host else { return Ok(InUse::Nothing) };
    let settings = match &conninfo.encryption {
        // A server that insists on encryption lets nobody in who does not ask for it; this one was logged in to.
        Encryption::Never | Encryption::IfInsisted(_) => return Ok(InUse::Nothing),
        Encryption::IfPossible(settings) | Encryption::Always(settings) => settings,
    };
    let mut stream = match address {
        Some(address) => TcpStream::connect((*address, conninfo.port)).await?,
        None => TcpStream::connect((name.as_str(), conninfo.port)).await?,
    };
    match settings.negotiation() {
        Negotiation::Direct => {}
        Negotiation::Asked => {
            stream.write_all(&SSL_REQUEST).await?;
            if stream.read_u8().await? != b'S' {
                return Ok(InUse::Nothing);
            }
        }
    }
    let stream = TlsConnector::from(settings.config()).connect(TlsSettings::server_name(name), stream).await?;
    let (_, agreed) = stream.get_ref();
    // `TLSv1_3`, as everybody writes it.
    let version = agreed.protocol_version().and_then(|version| Some(version.as_str()?.replace('_', ".")));
    let cipher = agreed.negotiated_cipher_suite().map(|suite| format!("{:?}", suite.suite()));
    let missing = || io::Error::other("the handshake came to no version and no cipher");
    let certificate = agreed.peer_certificates().and_then(|all| describe(all.first()?));
    Ok(InUse::Tls { version: version.ok_or_else(missing)?, cipher: cipher.ok_or_else(missing)?, certificate })
}
