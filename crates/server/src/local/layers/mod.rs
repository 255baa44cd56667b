//! What stands between the load and a local server besides a socket, built and taken down by the server's supervisor: a
//! certificate, a network namespace behind a veth pair with a DNAT rule, a PgBouncer, a control group.
//!
//! All of it ends with the supervisor, however that ends: processes die with it, a namespace and its veth pair with the
//! last process in it. Only an empty control group can stay after kill -9; the next supervisor removes it.

mod certificate;
mod cpu_group;
mod namespace;
mod network_limits;
mod pooler;
mod program;

use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

pub(crate) use cpu_group::limit_cpus;

use super::account::SystemAccount;
use super::failure::Failure;
use super::protocol::SupervisorStart;
use cpu_group::{CpuGroup, enroll_process_in_group};
use namespace::Namespace;
use pooler::RunningPooler;

/// What has been built, as pgdyno needs to know it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Built {
    /// The namespace of the load.
    pub(crate) namespace: Option<NamespacePlace>,
    /// The port of PgBouncer on all addresses.
    pub(crate) pooler_port: Option<u16>,
    /// How PgBouncer lends its connections.
    pub(crate) pool_mode: Option<String>,
    /// The directory of the control group.
    pub(crate) cpu_group: Option<PathBuf>,
}

/// Where the load's namespace is, and what it reaches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NamespacePlace {
    /// The file that stands for it.
    pub(crate) file: PathBuf,
    /// This machine's address at the other end of the veth pair.
    pub(crate) host: Ipv4Addr,
    /// The address that a DNAT rule replaces by it.
    pub(crate) service: Ipv4Addr,
    /// The address of the load.
    pub(crate) client: Ipv4Addr,
}

/// What stands beside one server.
pub(super) struct StandingLayers {
    certificate: Option<PathBuf>,
    namespace: Option<Namespace>,
    cpu_group: Option<CpuGroup>,
    /// Groups that limit the server, which are not made here.
    limiting_groups: Vec<PathBuf>,
    pooler: Option<RunningPooler>,
}

impl StandingLayers {
    /// Builds what the server itself needs before it starts.
    pub(super) fn build_layers(start: &SupervisorStart, run_directory: &Path) -> Result<Self, Failure> {
        let layers = start.layers;
        let certificate =
            layers.tls.then(|| certificate::write_certificate(run_directory, start.account)).transpose()?;
        Ok(Self {
            certificate,
            namespace: layers.namespace.then(|| Namespace::build_namespace(layers.network)).transpose()?,
            cpu_group: layers.cpu_group.then(CpuGroup::make_group).transpose()?,
            limiting_groups: start.control_groups.clone(),
            pooler: None,
        })
    }

    /// Settings of the server that follow from it.
    pub(super) fn server_settings(&self) -> Vec<(&'static str, String)> {
        let mut addresses = Ipv4Addr::LOCALHOST.to_string();
        if let Some(namespace) = &self.namespace {
            addresses.push_str(&format!(",{}", namespace.namespace_place().host));
        }
        let mut settings = vec![("listen_addresses", addresses)];
        if let Some(directory) = &self.certificate {
            settings.push(("ssl", "on".to_owned()));
            settings.push(("ssl_cert_file", directory.join(certificate::CERTIFICATE).display().to_string()));
            settings.push(("ssl_key_file", directory.join(certificate::KEY).display().to_string()));
        }
        settings
    }

    /// The address from which the load may log in, besides this machine's own.
    pub(super) fn client_address(&self) -> Option<Ipv4Addr> {
        self.namespace.as_ref().map(|namespace| namespace.namespace_place().client)
    }

    /// Takes in the processes of a server that has just been launched or is ready.
    pub(super) fn enroll_server_processes(&self, pid: u32) -> Result<(), Failure> {
        for group in &self.limiting_groups {
            enroll_process_in_group(group, pid)?;
        }
        self.cpu_group.as_ref().map_or(Ok(()), |group| group.enroll_process(pid))
    }

    /// Leads every route to the server that accepts connections at `port` now.
    pub(super) async fn connect_routes(
        &mut self,
        start: &SupervisorStart,
        run_directory: &Path,
        port: u16,
    ) -> Result<Built, Failure> {
        if let Some(pooler) = self.pooler.take() {
            pooler.stop_pooler().await;
        }
        if start.layers.pgbouncer {
            let host = self.namespace.as_ref().map(|namespace| namespace.namespace_place().host);
            let tls = self.certificate.as_deref();
            self.pooler = Some(RunningPooler::start_pooler(start, run_directory, port, host, tls).await?);
        }
        let pooler_port = self.pooler.as_ref().map(RunningPooler::listening_port);
        if let Some(namespace) = &self.namespace {
            namespace.forward_service_ports(port, pooler_port)?;
        }
        Ok(Built {
            namespace: self.namespace.as_ref().map(|namespace| namespace.namespace_place().clone()),
            pooler_port,
            pool_mode: self.pooler.as_ref().map(|pooler| pooler.pool_mode().to_owned()),
            cpu_group: self.cpu_group.as_ref().map(|group| group.group_path().to_owned()),
        })
    }

    /// Takes down what does not end with a process, after the server's processes have ended.
    pub(super) async fn take_down(self) -> Result<(), Failure> {
        if let Some(pooler) = self.pooler {
            pooler.stop_pooler().await;
        }
        drop(self.namespace);
        self.cpu_group.map_or(Ok(()), CpuGroup::remove_group)
    }
}

/// Who a program beside the server runs as: the server's own user.
fn as_user(command: &mut std::process::Command, account: Option<SystemAccount>) {
    use std::os::unix::process::CommandExt as _;
    if let Some(account) = account {
        command.uid(account.uid).gid(account.gid);
    }
}
