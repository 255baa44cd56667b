//! Managed services, known by the roles of their administrators, and what their documentation says that they do not
//! give. Only what is certain is said.

use server::rights::RoleRights;

/// A managed service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ManagedService {
    /// Its name.
    pub(super) name: &'static str,
    /// The role of its administrators.
    pub(super) role: &'static str,
    /// Whether the role that asks is a member of that.
    pub(super) is_member: bool,
    /// What it does not give, and where the same is found instead.
    pub(super) limits: &'static [&'static str],
}

const RDS: &[&str] = &[
    "No superuser and no access to the host: figures of its CPUs, memory and disks stay unknown to pgdyno.",
    "Settings of the server are those of its DB parameter group; ALTER SYSTEM is not available.",
    "The server's log is read in the console or by the AWS CLI.",
];

const CLOUD_SQL: &[&str] = &[
    "No superuser and no access to the host: figures of its CPUs, memory and disks stay unknown to pgdyno.",
    "Settings of the server are set as database flags of the instance.",
    "The server's log is in Cloud Logging.",
];

const ALLOYDB: &[&str] = &[
    "No superuser and no access to the host: figures of its CPUs, memory and disks stay unknown to pgdyno.",
    "Settings of the server are set as database flags of the instance.",
];

const AZURE: &[&str] = &[
    "No superuser and no access to the host: figures of its CPUs, memory and disks stay unknown to pgdyno.",
    "Settings of the server are its server parameters, in the portal or by the Azure CLI.",
    "The server's log is in the server logs of the portal, or in Azure Monitor.",
];

/// The service that a server belongs to, if it is one of those that are known.
pub(super) fn service_of_rights(rights: &RoleRights) -> Option<ManagedService> {
    let (role, is_member) = rights.service_roles.iter().next()?;
    let (name, role, limits) = match role.as_str() {
        "rds_superuser" if rights.is_aurora => ("Amazon Aurora", "rds_superuser", RDS),
        "rds_superuser" => ("Amazon RDS", "rds_superuser", RDS),
        "cloudsqlsuperuser" => ("Cloud SQL", "cloudsqlsuperuser", CLOUD_SQL),
        "alloydbsuperuser" => ("AlloyDB", "alloydbsuperuser", ALLOYDB),
        "azure_pg_admin" => ("Azure Database for PostgreSQL", "azure_pg_admin", AZURE),
        _ => return None,
    };
    Some(ManagedService { name, role, is_member: *is_member, limits })
}
