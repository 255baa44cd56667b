//! Whether what a plan makes has room on the disks, before any of it is made: images of file systems and the data of
//! the workloads.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use plan::{Plan, Reach};
use server::{Environment, image};
use tokio_postgres::Client;

use super::machine::parent_of_data;
use super::member::Member;
use problem::Problem;

/// The largest share of a disk's free space that images may take.
const SHARE_OF_FREE: f64 = 0.8;

/// What is wanted of one disk of this machine.
struct WantedSpace {
    /// The number of the file system.
    device: u64,
    /// A directory on it.
    directory: PathBuf,
    free_bytes: u64,
    image_bytes: u64,
    data_bytes: u64,
}

/// What a run of this plan would be refused for on this machine: which disk, what is wanted and what is free there.
pub fn lack_of_room(plan: &Plan, executable: PathBuf) -> Option<Problem> {
    check_disk_room(plan, &Environment::of_this_process(executable)).err()
}

/// Whether the disks of this machine have room for the servers that are made on it.
pub(super) fn check_disk_room(plan: &Plan, environment: &Environment) -> Result<(), Problem> {
    let mut disks: Vec<WantedSpace> = Vec::new();
    for planned in &plan.targets {
        let Reach::Local(local) = &planned.reach else { continue };
        let image = planned.machine.filesystem.map(|filesystem| filesystem.size.size_bytes());
        // What an earlier run has kept there needs no more room.
        if image.is_none() && local.data_directory.as_deref().is_some_and(holds_something) {
            continue;
        }
        let disk = match disk_of(&mut disks, parent_of_data(planned, environment)) {
            Ok(disk) => disk,
            // The server's start tells what is wrong with the directory.
            Err(_) if image.is_none() => continue,
            Err(problem) => return Err(problem),
        };
        match image {
            Some(bytes) => disk.image_bytes += bytes,
            None => disk.data_bytes += plan.data_bytes(),
        }
    }
    disks.iter().try_for_each(WantedSpace::check_fits)
}

fn holds_something(directory: &Path) -> bool {
    fs::read_dir(directory).is_ok_and(|mut entries| entries.next().is_some())
}

/// The disk of a directory, which is looked at once.
fn disk_of(disks: &mut Vec<WantedSpace>, directory: PathBuf) -> Result<&mut WantedSpace, Problem> {
    let unread = |error: std::io::Error| {
        Problem::could_not_measure(format!("could not read the free space of {}", directory.display()))
            .detail(error.to_string())
            .hint("create the directory")
    };
    let device = fs::metadata(&directory).map_err(unread)?.dev();
    let place = match disks.iter().position(|disk| disk.device == device) {
        Some(place) => place,
        None => {
            let free_bytes = image::free_bytes(&directory).map_err(unread)?;
            disks.push(WantedSpace { device, directory, free_bytes, image_bytes: 0, data_bytes: 0 });
            disks.len() - 1
        }
    };
    Ok(&mut disks[place])
}

impl WantedSpace {
    fn check_fits(&self) -> Result<(), Problem> {
        let Self { directory, free_bytes, image_bytes, data_bytes, .. } = self;
        let free = format_gib(*free_bytes);
        let detail = if *image_bytes as f64 > SHARE_OF_FREE * *free_bytes as f64 {
            let images = format_gib(*image_bytes);
            format!("the images need {images} GiB and may use at most 80 % of the {free} GiB that are free")
        } else if image_bytes + data_bytes > *free_bytes {
            let [images, data] = [*image_bytes, *data_bytes].map(format_gib);
            format!("the data of the workloads need about {data} GiB, images {images} GiB, and {free} GiB are free")
        } else {
            return Ok(());
        };
        Err(Problem::could_not_measure(format!("not enough space in {}", directory.display()))
            .detail(detail)
            .hint("reduce the sizes, or move `data_directory` (or TMPDIR) to another disk"))
    }
}

/// Whether the disk of a server that is there has room for the data that are not; where nobody knows it, they are made.
pub(super) async fn check_found(plan: &Plan, member: &Member, client: &Client) -> Result<(), Problem> {
    const SQL: &str = "
        SELECT coalesce(sum(pg_database_size(oid)), 0)::bigint FROM pg_database
         WHERE (datname = current_database() OR datname LIKE 'pgdyno\\_%') AND has_database_privilege(oid, 'CONNECT')";
    let disk = member.facts.host.as_ref().and_then(|host| host.data_disk.as_ref());
    let Some(free_bytes) = disk.map(|disk| disk.free_bytes) else { return Ok(()) };
    let row = client.query_one(SQL, &[]).await.map_err(|error| {
        Problem::could_not_measure(format!("target {:?}: could not read the size of its databases", member.name))
            .detail(error.to_string())
    })?;
    let there = row.get::<_, i64>(0).unsigned_abs();
    if plan.data_bytes().saturating_sub(there) <= free_bytes {
        return Ok(());
    }
    let [data, there, free] = [plan.data_bytes(), there, free_bytes].map(format_gib);
    Err(Problem::could_not_measure(format!("target {:?}: not enough space on the disk of its data", member.name))
        .detail(format!(
            "the data of the workloads need about {data} GiB, its databases have {there} GiB so far, and {free} GiB are free"
        ))
        .hint("reduce the sizes, or use a larger disk"))
}

fn format_gib(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / (1_u64 << 30) as f64)
}
