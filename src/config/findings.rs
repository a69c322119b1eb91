//! What is wrong, or doubtful, in a game file, and where: findings, collected all at once.

use std::cell::RefCell;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The game can't be used.
    Error,
    /// The game can be used; a designer should look.
    Warning,
}

/// One thing that is wrong in a game file or in a table beside it.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Short name of the rule that is broken: `unknown-key`.
    pub code: &'static str,
    /// Whether the game can still be used.
    pub severity: Severity,
    /// What was found.
    pub message: String,
    /// What was expected, written under the text found.
    pub expected: String,
    /// How to mend it.
    pub help: String,
    /// Name of the file, as reports show it.
    pub file: String,
    /// Line of the text found, from 1.
    pub line: usize,
    /// Column of the text found in characters, from 1.
    pub column: usize,
    /// Bytes of the text found: start, and length.
    pub span: (usize, usize),
    source: Arc<NamedSource<Arc<str>>>,
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Finding {}

impl Diagnostic for Finding {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.code))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(&self.help))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self.source.as_ref())
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let label = LabeledSpan::new(Some(self.expected.clone()), self.span.0, self.span.1);
        Some(Box::new(std::iter::once(label)))
    }
}

/// Why a game file gave no game.
#[derive(Debug, Clone)]
pub enum ConfigError {
    /// The game file itself can't be read.
    Unreadable {
        /// Path as given.
        path: PathBuf,
        /// Why: the system's reason, or what is not text.
        reason: String,
        /// What to do.
        help: String,
    },
    /// The game file was read and is wrong; at least one finding is an error, warnings stand among them.
    Findings(Vec<Finding>),
}

impl ConfigError {
    /// Every finding, in order of the file; none if the file can't be read.
    pub fn findings(&self) -> &[Finding] {
        match self {
            Self::Unreadable { .. } => &[],
            Self::Findings(findings) => findings,
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { path, reason, .. } => write!(formatter, "can't read {}: {reason}", path.display()),
            Self::Findings(findings) => {
                let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
                let file = findings.first().map_or("the game file", |finding| finding.file.as_str());
                let noun = if errors == 1 { "error" } else { "errors" };
                write!(formatter, "{errors} {noun} in {file}")
            }
        }
    }
}

impl std::error::Error for ConfigError {}

impl Diagnostic for ConfigError {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        match self {
            Self::Unreadable { help, .. } => Some(Box::new(help)),
            Self::Findings(_) => None,
        }
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        match self {
            Self::Unreadable { .. } => None,
            Self::Findings(findings) => Some(Box::new(findings.iter().map(|finding| finding as &dyn Diagnostic))),
        }
    }
}

/// A piece of one of the files that make a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Span {
    /// Position of the file in [`Notes`]; 0 is the game file.
    pub file: usize,
    pub start: usize,
    pub end: usize,
}

/// A value and where it is written.
#[derive(Debug, Clone)]
pub(super) struct At<T> {
    pub value: T,
    pub span: Span,
}

/// Collects findings while a game file is read and checked.
pub(super) struct Notes {
    sources: RefCell<Vec<Arc<NamedSource<Arc<str>>>>>,
    findings: RefCell<Vec<(usize, Finding)>>,
}

impl Notes {
    pub fn new(name: &str, text: &str) -> Self {
        let notes = Self { sources: RefCell::default(), findings: RefCell::default() };
        notes.add_source(name, text);
        notes
    }

    /// Adds a file that findings may point into; its position.
    pub fn add_source(&self, name: &str, text: &str) -> usize {
        let mut sources = self.sources.borrow_mut();
        sources.push(Arc::new(NamedSource::new(name, Arc::from(shown(text)))));
        sources.len() - 1
    }

    /// The text that a span covers.
    pub fn text(&self, span: Span) -> String {
        self.sources.borrow()[span.file].inner()[span.start..span.end].to_string()
    }

    pub fn error(
        &self,
        span: Span,
        code: &'static str,
        message: impl Into<String>,
        expected: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.add(Severity::Error, span, code, message.into(), expected.into(), help.into());
    }

    pub fn warning(
        &self,
        span: Span,
        code: &'static str,
        message: impl Into<String>,
        expected: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.add(Severity::Warning, span, code, message.into(), expected.into(), help.into());
    }

    fn add(&self, severity: Severity, span: Span, code: &'static str, message: String, expected: String, help: String) {
        let source = Arc::clone(&self.sources.borrow()[span.file]);
        let text = source.inner();
        // An empty span is widened, so that there is something to underline.
        let (mut start, mut end) = (span.start.min(text.len()), span.end.min(text.len()));
        if start == end {
            match text[start..].chars().next() {
                Some(next) => end = start + next.len_utf8(),
                None => start -= text.chars().next_back().map_or(0, char::len_utf8),
            }
        }
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |position| position + 1);
        let finding = Finding {
            code,
            severity,
            message: escaped(&message),
            expected: escaped(&expected),
            help: escaped(&help),
            file: source.name().to_string(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            span: (start, end.saturating_sub(start)),
            source,
        };
        self.findings.borrow_mut().push((span.file, finding));
    }

    /// Number of errors so far.
    pub fn error_count(&self) -> usize {
        self.findings.borrow().iter().filter(|(_, finding)| finding.severity == Severity::Error).count()
    }

    /// All findings, in order of the files' text.
    pub fn into_findings(self) -> Vec<Finding> {
        let mut findings = self.findings.into_inner();
        findings.sort_by_key(|(file, finding)| (*file, finding.span.0));
        findings.into_iter().map(|(_, finding)| finding).collect()
    }
}

/// A text as a terminal may show it, with the same places: a lone CR ends a line as LF does, other control characters
/// are question marks.
fn shown(text: &str) -> String {
    if text.bytes().all(|byte| matches!(byte, b'\n' | b'\t' | b' '..=b'~')) {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len());
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '\r' if signs.peek() != Some(&'\n') => shown.push('\n'),
            '\n' | '\r' | '\t' => shown.push(sign),
            _ if sign.is_control() => shown.extend(std::iter::repeat_n('?', sign.len_utf8())),
            _ => shown.push(sign),
        }
    }
    shown
}

/// A message without control characters.
fn escaped(text: &str) -> String {
    text.chars().map(|sign| if sign.is_control() { sign.escape_default().to_string() } else { sign.into() }).collect()
}

/// The nearest of some names to a wrong one, if any is near enough to be meant.
pub(super) fn nearest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    names
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&wrong.to_lowercase(), &name.to_lowercase()), name))
        .filter(|(distance, name)| *distance <= 1 + name.len().min(wrong.len()) / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Help for a wrong name: the nearest known one, or all of them.
pub(super) fn name_help<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match nearest(wrong, names.clone()) {
        Some(name) => format!("did you mean `{name}`?"),
        None => {
            let all: Vec<&str> = names.into_iter().collect();
            if all.is_empty() { "there are none".into() } else { format!("known: {}", all.join(", ")) }
        }
    }
}
