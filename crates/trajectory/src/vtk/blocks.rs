//! Arrays as VTK's zlib-compressed blocks: number of blocks, size of a block, size of the last one if it is shorter,
//! the compressed size of each, then the blocks. All sizes are 64-bit little-endian.

use super::Values;
use flate2::read::ZlibDecoder;
use moreau_files::Fault;
use rayon::prelude::*;
use std::io::Read;
use zlib_rs::{DeflateConfig, ReturnCode, Strategy, compress_bound, compress_slice};

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
            pack(&bytes, level, strategy(values, &bytes))
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

fn pack(bytes: &[u8], level: u32, strategy: Strategy) -> std::io::Result<Vec<u8>> {
    let config = DeflateConfig {
        level: level as i32,
        strategy,
        ..DeflateConfig::default()
    };
    let mut room = vec![0; compress_bound(bytes.len())];
    match compress_slice(&mut room, bytes, config) {
        (packed, ReturnCode::Ok) => Ok(packed.to_vec()),
        (_, code) => Err(std::io::Error::other(format!("{code:?}"))),
    }
}

/// Numbers in a row of which is asked how many differ, and how many must.
const RUN: usize = 64;
const DIFFERENT: usize = 56;

/// How a block is compressed. Most of the time goes into looking for what came before. Coordinates of bodies that turn, velocities and forces hardly
/// come twice, and only the frequencies of their bytes are of use: a third of the time, and no larger.
fn strategy(values: &Values, bytes: &[u8]) -> Strategy {
    let (width, count) = (values.width(), bytes.len() / values.width());
    if values.are_integers() || count < 4 * RUN {
        return Strategy::Default;
    }
    let all_different = |part: usize| {
        let first = part * (count - RUN) / 3;
        let mut run: Vec<&[u8]> = bytes[width * first..][..width * RUN]
            .chunks_exact(width)
            .collect();
        run.sort_unstable();
        run.dedup();
        run.len() >= DIFFERENT
    };
    match (0..4).all(all_different) {
        true => Strategy::HuffmanOnly,
        false => Strategy::Default,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A number in [0, 1) that looks like chance.
    fn scattered(k: usize) -> f32 {
        (k as f32 * 0.618_034).fract() * (k as f32).sin().abs()
    }

    #[test]
    fn numbers_come_back_and_each_kind_is_packed_in_the_way_that_suits_it() {
        let count = 200_000;
        let turning = Values::F32((0..count).map(scattered).collect());
        let aligned = Values::F32((0..count).map(|k| scattered(k / 24)).collect());
        for (values, fitting) in [
            (turning, Strategy::HuffmanOnly),
            (aligned, Strategy::Default),
        ] {
            let bytes = values.bytes(0..BLOCK / 4);
            let chosen = strategy(&values, &bytes);
            assert_eq!(chosen, fitting);
            let sizes = [Strategy::HuffmanOnly, Strategy::Default]
                .map(|strategy| pack(&bytes, 2, strategy).unwrap().len());
            let own = pack(&bytes, 2, chosen).unwrap().len();
            assert!(
                own <= sizes[0] && own as f64 <= 1.01 * sizes[1] as f64,
                "{sizes:?}"
            );
            let mut file = Vec::new();
            encode(&values, 2, &mut file).unwrap();
            assert_eq!(
                decode(&file, "Float32", count).unwrap(),
                (values, file.len())
            );
        }
    }
}
