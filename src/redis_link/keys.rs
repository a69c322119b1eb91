//! Keys by the start of their names.

use super::{Link, LinkError, Reply};

/// Keys whose name starts with a text: how many there are, deleted if wanted.
///
/// # Errors
/// [`LinkError`].
pub fn starting_with(link: &mut Link, start: &str, delete: bool) -> Result<usize, LinkError> {
    let is_special = |sign: char| "*?[]\\^".contains(sign);
    let pattern: String =
        start.chars().flat_map(|sign| is_special(sign).then_some('\\').into_iter().chain([sign])).collect();
    let (mut count, mut cursor) = (0, "0".to_owned());
    loop {
        let reply = link.must(&["SCAN", &cursor, "MATCH", &format!("{pattern}*"), "COUNT", "10000"])?;
        let Reply::Array(answer) = reply else { return Ok(count) };
        let [next, Reply::Array(keys)] = answer.as_slice() else { return Ok(count) };
        count += keys.len();
        let mut unlink = vec![b"UNLINK".as_slice()];
        unlink.extend(keys.iter().filter_map(Reply::bytes));
        if delete && unlink.len() > 1 {
            link.must(&unlink)?;
        }
        cursor = next.text().unwrap_or_default();
        if cursor == "0" || cursor.is_empty() {
            return Ok(count);
        }
    }
}
