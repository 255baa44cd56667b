//! How the load reaches a side: the connection string that the plan has.

/// The parts of a connection string.
pub struct Route {
    /// A directory of a socket, or an address.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The role.
    pub user: &'static str,
    /// Further parts `name=value`.
    pub more: Vec<String>,
}

impl Route {
    /// The target of a plan, as its mapping.
    pub fn target(&self, pooler: Option<u16>) -> String {
        let Self { host, port, user, .. } = self;
        let mut url = format!("host={host} port={port} user={user} dbname=app");
        for one in &self.more {
            url.push(' ');
            url.push_str(one);
        }
        let pooler = pooler.map_or(String::new(), |port| {
            format!(", pooler: {{ url: \"postgresql://postgres@127.0.0.1:{port}/pgbouncer\" }}")
        });
        format!("{{ url: \"{url}\"{pooler} }}")
    }
}
