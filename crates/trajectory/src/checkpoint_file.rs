//! One checkpoint file: a head, the state, a tail.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `MOREAUCP` |
//! | 4 | version of this layout |
//! | 4 | length n of the description |
//! | n | description in postcard: kind and version of the state, version of the program, step, time |
//! | 4 | CRC-32 of all bytes before |
//! | m | the state in postcard |
//! | 8 | m |
//! | 4 | CRC-32 of the state and m |
//! | 8 | `PCUAEROM` |
//!
//! Numbers are little-endian. A CRC-32 finds every change within 32 neighbouring bits, so every changed byte; the length
//! and the two marks find every cut.

use crate::TrajectoryError;
use crc32fast::Hasher;
use moreau_files::AtomicFile;
use moreau_files::Fault;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

const MAGIC: [u8; 8] = *b"MOREAUCP";
const END: [u8; 8] = *b"PCUAEROM";
const LAYOUT: u32 = 1;
const TAIL: u64 = 20;
/// A description is names and numbers; anything longer is no description.
const LONGEST_DESCRIPTION: u32 = 4096;

/// What a checkpoint says about itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Description {
    pub(crate) kind: String,
    pub(crate) kind_version: u32,
    pub(crate) program_version: String,
    pub(crate) step: u64,
    pub(crate) time: f64,
}

/// Passes bytes on and keeps their number and checksum.
struct Checked<W> {
    inner: W,
    hasher: Hasher,
    length: u64,
}

impl<W> Checked<W> {
    fn new(inner: W) -> Self {
        Self {
            inner,
            hasher: Hasher::new(),
            length: 0,
        }
    }

    fn note(&mut self, bytes: &[u8]) {
        self.hasher.update(bytes);
        self.length += bytes.len() as u64;
    }

    fn checksum(&self) -> [u8; 4] {
        self.hasher.clone().finalize().to_le_bytes()
    }
}

impl<W: Write> Write for Checked<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.note(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.inner.flush()
    }
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let count = self.inner.read(bytes)?;
        self.note(&bytes[..count]);
        Ok(count)
    }
}

/// Writes a state straight into the file: no copy of it is made in memory.
pub(crate) fn write<T: Serialize + ?Sized>(
    path: &Path,
    description: &Description,
    state: &T,
) -> Result<(), TrajectoryError> {
    let failed = |error| TrajectoryError::system(path, "write", error);
    let unwritable = |error: postcard::Error| {
        let fault = Fault::of_whole(
            format!("the state cannot be written ({error})"),
            "room on the disk and a state that can be serialised",
        );
        TrajectoryError::content(path, fault)
    };
    let words = postcard::to_stdvec(description).map_err(unwritable)?;
    if words.len() > LONGEST_DESCRIPTION as usize {
        let fault = Fault::of_whole("a kind of a very long name", "a short one");
        return Err(TrajectoryError::content(path, fault));
    }
    let mut head = Checked::new(AtomicFile::create(path).map_err(failed)?);
    head.write_all(&MAGIC).map_err(failed)?;
    head.write_all(&LAYOUT.to_le_bytes()).map_err(failed)?;
    head.write_all(&(words.len() as u32).to_le_bytes())
        .map_err(failed)?;
    head.write_all(&words).map_err(failed)?;
    let sum = head.checksum();
    head.write_all(&sum).map_err(failed)?;
    // Postcard writes number by number; the checksum is much quicker on long pieces.
    let pieces = BufWriter::with_capacity(1 << 16, Checked::new(head.inner));
    let mut body = postcard::to_io(state, pieces)
        .map_err(unwritable)?
        .into_inner()
        .map_err(|error| failed(error.into_error()))?;
    let length = body.length.to_le_bytes();
    body.write_all(&length).map_err(failed)?;
    let sum = body.checksum();
    body.write_all(&sum).map_err(failed)?;
    body.write_all(&END).map_err(failed)?;
    body.inner.commit().map_err(failed)
}

/// A checkpoint whose bytes are all as they were written.
pub(crate) struct Whole {
    pub(crate) description: Description,
    file: BufReader<File>,
    /// Where the state begins.
    start: u64,
    length: u64,
}

/// Opens a checkpoint and checks every byte of it.
pub(crate) fn open(path: &Path) -> Result<Whole, TrajectoryError> {
    let fault = |fault| TrajectoryError::content(path, fault);
    let failed = |error| TrajectoryError::system(path, "read", error);
    let file = File::open(path).map_err(failed)?;
    let size = file.metadata().map_err(failed)?.len();
    let mut file = BufReader::with_capacity(1 << 16, file);
    let (description, start) = read_head(&mut file).map_err(fault)?;
    let length = size.checked_sub(start + TAIL).ok_or_else(|| fault(cut()))?;
    check_state(&mut file, length).map_err(fault)?;
    Ok(Whole {
        description,
        file,
        start,
        length,
    })
}

impl Whole {
    /// The state, if it is of this kind and version.
    pub(crate) fn state<T: DeserializeOwned>(
        mut self,
        path: &Path,
        kind: &str,
        version: u32,
    ) -> Result<(Description, T), TrajectoryError> {
        let fault = |what: String, right: String| {
            TrajectoryError::content(path, Fault::of_whole(what, right))
        };
        let failed = |error| TrajectoryError::system(path, "read", error);
        let found = &self.description;
        let writer = format!("written by program version {}", found.program_version);
        if found.kind != kind || found.kind_version != version {
            return Err(fault(
                format!(
                    "a checkpoint of '{}' version {}, {writer}",
                    found.kind, found.kind_version
                ),
                format!("'{kind}' version {version}, or the program that wrote it"),
            ));
        }
        let right = format!(
            "a state as program version {} writes it",
            env!("CARGO_PKG_VERSION")
        );
        self.file
            .seek(SeekFrom::Start(self.start))
            .map_err(failed)?;
        // Postcard asks for room for all strings at once. Pages that no string reaches are never touched, and the
        // length is that of a file that is really there.
        let mut room = vec![0; usize::try_from(self.length).unwrap_or(usize::MAX)];
        let source = (self.file.take(self.length), room.as_mut_slice());
        let (state, (mut rest, _)) = postcard::from_io(source).map_err(|error| {
            fault(
                format!("whole bytes that are no such state ({error}), {writer}"),
                right.clone(),
            )
        })?;
        if rest.read(&mut [0]).map_err(failed)? != 0 {
            return Err(fault(
                format!("more bytes than the state takes, {writer}"),
                right,
            ));
        }
        Ok((self.description, state))
    }
}

/// The description, and where the state begins.
fn read_head(file: &mut impl Read) -> Result<(Description, u64), Fault> {
    let mut file = Checked::new(file);
    if bytes::<8>(&mut file)? != MAGIC {
        return Err(Fault::of_whole(
            "the file does not begin with MOREAUCP",
            "a checkpoint",
        ));
    }
    let layout = u32::from_le_bytes(bytes(&mut file)?);
    if layout != LAYOUT {
        return Err(Fault::of_whole(
            format!("a checkpoint of layout {layout}"),
            format!("layout {LAYOUT}, the one that this program knows"),
        ));
    }
    let length = u32::from_le_bytes(bytes(&mut file)?);
    if length > LONGEST_DESCRIPTION {
        return Err(Fault::of_whole(
            format!("a description of {length} bytes"),
            format!("at most {LONGEST_DESCRIPTION}"),
        ));
    }
    let mut words = vec![0; length as usize];
    file.read_exact(&mut words).map_err(|_| cut())?;
    let sum = file.checksum();
    if bytes::<4>(&mut file)? != sum {
        return Err(Fault::of_whole(
            "the head is damaged",
            "bytes that match their checksum",
        ));
    }
    let description = postcard::from_bytes(&words).map_err(|error| {
        Fault::of_whole(
            format!("an unreadable description ({error})"),
            "a checkpoint",
        )
    })?;
    Ok((description, file.length))
}

/// Reads the state without understanding it and compares length and checksum.
fn check_state(file: &mut impl Read, length: u64) -> Result<(), Fault> {
    let mut file = Checked::new(file);
    let mut buffer = vec![0; 1 << 16];
    while file.length < length {
        let step = buffer.len().min((length - file.length) as usize);
        file.read_exact(&mut buffer[..step]).map_err(|_| cut())?;
    }
    if u64::from_le_bytes(bytes(&mut file)?) != length {
        return Err(cut());
    }
    let sum = file.checksum();
    if bytes::<4>(&mut file)? != sum {
        return Err(Fault::of_whole(
            "the state is damaged",
            "bytes that match their checksum",
        ));
    }
    if bytes::<8>(&mut file)? != END {
        return Err(cut());
    }
    Ok(())
}

fn bytes<const N: usize>(file: &mut impl Read) -> Result<[u8; N], Fault> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes).map_err(|_| cut())?;
    Ok(bytes)
}

fn cut() -> Fault {
    Fault::of_whole(
        "the file is cut or its end is damaged",
        "a complete checkpoint",
    )
}
