//! What all sessions have in common: where the server is, how both sides are encrypted, which sessions are recorded,
//! and which session a request to cancel means.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use capture::TrafficSession;
use conninfo::EncryptionMode;
use rustls::ServerConfig;

use crate::server_addresses::{ServerAddress, ServerAddresses};

/// What all sessions have in common.
pub(crate) struct SharedRoute {
    pub(crate) addresses: ServerAddresses,
    pub(crate) encryption: EncryptionMode,
    pub(crate) identity: Option<Arc<ServerConfig>>,
    /// How long one address may take.
    pub(crate) patience_us: i64,
    database: Option<String>,
    user: Option<String>,
    /// Where the session with this key is, for requests to cancel.
    keys: Mutex<HashMap<Vec<u8>, ServerAddress>>,
    next_key: AtomicU64,
    pub(crate) is_stopped: AtomicBool,
    begun: Instant,
}

impl SharedRoute {
    pub(crate) fn new_route(
        options: &crate::ProxyOptions,
        addresses: ServerAddresses,
        identity: Option<Arc<ServerConfig>>,
        begun: Instant,
    ) -> Self {
        Self {
            addresses,
            encryption: options.server.encryption.clone(),
            identity,
            patience_us: i64::try_from(options.server.timeout_per_host().as_micros()).unwrap_or(i64::MAX),
            database: options.database.clone(),
            user: options.user.clone(),
            keys: Mutex::default(),
            next_key: AtomicU64::new(1),
            is_stopped: AtomicBool::new(false),
            begun,
        }
    }

    /// What the next session is called.
    pub(crate) fn take_session_key(&self) -> u64 {
        self.next_key.fetch_add(1, Ordering::Relaxed)
    }

    /// Microseconds since the proxy began.
    pub(crate) fn now_us(&self) -> i64 {
        i64::try_from(self.begun.elapsed().as_micros()).unwrap_or(i64::MAX)
    }

    /// The addresses of the server, the first to be tried last.
    pub(crate) fn list_addresses(&self) -> Vec<ServerAddress> {
        let mut addresses = self.addresses.list_addresses();
        addresses.reverse();
        addresses
    }

    /// Where a request to cancel goes: to the server of its session, or to all that there is to try.
    pub(crate) fn addresses_of_key(&self, key: &[u8]) -> Vec<ServerAddress> {
        match self.lock_keys().get(key) {
            Some(address) => vec![address.clone()],
            None => self.list_addresses(),
        }
    }

    pub(crate) fn note_key(&self, key: &[u8], address: &ServerAddress) {
        self.lock_keys().insert(key.to_vec(), address.clone());
    }

    pub(crate) fn forget_key(&self, key: &[u8]) {
        self.lock_keys().remove(key);
    }

    /// Whether a session is to be recorded.
    pub(crate) fn admits_session(&self, names: &TrafficSession) -> bool {
        self.database.as_ref().is_none_or(|name| *name == names.database)
            && self.user.as_ref().is_none_or(|name| *name == names.user)
    }

    fn lock_keys(&self) -> MutexGuard<'_, HashMap<Vec<u8>, ServerAddress>> {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
