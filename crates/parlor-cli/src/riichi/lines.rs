//! Reads JSON lines and prints one JSON line for each.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::process::ExitCode;

use flate2::bufread::MultiGzDecoder;
use parlor_riichi::vectors::LineError;
use serde_json::Value;

/// A longer line cannot be a hand; reading it would only use memory.
const LINE_BYTES_MAX: u64 = 1 << 20;

/// Processes every line of the file, or of standard input.
pub(super) fn run(file: Option<&Path>, answer: fn(&str) -> Result<Value, LineError>) -> ExitCode {
    let done =
        open(file).and_then(|input| answer_all(input, &mut BufWriter::new(io::stdout().lock()), answer));
    match done {
        Ok(0) => ExitCode::SUCCESS,
        Ok(refused) => {
            eprintln!("parlor riichi: {refused} lines have no result; see their \"error\"");
            ExitCode::FAILURE
        }
        // A reader that closes the pipe early, such as `head`, is not an error.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let name = file.map_or("standard input".into(), |file| file.display().to_string());
            eprintln!("parlor riichi: {name}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The input, decompressed if it starts with gzip's magic bytes.
fn open(file: Option<&Path>) -> io::Result<Box<dyn BufRead>> {
    let mut input: Box<dyn BufRead> = match file {
        Some(file) if file != Path::new("-") => Box::new(BufReader::new(File::open(file)?)),
        _ => Box::new(BufReader::new(io::stdin())),
    };
    if input.fill_buf()?.starts_with(&[0x1f, 0x8b]) {
        return Ok(Box::new(BufReader::new(MultiGzDecoder::new(input))));
    }
    Ok(input)
}

/// Processes line by line; returns the number of lines without a result.
fn answer_all(
    mut input: Box<dyn BufRead>,
    output: &mut impl Write,
    answer: fn(&str) -> Result<Value, LineError>,
) -> io::Result<usize> {
    let mut refused = 0;
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if (&mut input).take(LINE_BYTES_MAX).read_until(b'\n', &mut bytes)? == 0 {
            output.flush()?;
            return Ok(refused);
        }
        if bytes.len() as u64 == LINE_BYTES_MAX && !bytes.ends_with(b"\n") {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("a line of over {LINE_BYTES_MAX} bytes"),
            ));
        }
        // Bytes that are not UTF-8 are not JSON either: the error for this line says so.
        let line = String::from_utf8_lossy(&bytes);
        if line.trim().is_empty() {
            continue;
        }
        let out = answer(&line).unwrap_or_else(|error| {
            refused += 1;
            error.to_json()
        });
        writeln!(output, "{out}")?;
    }
}
