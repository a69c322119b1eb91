//! The `jackpot` command: parse, run, exit code.

fn main() -> std::process::ExitCode {
    jackpot::cli::main()
}
