//! Sets up the pgbench data of one scale and says how long each phase took: `setup CONNINFO SCALE`.
//!
//! For comparing with `pgbench -i -s SCALE` on the same server; drops tables of ours first, never those of others.

use std::env::args;
use std::error::Error;
use std::num::NonZeroU32;
use std::time::Instant;

use control::Config;
use dataset::{Data, DatasetError, DatasetProgress, Ownership, PgbenchData, drop_owned, ensure_dataset};
use load::StopRequest;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let (Some(conninfo), Some(scale)) = (args().nth(1), args().nth(2)) else {
        return Err("usage: setup CONNINFO SCALE".into());
    };
    if let Err(error) = set_up(&conninfo.parse::<tokio_postgres::Config>()?.into(), scale.parse()?).await {
        return Err(format!("{error}: {}", error.detail().unwrap_or_default()).into());
    }
    Ok(())
}

async fn set_up(config: &Config, scale: NonZeroU32) -> Result<(), DatasetError> {
    let stop = StopRequest::new();
    let data = Data::from(PgbenchData::new(scale)?);
    let begun = Instant::now();
    drop_owned(config, &stop).await?;
    println!("{:>8.3} s  Dropping", begun.elapsed().as_secs_f64());
    let mut phase = (DatasetProgress::Checking, Instant::now());
    ensure_dataset(config, &data, Ownership::Managed, &stop, &mut |progress| {
        if !same_phase(&phase.0, &progress) {
            println!("{:>8.3} s  {:?}", phase.1.elapsed().as_secs_f64(), phase.0);
            phase.1 = Instant::now();
        }
        phase.0 = progress;
    })
    .await?;
    println!("{:>8.3} s  in all", begun.elapsed().as_secs_f64());
    Ok(())
}

fn same_phase(a: &DatasetProgress, b: &DatasetProgress) -> bool {
    match (a, b) {
        (DatasetProgress::Copying { table: a, .. }, DatasetProgress::Copying { table: b, .. }) => a == b,
        (a, b) => a == b,
    }
}
