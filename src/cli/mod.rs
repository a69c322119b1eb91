//! The command line: a file per command. The only code that prints, reads the clock, or exits.

mod arguments;
mod assemble;
mod assertions;
mod check;
mod checkpoint;
mod diff;
mod exact;
mod failure;
mod hang_up;
mod hit_log;
mod init;
mod job;
mod ledger;
mod merge;
mod metrics;
mod opening;
mod output;
mod parity;
mod points;
mod printer;
mod progress;
mod provenance;
mod redis_server;
mod repeat;
mod report;
mod returns;
mod run;
mod shard;
mod sweep;
mod tune;
mod until;

use arguments::{Arguments, Command};
pub use assemble::{par_sheet, par_sheet_from, result};
use clap::Parser;
use failure::Failure;
use std::process::ExitCode;

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    failure::install_panic_hook();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // clap prints help and version to stdout, errors to stderr; a closed pipe is no failure.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let outcome = match arguments.command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Merge(arguments) => merge::merge(&arguments),
        Command::Report(arguments) => report::report(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Exact(arguments) => exact::exact(&arguments),
        Command::Init(arguments) => init::init(&arguments),
        Command::Schema => print(crate::config::schema().as_bytes()).map(|()| 0),
        Command::Completions(arguments) => completions(arguments.shell),
        Command::Tune(arguments) => tune::tune(&arguments),
        Command::Sweep(arguments) => sweep::sweep(&arguments),
        Command::Diff(arguments) => diff::diff(&arguments),
        Command::Metrics(arguments) => metrics::metrics(&arguments),
        Command::Parity(arguments) => parity::parity(&arguments),
    };
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            failure.print();
            ExitCode::from(failure.exit_code())
        }
    }
}

/// Prints what a shell needs to complete commands, options and their values.
fn completions(shell: clap_complete::Shell) -> Result<u8, Failure> {
    use clap::CommandFactory;
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "jackpot", &mut text);
    print(&text).map(|()| 0)
}

/// Writes a command's result to stdout. A reader that closes the pipe early is no failure.
fn print(text: &[u8]) -> Result<(), Failure> {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        result => result.map_err(|error| Failure::Output { path: "standard output".into(), error }),
    }
}
