//! Arrays as VTK's zlib-compressed blocks: number of blocks, size of a block, size of the last one if it is shorter,
//! the compressed size of each, then the blocks. All sizes are 64-bit little-endian.

use super::Values;
use flate2::Compression;
use flate2::read::{ZlibDecoder, ZlibEncoder};
use moreau_files::Fault;
use rayon::prelude::*;
use std::io::Read;

/// Bytes of a block before compression: large enough to compress well, small enough to share among threads.
const BLOCK: usize = 1 << 18;

/// Appends the array to `file`.
pub(super) fn encode(values: &Values, level: u32, file: &mut Vec<u8>) -> std::io::Result<()> {
    let per_block = BLOCK / values.width();
    let count = values.len().div_ceil(per_block);
    let blocks: Vec<Vec<u8>> = (0..count)
        .into_par_iter()
        .map(|block| {
            let end = ((block + 1) * per_block).min(values.len());
            let bytes = values.bytes(block * per_block..end);
            let mut packed = Vec::with_capacity(bytes.len() / 2 + 64);
            ZlibEncoder::new(bytes.as_slice(), Compression::new(level)).read_to_end(&mut packed)?;
            Ok(packed)
        })
        .collect::<std::io::Result<_>>()?;
    let rest = values.len() % per_block * values.width();
    for number in [count, BLOCK, rest] {
        file.extend((number as u64).to_le_bytes());
    }
    for block in &blocks {
        file.extend((block.len() as u64).to_le_bytes());
    }
    for block in &blocks {
        file.extend(block);
    }
    Ok(())
}

/// Reads an array of `count` numbers of the type of `kind` at the beginning of `data`. Gives it and the bytes it took.
pub(super) fn decode(data: &[u8], kind: &str, count: usize) -> Result<(Values, usize), Fault> {
    let mut values = Values::of_type(kind)?;
    let wrong_size =
        |found: String| Fault::of_whole(found, format!("{count} numbers of type {kind} in blocks"));
    let size = count
        .checked_mul(values.width())
        .ok_or_else(|| wrong_size("more numbers than fit into memory".into()))?;
    let mut rest = data;
    let [blocks, block, last] = [number(&mut rest)?, number(&mut rest)?, number(&mut rest)?];
    let short = usize::from(last > 0);
    let whole = if blocks == 0 {
        0
    } else {
        (blocks - short).saturating_mul(block)
    };
    if whole.checked_add(last) != Some(size) {
        return Err(wrong_size(format!(
            "{blocks} blocks of {block} bytes, the last of {last}"
        )));
    }
    if blocks > rest.len() / 8 {
        return Err(ends_early());
    }
    let packed: Vec<usize> = (0..blocks)
        .map(|_| number(&mut rest))
        .collect::<Result<_, _>>()?;
    for (index, packed) in packed.into_iter().enumerate() {
        let expected = if index + 1 == blocks && last > 0 {
            last
        } else {
            block
        };
        let (bytes, after) = rest.split_at_checked(packed).ok_or_else(ends_early)?;
        rest = after;
        // Nothing is reserved on the word of the file: the buffer grows with what is really there.
        let mut unpacked = Vec::new();
        let outcome = ZlibDecoder::new(bytes)
            .take(expected as u64 + 1)
            .read_to_end(&mut unpacked);
        if let Err(error) = outcome {
            return Err(Fault::of_whole(
                format!("block {index} is damaged ({error})"),
                "zlib data",
            ));
        }
        if unpacked.len() != expected {
            let found = format!("block {index} holds {} bytes", unpacked.len());
            return Err(Fault::of_whole(found, expected.to_string()));
        }
        values.extend_from_bytes(&unpacked);
    }
    if values.len() != count {
        return Err(wrong_size(format!("{} whole numbers", values.len())));
    }
    Ok((values, data.len() - rest.len()))
}

fn number(data: &mut &[u8]) -> Result<usize, Fault> {
    let (number, rest) = data.split_first_chunk::<8>().ok_or_else(ends_early)?;
    *data = rest;
    usize::try_from(u64::from_le_bytes(*number))
        .map_err(|_| Fault::of_whole("a size beyond the memory of this machine", "a smaller one"))
}

fn ends_early() -> Fault {
    Fault::of_whole("the file ends within the data", "a complete file")
}
