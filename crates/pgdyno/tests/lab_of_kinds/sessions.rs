//! Sessions beside the load: they repeat a statement, hold a transaction, or idle, until they are dropped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use tokio_postgres::{Client, NoTls};

/// How long a session may take to begin.
const BEGUN_WITHIN: Duration = Duration::from_secs(20);

/// What a session does once it is connected.
#[derive(Clone)]
pub enum Doing {
    /// Executes statements again and again, with a pause.
    Repeats { sql: String, pause: Duration },
    /// Executes statements once and holds what they hold.
    Holds(String),
    /// Nothing.
    Idles,
}

/// Sessions in a thread of their own.
pub struct Sessions {
    ended: Arc<AtomicBool>,
}

impl Sessions {
    /// Begins so many, and waits until they are connected and what they hold is held.
    pub fn start(conninfo: &str, number: u64, doing: &Doing) -> Self {
        let ended = Arc::new(AtomicBool::new(false));
        let (begun, begins) = mpsc::channel();
        let (conninfo, doing, seen) = (conninfo.to_owned(), doing.clone(), ended.clone());
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let mut clients = Vec::new();
                for _ in 0..number {
                    let (client, connection) = tokio_postgres::connect(&conninfo, NoTls).await.expect("connected");
                    tokio::spawn(connection);
                    clients.push(client);
                }
                if let Doing::Holds(sql) = &doing {
                    clients[0].batch_execute(&format!("BEGIN; {sql}")).await.expect("held");
                }
                begun.send(()).expect("somebody waits for it");
                repeat_until_ended(&clients, &doing, &seen).await;
            });
        });
        begins.recv_timeout(BEGUN_WITHIN).expect("the session begins");
        Self { ended }
    }
}

async fn repeat_until_ended(clients: &[Client], doing: &Doing, ended: &AtomicBool) {
    while !ended.load(Ordering::Relaxed) {
        match doing {
            Doing::Repeats { sql, pause } => {
                for statement in sql.split("; ") {
                    // Whatever comes of it: a conflict with the load is what is wanted.
                    let _outcome = clients[0].batch_execute(statement).await;
                }
                tokio::time::sleep(*pause).await;
                if clients[0].is_closed() {
                    return;
                }
            }
            Doing::Holds(_) | Doing::Idles => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

impl Drop for Sessions {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
    }
}
