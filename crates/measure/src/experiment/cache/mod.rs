//! What is in the caches when a trial begins: nothing, as much as has room, or what the trials before have left.

mod warm;

use std::path::Path;

use plan::Cache;
use results::trial::Preparation;

use super::member::Member;
use problem::Problem;

/// Brings the caches to where a trial of this kind begins; returns what was done.
pub(super) async fn prepare_caches(member: &mut Member, cache: Cache) -> Result<Option<Preparation>, Problem> {
    match cache {
        Cache::AsIs => Ok(None),
        Cache::Cold => cool_caches(member).await.map(Some),
        Cache::Warm => warm::warm_caches(member).await.map(|done| Some(Preparation::WarmCache(done))),
    }
}

/// Restarts the server, which empties its own cache, and puts its files out of the kernel's.
async fn cool_caches(member: &mut Member) -> Result<Preparation, Problem> {
    let problem = |what: &str| Problem::could_not_measure(format!("target {:?}: {what}", member.name));
    let directory = member.target.data_directory().filter(|_| member.target.can_restart()).map(Path::to_owned);
    let Some(directory) = directory else {
        return Err(problem("a cold cache needs a server that pgdyno creates"));
    };
    member.target.restart_as_it_is().await?;
    let evicted = tokio::task::spawn_blocking(move || server::page_cache::evict_directory(&directory)).await;
    let evicted = evicted.map_err(std::io::Error::from).flatten();
    let evicted_bytes = evicted.map_err(|error| {
        Problem::could_not_measure(format!("target {:?}: could not evict its files from the page cache", member.name))
            .detail(error.to_string())
            .hint("run pgdyno as the user of the server, or as root")
    })?;
    Ok(Preparation::ColdCache { evicted_bytes })
}
