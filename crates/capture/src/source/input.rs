//! One file as a stream of bytes, decompressed where its first bytes say that it is compressed.

use std::fs::File;
use std::io::{Cursor, Read};
use std::path::Path;

/// Opens a file of a log.
pub(crate) fn open_log(path: &Path) -> std::io::Result<Box<dyn Read>> {
    let mut file = File::open(path)?;
    let mut begin = Vec::new();
    file.by_ref().take(4).read_to_end(&mut begin)?;
    let is_gzip = begin.starts_with(&[0x1f, 0x8b]);
    let is_zstd = begin.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]);
    let whole = Cursor::new(begin).chain(file);
    if is_gzip {
        return Ok(Box::new(flate2::read::MultiGzDecoder::new(whole)));
    }
    if is_zstd {
        return Ok(Box::new(zstd::stream::read::Decoder::new(whole)?));
    }
    Ok(Box::new(whole))
}
