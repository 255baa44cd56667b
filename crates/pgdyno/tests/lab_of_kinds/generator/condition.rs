//! What a condition is: plain data, of which the lab makes servers, and of which it knows what a good answer says.

/// A condition that was drawn: what both sides have, and what only the injured one has.
pub struct Condition {
    /// What it was drawn from.
    pub seed: u64,
    /// The load and the tables that it runs on.
    pub base: Base,
    /// What was injected, none in a control.
    pub injections: Vec<Injection>,
    /// Whether the injured side is the baseline.
    pub injured_is_baseline: bool,
    /// Whether the load logs in as a role that is no superuser.
    pub plain_role: bool,
}

/// The shape of the statements of a load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One row by its key.
    Point,
    /// Rows of a value that is indexed, aggregated.
    ByReference,
    /// Rows counted by an index alone.
    CountOnly,
    /// A range of time.
    Range,
    /// The newest rows of a value.
    Newest,
    /// Groups over the whole table.
    Aggregate,
    /// A join of several tables.
    Join,
    /// A text looked up by its begin.
    Prefix,
    /// A text looked up in lower case.
    Lower,
    /// Conditions on columns that depend on each other.
    Correlated,
    /// Rows sorted by a text.
    Sort,
    /// An answer of many bytes.
    BigResult,
    /// An answer of many columns.
    ManyColumns,
    /// Rows through a view.
    View,
    /// A function that is called for each row.
    FunctionOfRow,
    /// A function that executes statements.
    FunctionCall,
    /// A condition on the value of a function.
    FunctionInCondition,
    /// A cursor that is read in parts.
    Cursor,
    /// A foreign table.
    Foreign,
    /// One row inserted.
    Insert,
    /// Several rows inserted by one statement.
    InsertMany,
    /// One row updated by its key.
    Update,
    /// A row inserted or updated.
    Upsert,
    /// A row deleted and inserted again.
    DeleteInsert,
    /// A row taken from a queue with SKIP LOCKED.
    Queue,
    /// Several statements and a savepoint in a transaction.
    Savepoint,
    /// A temporary table.
    TemporaryTable,
    /// NOTIFY.
    Notify,
}

/// Tables, their rows and the load.
pub struct Base {
    /// The shape of the statements.
    pub shape: Shape,
    /// The names of the tables and columns.
    pub names: Names,
    /// Rows of the main table.
    pub rows: u64,
    /// Rows of the table that it refers to.
    pub other_rows: u64,
    /// Characters of its widest column.
    pub width: u64,
    /// The statements that make tables and rows.
    pub sql: Vec<String>,
    /// The script of the load.
    pub script: String,
    /// Clients.
    pub clients: u64,
    /// The query mode of the load.
    pub mode: &'static str,
    /// Whether the load connects for each transaction.
    pub reconnects: bool,
}

/// How tables and columns are called.
#[derive(Clone)]
pub struct Names {
    /// The main table.
    pub table: &'static str,
    /// The table that it refers to.
    pub other: &'static str,
    /// The column that refers to it.
    pub reference: &'static str,
    /// A small number.
    pub state: &'static str,
    /// An amount.
    pub amount: &'static str,
    /// An instant.
    pub instant: &'static str,
    /// A short text.
    pub label: &'static str,
    /// A longer text.
    pub note: &'static str,
}

/// One injected cause.
pub struct Injection {
    /// Its kind, a few of which have many causes.
    pub kind: &'static str,
    /// The cause in words.
    pub cause: String,
    /// A good answer has all words of one of these.
    pub facts: Vec<Vec<String>>,
    /// What its consequences are about; a first finding about nothing of it is false.
    pub about: &'static [Matter],
    /// What both sides are to have for it.
    pub both: Part,
    /// What the sound side has.
    pub sound: Part,
    /// What the injured side has.
    pub injured: Part,
}

/// What a finding can be about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matter {
    /// CPU time and waiting for it.
    Cpu,
    /// Reads and writes of disks.
    Disk,
    /// The write-ahead log, commits and checkpoints.
    Wal,
    /// Locks of rows, tables and others.
    Lock,
    /// The route between client and server.
    Network,
    /// Connections and logins.
    Client,
    /// Plans and what they read.
    Plan,
    /// Memory, caches and temporary files.
    Memory,
    /// Dead rows, bloat and snapshots.
    Vacuum,
    /// What is executed for a row or a statement: functions, triggers, constraints.
    Execution,
    /// Replication and its slots.
    Replication,
}

/// What is done to one side.
#[derive(Default, Clone)]
pub struct Part {
    /// Lines of its `postgresql.conf`.
    pub settings: Vec<String>,
    /// Statements after the tables are made and before they are analysed.
    pub sql: Vec<String>,
    /// Statements after that.
    pub late_sql: Vec<String>,
    /// Options of the connections of the load, as `name=value` of a connection string.
    pub connection: Vec<String>,
    /// What is done outside the server.
    pub outside: Vec<Outside>,
}

/// What is done outside the server's tables and settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outside {
    /// A quota of CPU time for the server, in percent of one CPU.
    CpuQuota(u64),
    /// CPU shares of the server's control group.
    CpuShares(u64),
    /// The one CPU that the server may use.
    OneCpu(u64),
    /// The nice value of the server.
    Nice(u64),
    /// A limit of the server's memory, page cache included, in MB.
    MemoryMb(u64),
    /// Writes to the disk per second.
    WritesPerSecond(u64),
    /// Reads and writes to the disk, each in MB per second.
    DiskMbPerSecond(u64),
    /// Programs that compute for ever, on one CPU if it is given, with a nice value.
    Hogs { programs: u64, cpu: Option<u64>, nice: u64 },
    /// A session that repeats a statement, with a pause in ms.
    Repeat { sql: String, pause_ms: u64 },
    /// A session that executes this, and then idles in its transaction.
    Hold(String),
    /// A program for clients with arguments, started anew when it ends.
    Program { name: &'static str, arguments: Vec<String>, again: bool },
    /// Sessions that idle.
    IdleSessions(u64),
    /// The load goes over TCP.
    Tcp,
    /// The load goes over TCP and a proxy in this process.
    Proxy(Delay),
    /// Packets of the server that are lost, in tenths of a percent.
    LossPerMille(u64),
    /// The size of packets on the route.
    Mtu(u64),
    /// The load goes through PgBouncer, which has so many connections to the server.
    Pooler(u64),
    /// Connections are encrypted.
    Tls,
    /// The load logs in by SCRAM with a password hashed so many times.
    ScramIterations(u64),
    /// Lines of `pg_hba.conf` that are about others, before the right one.
    HbaLines(u64),
}

/// What a proxy does to the answers of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delay {
    /// Nothing.
    None,
    /// Holds each one back for so many microseconds.
    Each(u64),
    /// Holds those of more than so many bytes back for so many microseconds.
    Big { over: u64, micros: u64 },
    /// Passes at most so many kB per second.
    Rate(u64),
    /// Holds one of so many back for 200 ms, as a packet that was lost.
    Some(u64),
}

impl Injection {
    /// A cause without effects yet.
    pub fn new(kind: &'static str, cause: String, facts: &[&[&str]], about: &'static [Matter]) -> Self {
        let mut owned = Vec::new();
        for words in facts {
            owned.push(words.iter().map(|word| (*word).to_owned()).collect());
        }
        let nothing = Part::default;
        Self { kind, cause, facts: owned, about, both: nothing(), sound: nothing(), injured: nothing() }
    }

    /// Statements for the injured side.
    pub fn with_sql(mut self, sql: &str) -> Self {
        self.injured.sql.push(sql.to_owned());
        self
    }

    /// Statements for the sound side.
    pub fn with_sound_sql(mut self, sql: &str) -> Self {
        self.sound.sql.push(sql.to_owned());
        self
    }

    /// Statements for both sides.
    pub fn with_sql_of_both(mut self, sql: &str) -> Self {
        self.both.sql.push(sql.to_owned());
        self
    }

    /// Statements for the injured side, after the tables are analysed.
    pub fn with_late_sql(mut self, sql: &str) -> Self {
        self.injured.late_sql.push(sql.to_owned());
        self
    }

    /// A line of the injured side's `postgresql.conf`.
    pub fn with_setting(mut self, line: &str) -> Self {
        self.injured.settings.push(line.to_owned());
        self
    }

    /// A line of the `postgresql.conf` of both sides.
    pub fn with_setting_of_both(mut self, line: &str) -> Self {
        self.both.settings.push(line.to_owned());
        self
    }

    /// Something outside the injured server.
    pub fn with_outside(mut self, outside: Outside) -> Self {
        self.injured.outside.push(outside);
        self
    }

    /// Something outside the sound server.
    pub fn with_sound_outside(mut self, outside: Outside) -> Self {
        self.sound.outside.push(outside);
        self
    }

    /// Something outside both servers.
    pub fn with_outside_of_both(mut self, outside: Outside) -> Self {
        self.both.outside.push(outside);
        self
    }
}
