//! Reaching a server: is anything there, is it PostgreSQL, does it let us in, is it new enough; each "no" in its own
//! words, with the address, never with the password.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpStream, UnixStream};
use tokio::time::timeout;
use tokio_postgres::Client;
use tokio_postgres::error::{DbError, SqlState};

use conninfo::{ConnInfo, ServerHost};
use wire::tls::TlsError;

/// `server_version_num` of the oldest supported server.
const OLDEST: u32 = catalog::OLDEST_MAJOR * 10_000;

/// The message by which a client asks for encryption: length 8, code 80877103. Every PostgreSQL since 1999 answers it
/// with one byte, so it tells a PostgreSQL from anything else without logging in.
const SSL_REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];

/// Why a server cannot be worked with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReachError {
    /// Nothing listens there.
    #[error("connection to {address} was refused")]
    Refused {
        /// `host:port` or the path of the socket.
        address: String,
        /// The system's reason.
        why: String,
    },
    /// The name does not resolve.
    #[error("cannot resolve host \"{host}\"")]
    UnknownHost {
        /// The name.
        host: String,
        /// The system's reason.
        why: String,
    },
    /// The network does not lead there.
    #[error("cannot connect to {address}")]
    Unreachable {
        /// `host:port` or the path of the socket.
        address: String,
        /// The system's reason.
        why: String,
    },
    /// No answer in time.
    #[error("no answer from {address} within {seconds} s")]
    Timeout {
        /// `host:port` or the path of the socket.
        address: String,
        /// How long was waited.
        seconds: u64,
    },
    /// Something else listens there.
    #[error("{address} is not a PostgreSQL server")]
    NotPostgres {
        /// `host:port` or the path of the socket.
        address: String,
        /// What it said instead.
        said: String,
    },
    /// The server does not accept the user's proof of identity.
    #[error("{address} did not accept user \"{user}\"")]
    Login {
        /// `host:port` or the path of the socket.
        address: String,
        /// The role.
        user: String,
        /// The server's words.
        said: String,
        /// Whether a password was given.
        with_password: bool,
        /// Whether it is the password that the server does not accept.
        is_password: bool,
    },
    /// The database does not exist.
    #[error("{address} has no database \"{dbname}\"")]
    NoDatabase {
        /// `host:port` or the path of the socket.
        address: String,
        /// The database.
        dbname: String,
    },
    /// The server refuses connections for now.
    #[error("{address} does not accept connections now")]
    NotNow {
        /// `host:port` or the path of the socket.
        address: String,
        /// The server's words.
        said: String,
    },
    /// The connection cannot be encrypted as demanded.
    #[error("cannot encrypt the connection to {address}")]
    Tls {
        /// `host:port`.
        address: String,
        /// Why.
        why: TlsError,
        /// Where it was tried without encryption as well, what both attempts came to.
        both_attempts: Option<String>,
    },
    /// Another error of the server or of the connection.
    #[error("connection to {address} failed")]
    Failed {
        /// `host:port` or the path of the socket.
        address: String,
        /// The server's words, or what happened.
        said: String,
        /// The server's hint.
        hint: Option<String>,
        /// The server's error code, if it is one of the server's errors.
        code: Option<String>,
    },
    /// The server is too old.
    #[error("{address} is PostgreSQL {version}, older than 14")]
    TooOld {
        /// `host:port` or the path of the socket.
        address: String,
        /// The version as the server prints it.
        version: String,
    },
}

impl ReachError {
    /// What the system said, beyond the primary message.
    #[must_use]
    pub fn detail(&self) -> Option<String> {
        match self {
            Self::Refused { why, .. } | Self::UnknownHost { why, .. } | Self::Unreachable { why, .. } => {
                Some(why.clone())
            }
            Self::NotPostgres { said, .. }
            | Self::Login { said, .. }
            | Self::NotNow { said, .. }
            | Self::Failed { said, .. } => Some(said.clone()),
            Self::Tls { both_attempts: Some(both), .. } => Some(both.clone()),
            Self::Tls { why, both_attempts: None, .. } => Some(why.to_string()),
            Self::Timeout { .. } | Self::NoDatabase { .. } | Self::TooOld { .. } => None,
        }
    }

    /// What to try.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Refused { .. } => "is the server running there, and does it listen on this address and port?",
            Self::UnknownHost { .. } => "check the spelling of the host in the url",
            Self::Unreachable { .. } => return None,
            Self::Timeout { .. } => "a firewall may drop the packets; connect_timeout=… sets the time limit",
            Self::NotPostgres { .. } => "check the host and port; PostgreSQL's usual port is 5432",
            // In whatever words: there is no code of its own for it.
            Self::Login { said, .. } if said.contains("client certificate") => {
                "specify a certificate of a CA in the server's ssl_ca_file, with sslcert and sslkey"
            }
            Self::Login { is_password: false, .. } => "check the role and the server's pg_hba.conf",
            Self::Login { with_password: false, .. } => {
                "no password was found; set PGPASSWORD, or add a line to ~/.pgpass (mode 0600)"
            }
            Self::Login { .. } => "check the password (url, PGPASSWORD, ~/.pgpass)",
            Self::Tls { why, .. } => why.hint(),
            Self::NoDatabase { .. } => "create the database, or specify another one in the url",
            Self::NotNow { .. } => "wait until the server accepts connections, or raise its max_connections",
            Self::Failed { hint, .. } => return hint.clone(),
            Self::TooOld { .. } => "pgdyno measures PostgreSQL 14 and newer",
        };
        Some(hint.to_owned())
    }

    /// The server's error code and words, where it is the server that refused.
    pub(crate) fn server_refusal(&self) -> Option<(&str, &str)> {
        match self {
            Self::Failed { said, code: Some(code), .. } => Some((code, said)),
            _ => None,
        }
    }
}

/// A login that takes longer than this may be talking to something else.
const LONG_LOGIN: Duration = Duration::from_secs(3);

/// Logs in for the first time. Where that takes long or fails, and no server says why, asks whether it is a PostgreSQL at
/// all. Not before: a PostgreSQL that is asked and left writes into its log that a handshake was broken off.
pub(crate) async fn log_in_first_time(conninfo: &ConnInfo) -> Result<Client, ReachError> {
    let mut login = Box::pin(connect_and_check_version(conninfo));
    let ended = match timeout(LONG_LOGIN, &mut login).await {
        Ok(ended) => ended,
        Err(_) => tokio::select! {
            ended = login => ended,
            something_else = something_else(conninfo) => return Err(something_else),
        },
    };
    let error = match ended {
        Ok(client) => return Ok(client),
        Err(error) => error,
    };
    match &error {
        ReachError::Failed { code: None, .. }
        | ReachError::Tls { why: TlsError::NotOffered | TlsError::Failed(_), .. } => {
            check_postgres_listens(conninfo).await?;
            Err(error)
        }
        _ => Err(error),
    }
}

/// Ends once what listens there has shown that it is no PostgreSQL.
async fn something_else(conninfo: &ConnInfo) -> ReachError {
    match check_postgres_listens(conninfo).await {
        Err(other @ ReachError::NotPostgres { .. }) => other,
        Ok(()) | Err(_) => std::future::pending().await,
    }
}

/// Checks that a PostgreSQL listens at one of the addresses, without logging in.
async fn check_postgres_listens(conninfo: &ConnInfo) -> Result<(), ReachError> {
    let mut first_error = None;
    for (host, port) in conninfo.all_hosts() {
        match knock_at(host, port, conninfo).await {
            Ok(()) => return Ok(()),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    first_error.map_or(Ok(()), Err)
}

async fn knock_at(host: &ServerHost, port: u16, conninfo: &ConnInfo) -> Result<(), ReachError> {
    let limit = conninfo.timeout_per_host();
    let greet = async {
        let at = conninfo::address_of_host(host, port);
        match host {
            ServerHost::Unix(_) => check_postgres_answers(UnixStream::connect(&at).await, at).await,
            ServerHost::Tcp { name, address } => {
                let stream = match address {
                    Some(address) => TcpStream::connect((*address, port)).await,
                    None => TcpStream::connect(resolve_host_name(name, port).await?.as_slice()).await,
                };
                check_postgres_answers(stream, at).await
            }
        }
    };
    timeout(limit, greet).await.map_err(|_| timed_out(conninfo, limit))?
}

async fn resolve_host_name(name: &str, port: u16) -> Result<Vec<std::net::SocketAddr>, ReachError> {
    let unknown = |why: String| ReachError::UnknownHost { host: name.to_owned(), why };
    let addresses = tokio::net::lookup_host((name, port)).await.map_err(|error| unknown(error.to_string()))?;
    let addresses: Vec<_> = addresses.collect();
    if addresses.is_empty() { Err(unknown("the name has no address".to_owned())) } else { Ok(addresses) }
}

/// Sends the question and judges the answer.
async fn check_postgres_answers(
    stream: io::Result<impl AsyncRead + AsyncWrite + Unpin>,
    address: String,
) -> Result<(), ReachError> {
    let mut stream = stream.map_err(|error| match error.kind() {
        io::ErrorKind::ConnectionRefused | io::ErrorKind::NotFound => {
            ReachError::Refused { address: address.clone(), why: error.to_string() }
        }
        _ => ReachError::Unreachable { address: address.clone(), why: error.to_string() },
    })?;
    let mut answer = [0; 32];
    let exchange = async {
        stream.write_all(&SSL_REQUEST).await?;
        stream.read(&mut answer).await
    };
    let said = match exchange.await {
        // S: encryption is offered, N: it is not, and nothing else follows (unlike the greeting of an SSH server).
        Ok(1) if matches!(answer[0], b'S' | b'N') => return Ok(()),
        // E: an error message, when the server is out of resources; logging in will tell.
        Ok(1..) if answer[0] == b'E' => return Ok(()),
        Ok(0) => "the peer closed the connection without an answer".to_owned(),
        Ok(length) => format!("the peer answered \"{}\"", String::from_utf8_lossy(&answer[..length]).escape_debug()),
        Err(error) => error.to_string(),
    };
    Err(ReachError::NotPostgres { address, said })
}

/// Logs in and checks the version.
pub(crate) async fn connect_and_check_version(conninfo: &ConnInfo) -> Result<Client, ReachError> {
    let config = control::Config::from(conninfo);
    let limit = config.at_most(conninfo.timeout_per_host());
    let (client, connection) = timeout(limit, Box::pin(config.open_connection()))
        .await
        .map_err(|_| timed_out(conninfo, limit))?
        .map_err(|error| explain_open_error(&error, conninfo))?;
    let version = connection.parameter("server_version").unwrap_or_default().to_owned();
    // The error that ends a connection also fails the query under way, which is where it is reported.
    tokio::spawn(async move { connection.await.ok() });
    let number = client
        .simple_query("SHOW server_version_num")
        .await
        .map_err(|error| classify_postgres_error(&error, conninfo))?;
    let number = number.iter().find_map(|message| match message {
        tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0)?.parse::<u32>().ok(),
        _ => None,
    });
    if number.is_none_or(|number| number < OLDEST) {
        return Err(ReachError::TooOld { address: conninfo.display_address(), version });
    }
    Ok(client)
}

fn timed_out(conninfo: &ConnInfo, limit: Duration) -> ReachError {
    ReachError::Timeout { address: conninfo.display_address(), seconds: limit.as_secs() }
}

/// Why no session came about, in our words; of two attempts both.
fn explain_open_error(error: &control::OpenError, conninfo: &ConnInfo) -> ReachError {
    let mut why = classify_postgres_error(error.decisive_error(), conninfo);
    if let Some(both) = error.both_attempts() {
        match &mut why {
            ReachError::Login { said, .. } | ReachError::NotNow { said, .. } | ReachError::Failed { said, .. } => {
                *said = both;
            }
            ReachError::Tls { both_attempts, .. } => *both_attempts = Some(both),
            ReachError::Refused { .. }
            | ReachError::UnknownHost { .. }
            | ReachError::Unreachable { .. }
            | ReachError::Timeout { .. }
            | ReachError::NotPostgres { .. }
            | ReachError::NoDatabase { .. }
            | ReachError::TooOld { .. } => {}
        }
    }
    why
}

/// Puts an error of tokio-postgres into our words.
pub(crate) fn classify_postgres_error(error: &tokio_postgres::Error, conninfo: &ConnInfo) -> ReachError {
    let address = conninfo.display_address();
    let Some(said) = error.as_db_error() else {
        // The source says more than the error itself ("error connecting to server").
        let source = std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string);
        let (user, with_password) = (conninfo.user.clone(), conninfo.password.is_some());
        if is_timeout(error) {
            return timed_out(conninfo, conninfo.timeout_per_host());
        }
        if source.contains("password missing") {
            let said = "the server requires a password".to_owned();
            return ReachError::Login { address, user, said, with_password, is_password: true };
        }
        if let Some(why) = control::tls_error(error).or_else(|| closed_directly(error, conninfo)) {
            return ReachError::Tls { address, why, both_attempts: None };
        }
        return ReachError::Failed { address, said: source, hint: None, code: None };
    };
    let code = said.code();
    if [&SqlState::INVALID_PASSWORD, &SqlState::INVALID_AUTHORIZATION_SPECIFICATION].contains(&code) {
        let (user, with_password) = (conninfo.user.clone(), conninfo.password.is_some());
        let is_password = *code == SqlState::INVALID_PASSWORD;
        ReachError::Login { address, user, said: message_with_detail(said), with_password, is_password }
    } else if *code == SqlState::INVALID_CATALOG_NAME {
        ReachError::NoDatabase { address, dbname: conninfo.dbname.clone() }
    } else if [&SqlState::TOO_MANY_CONNECTIONS, &SqlState::CANNOT_CONNECT_NOW].contains(&code) {
        ReachError::NotNow { address, said: message_with_detail(said) }
    } else {
        let hint = said.hint().map(str::to_owned);
        ReachError::Failed { address, said: message_with_detail(said), hint, code: Some(code.code().to_owned()) }
    }
}

/// A host did not answer at all.
fn is_timeout(error: &tokio_postgres::Error) -> bool {
    let source = std::error::Error::source(error).and_then(|source| source.downcast_ref::<io::Error>());
    source.is_some_and(|source| source.kind() == io::ErrorKind::TimedOut)
}

/// A server that does not know direct negotiation just closes the connection.
fn closed_directly(error: &tokio_postgres::Error, conninfo: &ConnInfo) -> Option<TlsError> {
    let closed = [io::ErrorKind::UnexpectedEof, io::ErrorKind::ConnectionReset, io::ErrorKind::BrokenPipe];
    let source = std::error::Error::source(error)?.downcast_ref::<io::Error>()?;
    (conninfo.encryption.is_direct() && closed.contains(&source.kind())).then_some(TlsError::NoAlpn)
}

fn message_with_detail(error: &DbError) -> String {
    error.detail().map_or_else(|| error.message().to_owned(), |detail| format!("{}: {detail}", error.message()))
}
