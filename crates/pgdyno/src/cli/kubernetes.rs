//! The options of `kubernetes`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use plan::{FromSecret, KubernetesQuantity};

/// The commands about Kubernetes.
#[derive(Debug, Subcommand)]
pub enum KubernetesCommand {
    /// Print a Role with exactly the rights that the targets of a plan need, for `kubectl apply`.
    Rights {
        /// Plan file.
        plan: PathBuf,
        /// Ask the API server which of these rights you lack, and print what is lost without each.
        #[arg(long)]
        check: bool,
        /// Also print this service account and a RoleBinding for it; `kubernetes run` uses it.
        #[arg(long, value_name = "NAME", conflicts_with = "check")]
        service_account: Option<String>,
    },
    /// Execute a plan inside the cluster, as a Job with its run directory on a volume. Returns when the Job has
    /// started; the run continues without this machine.
    Run(Box<InsideArgs>),
    /// Print the output of a run inside the cluster from its start to its end, and exit with its status.
    Attach(NamedArgs),
    /// Copy the run directory of a run inside the cluster to this machine; checksums are verified.
    Fetch {
        /// Run inside the cluster.
        #[command(flatten)]
        run: NamedArgs,
        /// Directory in which the run directory is created.
        #[arg(long, value_name = "DIR", default_value = "runs")]
        runs: PathBuf,
    },
    /// Remove a run inside the cluster and its volume. A run in progress is stopped and removes the objects it created.
    Delete(NamedArgs),
}

/// Where the objects of a run are.
#[derive(Debug, Args)]
pub struct PlaceArgs {
    /// Namespace [default: the namespace of the context].
    #[arg(long, short)]
    pub namespace: Option<String>,
    /// Context of the kubeconfig [default: the current context].
    #[arg(long)]
    pub context: Option<String>,
}

/// A run inside the cluster.
#[derive(Debug, Args)]
pub struct NamedArgs {
    /// Name of the run, as `kubernetes run` printed it.
    pub name: String,
    /// Where it is.
    #[command(flatten)]
    pub place: PlaceArgs,
}

/// Options of `kubernetes run`.
#[derive(Debug, Args)]
pub struct InsideArgs {
    /// Plan file; it and its scripts are stored in a ConfigMap.
    pub plan: PathBuf,
    /// Where its objects are made; targets that name no namespace are looked for there, too.
    #[command(flatten)]
    pub place: PlaceArgs,
    /// Container image with pgdyno and sh, such as `make image` builds.
    #[arg(long, default_value = plan::Volume::IMAGE)]
    pub image: String,
    /// Service account of the Job; `kubernetes rights PLAN --service-account NAME` prints its manifest.
    #[arg(long, value_name = "NAME", default_value = "pgdyno")]
    pub service_account: String,
    /// Node of the Job [default: chosen by the scheduler].
    #[arg(long, conflicts_with = "node_selector")]
    pub node: Option<String>,
    /// Label of the nodes that the Job may run on, such as role=load; may be given several times.
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_label)]
    pub node_selector: Vec<(String, String)>,
    /// Number of CPUs, as request and limit of the container [default: no request and no limit].
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub cpus: Option<u32>,
    /// Set an environment variable from the key of a Secret, such as PGPASSWORD=db-login/password; may be given several
    /// times.
    #[arg(long, value_name = "VARIABLE=SECRET/KEY")]
    pub env: Vec<FromSecret>,
    /// Storage class of the volume for the run directory [default: the default class of the cluster].
    #[arg(long, value_name = "CLASS")]
    pub storage_class: Option<String>,
    /// Size of the volume for the run directory.
    #[arg(long, value_name = "QUANTITY", default_value = "5Gi")]
    pub size: KubernetesQuantity,
    /// Seed of the trial order and of the random numbers of the workloads [default: the plan's, else random].
    #[arg(long)]
    pub seed: Option<u64>,
    /// Print the manifests of all objects, and create nothing.
    #[arg(long)]
    pub dry_run: bool,
}

fn parse_label(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("the value must have the form KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}
