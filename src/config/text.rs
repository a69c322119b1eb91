//! Reads a file as text, and says where and why one is not text.

use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Largest file that is read, in bytes. The largest strips and outcome tables are far below.
const BYTES_MAX: u64 = 64 << 20;

/// The text of a regular file.
///
/// # Errors
/// With a reason that says the line and byte of what is not UTF-8, or why the file is not read.
pub(super) fn read(path: &Path) -> io::Result<String> {
    let kind = fs::metadata(path)?;
    if !kind.is_file() {
        let what = if kind.is_dir() { "it is a folder" } else { "it is no regular file" };
        return Err(io::Error::new(ErrorKind::InvalidInput, what));
    }
    let too_large = || {
        let reason = format!("it is larger than {} MB", BYTES_MAX >> 20);
        io::Error::new(ErrorKind::FileTooLarge, reason)
    };
    if kind.len() > BYTES_MAX {
        return Err(too_large());
    }
    // The file may grow meanwhile.
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(BYTES_MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > BYTES_MAX {
        return Err(too_large());
    }
    decoded(bytes)
}

/// What to do about a file that can't be read.
pub(super) fn help(kind: ErrorKind, otherwise: &str) -> String {
    match kind {
        ErrorKind::InvalidData => "save the file as UTF-8 text".into(),
        ErrorKind::FileTooLarge => "give a smaller file".into(),
        _ => otherwise.into(),
    }
}

fn decoded(bytes: Vec<u8>) -> io::Result<String> {
    let invalid = |reason: String| Err(io::Error::new(ErrorKind::InvalidData, reason));
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return invalid("line 1, byte 1 is the mark of UTF-16 text, expected UTF-8".into());
    }
    let error = match String::from_utf8(bytes) {
        Ok(text) => match text.find('\0') {
            None => return Ok(text),
            Some(place) => {
                let (line, column) = place_of(text.as_bytes(), place);
                return invalid(format!(
                    "line {line}, byte {column} is a zero byte, as in UTF-16 or a binary file, expected UTF-8 text"
                ));
            }
        },
        Err(error) => error,
    };
    let (place, bytes) = (error.utf8_error().valid_up_to(), error.into_bytes());
    let (line, column) = place_of(&bytes, place);
    invalid(format!("line {line}, byte {column} (0x{:02X}) is not UTF-8, perhaps Latin-1", bytes[place]))
}

/// Line of a byte and its place in it, both from 1.
fn place_of(bytes: &[u8], place: usize) -> (usize, usize) {
    let before = &bytes[..place];
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    (before.iter().filter(|&&byte| byte == b'\n').count() + 1, place - start + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_text_is_named_by_line_and_byte() {
        let reason = |bytes: &[u8]| decoded(bytes.to_vec()).expect_err("no text").to_string();
        assert!(reason(b"name\ncaf\xe9 = 1").starts_with("line 2, byte 4 (0xE9) is not UTF-8"));
        assert!(reason(b"\xff\xfeA\0,\0").contains("UTF-16"));
        assert!(reason(b"A,B\nC\0,\0D\0").starts_with("line 2, byte 2 is a zero byte"));
        assert_eq!(decoded("7\u{fe0f}\u{20e3}".into()).ok().as_deref(), Some("7\u{fe0f}\u{20e3}"));
    }
}
