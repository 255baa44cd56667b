//! The options of `kubernetes`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use plan::{FromSecret, Quantity};

/// The commands about Kubernetes.
#[derive(Debug, Subcommand)]
pub enum KubernetesCommand {
    /// Print the Role that the targets of a plan need, and no more, as manifests for `kubectl apply`.
    Rights {
        /// The plan.
        plan: PathBuf,
        /// Ask the API server instead which of the rights you do not have, and say what each costs.
        #[arg(long)]
        check: bool,
        /// Print also this service account and what gives it the rights: the one that `kubernetes run` is to have.
        #[arg(long, value_name = "NAME", conflicts_with = "check")]
        service_account: Option<String>,
    },
    /// Have a plan executed inside the cluster: a Job with the whole of pgdyno, its run directory on a volume. Returns
    /// when it has begun; nothing is lost when this machine sleeps.
    Run(Box<InsideArgs>),
    /// Show what a run inside the cluster says, from its beginning until its end; ends with its exit status.
    Attach(NamedArgs),
    /// Copy the run directory of a run inside the cluster here, in chunks that are held against their checksums.
    Fetch {
        /// The run.
        #[command(flatten)]
        run: NamedArgs,
        /// Directory under which the run directory is made.
        #[arg(long, value_name = "DIR", default_value = "runs")]
        runs: PathBuf,
    },
    /// Remove a run inside the cluster, its volume included. One that goes on is stopped and removes what it made.
    Delete(NamedArgs),
}

/// Where the objects of a run are.
#[derive(Debug, Args)]
pub struct PlaceArgs {
    /// The namespace [default: that of the context].
    #[arg(long, short)]
    pub namespace: Option<String>,
    /// The context of the kubeconfig [default: the current one].
    #[arg(long)]
    pub context: Option<String>,
}

/// A run inside the cluster.
#[derive(Debug, Args)]
pub struct NamedArgs {
    /// Its name, as `kubernetes run` printed it.
    pub name: String,
    /// Where it is.
    #[command(flatten)]
    pub place: PlaceArgs,
}

/// Options of `kubernetes run`.
#[derive(Debug, Args)]
pub struct InsideArgs {
    /// The plan; it and the scripts that it names travel in a ConfigMap.
    pub plan: PathBuf,
    /// Where its objects are made; targets that name no namespace are looked for there, too.
    #[command(flatten)]
    pub place: PlaceArgs,
    /// An image with pgdyno and sh, such as `make image` builds.
    #[arg(long, default_value = plan::Volume::IMAGE)]
    pub image: String,
    /// The service account whose rights it has there: `kubernetes rights PLAN --service-account NAME` prints it.
    #[arg(long, value_name = "NAME", default_value = "pgdyno")]
    pub service_account: String,
    /// The node that it runs on [default: the scheduler's choice].
    #[arg(long, conflicts_with = "node_selector")]
    pub node: Option<String>,
    /// Labels of the node that it runs on, such as role=load; may be given several times.
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_label)]
    pub node_selector: Vec<(String, String)>,
    /// So many whole CPUs for pgdyno alone, as requests and limits [default: shared with others, without a limit].
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub cpus: Option<u32>,
    /// Set a variable of pgdyno to the key of a Secret, such as PGPASSWORD=db-login/password; may be given several
    /// times.
    #[arg(long, value_name = "VARIABLE=SECRET/KEY")]
    pub env: Vec<FromSecret>,
    /// The class of the volume for the run directory [default: that of the cluster].
    #[arg(long, value_name = "CLASS")]
    pub storage_class: Option<String>,
    /// Size of the volume.
    #[arg(long, value_name = "QUANTITY", default_value = "5Gi")]
    pub size: Quantity,
    /// Seed of the order and of the workloads' random numbers [default: the plan's, else from the system].
    #[arg(long)]
    pub seed: Option<u64>,
    /// Make nothing, and print every object that would be made.
    #[arg(long)]
    pub dry_run: bool,
}

fn parse_label(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("it has to be KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}
