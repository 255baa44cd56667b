//! The same connection for another program that uses libpq: where the server is, as arguments that anybody may see, and
//! an environment that holds the rest.

use super::parameters::PARAMETERS;
use super::{ConnInfo, ParameterValues, ServerHost};

/// What is said about encryption and the choice of hosts, as environment variables.
pub(super) fn encryption_variables(values: &ParameterValues, over_tcp: bool) -> Vec<(&'static str, String)> {
    let told = PARAMETERS.iter().filter(|parameter| {
        let of_tls = parameter.name.starts_with("ssl") && over_tcp;
        of_tls
            || ["channel_binding", "target_session_attrs", "load_balance_hosts", "hostaddr"].contains(&parameter.name)
    });
    told.filter_map(|parameter| Some((parameter.variable?, values.get(parameter.name)?.clone()))).collect()
}

impl ConnInfo {
    /// Hosts and ports as libpq takes them, several with commas between them; the host of a unix socket is its
    /// directory.
    #[must_use]
    pub fn host_and_port(&self) -> (String, String) {
        let hosts = self.all_hosts().map(|(host, _)| match host {
            ServerHost::Unix(directory) => directory.display().to_string(),
            ServerHost::Tcp { name, .. } => name.clone(),
        });
        let hosts: Vec<String> = hosts.collect();
        let ports: Vec<String> = self.all_hosts().map(|(_, port)| port.to_string()).collect();
        (hosts.join(","), ports.join(","))
    }

    /// Everything that libpq has to be told beside host, port, user and database, for the environment of a program and
    /// for nothing else: the password is there.
    #[must_use]
    pub fn libpq_environment(&self) -> Vec<(&'static str, String)> {
        let mut all = self.libpq.clone();
        all.push(("PGAPPNAME", self.application_name.clone()));
        all.push(("PGGSSENCMODE", "disable".to_owned()));
        // Else libpq looks for a password of its own in ~/.pgpass; it passes over a file that does not exist.
        all.push(("PGPASSFILE", "/dev/null/none".to_owned()));
        all.extend(self.password.as_ref().map(|password| ("PGPASSWORD", password.expose_secret().to_owned())));
        all.extend(self.options.as_ref().map(|options| ("PGOPTIONS", options.clone())));
        all
    }
}
