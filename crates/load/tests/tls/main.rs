//! Encryption against the real PostgreSQL: who gets a connection of which kind, how certificates are judged, what is
//! said when they are bad, and that both ways to talk to the kernel and the control plane agree with libpq.

mod certificates;
mod clients;
mod connecting;
mod direct;
mod failover;
mod fallback;
mod identity;
mod impostors;
mod modes;
mod refusals;
mod server;
mod traffic;

use conninfo::{ConnInfo, EncryptionMode};
use load::{EngineJob, IoBackend, JobExtent, LoadError, ParsedScript, StopRequest, Summary};
use std::num::{NonZeroU32, NonZeroU64};
use wire::tls::{CertificateTrust, ClientIdentity, Negotiation, TlsOptions, TlsSettings};

/// Succeeds on an encrypted connection and fails with 22012 on one in clear.
const IF_ENCRYPTED: &str = "SELECT 1 / ssl::int FROM pg_stat_ssl WHERE pid = pg_backend_pid();";

/// A transaction on each of two clients on two threads, as short as a job can be.
fn job(server: ConnInfo, text: &str) -> EngineJob {
    let two = NonZeroU32::MIN.saturating_add(1);
    EngineJob {
        clients: two,
        threads: two,
        measure: JobExtent::Transactions(NonZeroU64::MIN),
        ..EngineJob::new(server, ParsedScript::parse("test.sql", text).expect("the script parses"))
    }
}

/// Runs a job to its end, unwatched.
fn run(job: &EngineJob) -> Result<Summary, LoadError> {
    load::run_job(job, &StopRequest::new(), &mut |_| ())
}

/// The ways to talk to the kernel, or the one that this kernel has.
fn backends(server: &ConnInfo) -> Vec<IoBackend> {
    let attempt = run(&EngineJob { backend: IoBackend::IoUring, ..job(server.clone(), "SELECT 1;") });
    if let Err(LoadError::System { action: "use io_uring", source }) = attempt {
        eprintln!("skipped: io_uring cannot be used here: {source}");
        return vec![IoBackend::Epoll];
    }
    vec![IoBackend::Epoll, IoBackend::IoUring]
}

/// Whether the sessions of a run to this server are encrypted, or why there is none, as a person reads it.
fn is_encrypted(server: &ConnInfo) -> Result<bool, String> {
    let summary = run(&job(server.clone(), IF_ENCRYPTED)).map_err(|error| words(&error))?;
    assert!(summary.outages.is_empty(), "{:?}", summary.outages);
    match (summary.successful_transactions(), summary.failed) {
        (2, 0) => Ok(true),
        (0, 2) => Ok(false),
        other => panic!("some sessions are encrypted and some are not: {other:?}"),
    }
}

/// An error as a person reads it.
fn words(error: &LoadError) -> String {
    [Some(error.to_string()), error.detail(), error.hint()].into_iter().flatten().collect::<Vec<_>>().join("\n")
}

/// Encryption without ifs, the server's certificate judged so.
fn always(trust: CertificateTrust<'_>) -> EncryptionMode {
    EncryptionMode::Always(settings(TlsOptions { trust, ..TlsOptions::default() }))
}

/// The same from the first byte.
fn directly(trust: CertificateTrust<'_>) -> EncryptionMode {
    EncryptionMode::Always(settings(TlsOptions { trust, negotiation: Negotiation::Direct, ..TlsOptions::default() }))
}

/// The same with a certificate of the client.
fn showing(signed: &certificates::Signed, trust: CertificateTrust<'_>) -> EncryptionMode {
    let identity = ClientIdentity { certificates: signed.certificate.as_bytes(), key: signed.key.as_bytes() };
    EncryptionMode::Always(settings(TlsOptions { trust, identity: Some(identity), ..TlsOptions::default() }))
}

fn settings(options: TlsOptions<'_>) -> TlsSettings {
    TlsSettings::new(&options).expect("the settings can be used")
}

/// The server, encrypted so.
fn with(encryption: EncryptionMode, server: ConnInfo) -> ConnInfo {
    ConnInfo { encryption, ..server }
}

/// Whether the control plane's session is encrypted, or what is wrong with TLS, or with the login.
fn control_is_encrypted(server: &ConnInfo) -> Result<bool, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let (client, connection) = control::Config::from(server).open_connection().await.map_err(|error| {
            control::tls_error(error.decisive_error()).map_or_else(
                || error.as_db_error().map_or_else(|| format!("{error:?}"), |error| error.message().to_owned()),
                |error| format!("{error}\n{}", error.hint()),
            )
        })?;
        let driver = tokio::spawn(connection);
        let row = client
            .query_one("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()", &[])
            .await
            .expect("the control plane's session works");
        drop(client);
        driver.await.expect("the driver does not panic").expect("the session ends well");
        Ok(row.get(0))
    })
}
