//! How JSON is laid out in `result.json`: a line for each field near the root and for each element of a list, one line
//! for whatever lies deeper, so that the file is neither a single line nor a million.

use serde_json::ser::Formatter;
use std::io::{self, Write};

/// Objects are spread over lines down to this depth, the root being 1.
const OBJECT_DEPTH: usize = 3;
/// Lists are spread over lines down to this depth.
const LIST_DEPTH: usize = 4;

/// A formatter that indents near the root and is compact below.
#[derive(Debug, Default)]
pub struct LineFormatter {
    /// Whether each open object or list is spread over lines.
    spread: Vec<bool>,
    has_value: bool,
}

impl LineFormatter {
    fn open(&mut self, depth_max: usize) {
        // A list inside a compact object stays compact.
        let spread = self.spread.len() < depth_max && self.spread.last() != Some(&false);
        self.spread.push(spread);
        self.has_value = false;
    }

    fn close<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        let spread = self.spread.pop() == Some(true);
        if spread && self.has_value {
            self.line(writer)?;
        }
        self.has_value = true;
        Ok(())
    }

    fn line<W: ?Sized + Write>(&self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b"\n")?;
        (0..self.spread.len()).try_for_each(|_| writer.write_all(b" "))
    }

    fn separate<W: ?Sized + Write>(&self, writer: &mut W, first: bool) -> io::Result<()> {
        let spread = self.spread.last() == Some(&true);
        match (first, spread) {
            (true, true) => self.line(writer),
            (true, false) => Ok(()),
            (false, true) => {
                writer.write_all(b",")?;
                self.line(writer)
            }
            (false, false) => writer.write_all(b","),
        }
    }
}

impl Formatter for LineFormatter {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(LIST_DEPTH);
        writer.write_all(b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer)?;
        writer.write_all(b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.separate(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(OBJECT_DEPTH);
        writer.write_all(b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer)?;
        writer.write_all(b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.separate(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serialize;

    #[test]
    fn a_pair_stands_on_one_line_and_a_field_on_its_own() {
        #[derive(Serialize)]
        struct Root {
            pairs: Vec<(u8, u8)>,
            none: Vec<u8>,
        }
        let mut bytes = Vec::new();
        let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, LineFormatter::default());
        let root = Root { pairs: vec![(1, 2), (3, 4)], none: Vec::new() };
        // One level deeper than in a file, twice over.
        [[root]].serialize(&mut serializer).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(text, "[\n [\n  {\n   \"pairs\": [\n    [1,2],\n    [3,4]\n   ],\n   \"none\": []\n  }\n ]\n]");
    }
}
