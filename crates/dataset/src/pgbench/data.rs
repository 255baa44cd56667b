//! What data set is asked for: the scale and the fill factor of the pgbench schema. Checked when made, so that
//! everything after can rely on it; needs no server.

use std::num::NonZeroU32;

use crate::DatasetError;

/// From this scale on `aid` is a `bigint`, as in pgbench (`SCALE_32BIT_THRESHOLD`).
const WIDE_AID_FROM_SCALE: u32 = 20_000;

/// `tid` is a 32-bit integer and there are ten tellers per branch.
const SCALE_AT_MOST: u32 = i32::MAX.unsigned_abs() / 10;

/// A data set with the schema of `pgbench -i`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PgbenchData {
    scale: NonZeroU32,
    fillfactor: u8,
}

impl PgbenchData {
    /// 100 000 accounts per unit of `scale` (about 15 MiB with their key) and pages filled to 100 %, as `pgbench -i
    /// -s`.
    ///
    /// # Errors
    /// [`DatasetError::Scale`] when the keys of that many tellers do not fit pgbench's columns.
    pub fn new(scale: NonZeroU32) -> Result<Self, DatasetError> {
        if scale.get() > SCALE_AT_MOST {
            return Err(DatasetError::Scale { scale: scale.get(), at_most: SCALE_AT_MOST });
        }
        Ok(Self { scale, fillfactor: 100 })
    }

    /// The same with pages filled to `percent`, as `pgbench -i -F`.
    ///
    /// # Errors
    /// [`DatasetError::Fillfactor`] outside 10 to 100, which is what the server takes.
    pub fn with_fillfactor(self, percent: u8) -> Result<Self, DatasetError> {
        if !(10..=100).contains(&percent) {
            return Err(DatasetError::Fillfactor { percent });
        }
        Ok(Self { fillfactor: percent, ..self })
    }

    /// Branches; everything else is a multiple of it.
    pub fn scale_factor(&self) -> NonZeroU32 {
        self.scale
    }

    /// How full a page is made, in percent.
    pub fn fillfactor_percent(&self) -> u8 {
        self.fillfactor
    }

    /// What the mark says of it.
    pub(crate) fn marker_identity(&self) -> String {
        format!("schema=pgbench scale={} fillfactor={}", self.scale, self.fillfactor)
    }

    /// Whether `aid` needs 64 bits.
    pub(super) fn wide_aid(&self) -> bool {
        self.scale.get() >= WIDE_AID_FROM_SCALE
    }

    /// Roughly what the tables and their keys take on disk, in MiB. The server writes about as much WAL besides.
    pub(crate) fn size_mib(&self) -> u64 {
        u64::from(self.scale.get()) * 15 * 100 / u64::from(self.fillfactor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(n: u32) -> Result<PgbenchData, DatasetError> {
        PgbenchData::new(NonZeroU32::new(n).expect("not zero"))
    }

    #[test]
    fn aid_is_wide_from_scale_20000_on() {
        assert!(!scale(19_999).unwrap().wide_aid());
        assert!(scale(20_000).unwrap().wide_aid());
    }

    #[test]
    fn a_scale_whose_teller_keys_would_overflow_is_refused() {
        assert!(scale(214_748_364).is_ok());
        let error = scale(214_748_365).unwrap_err();
        assert_eq!(error.to_string(), "scale 214748365 is too large for the pgbench schema");
    }

    #[test]
    fn a_fillfactor_that_the_server_would_refuse_is_refused() {
        for (percent, fits) in [(9, false), (10, true), (100, true), (101, false)] {
            assert_eq!(scale(1).unwrap().with_fillfactor(percent).is_ok(), fits, "{percent}");
        }
    }
}
