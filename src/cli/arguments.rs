//! What can be typed: clap alone.

use super::job::THREADS_MAX;
use crate::config::Override;
use crate::metrics::assertion::Assertion;
use crate::tune::target::Target;
use crate::tune::vary::Vary;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
pub use texts::parse_spins;
use texts::{parse_seconds, parse_shard, parse_z};

/// Monte-Carlo simulation of slot games with progressive jackpots.
#[derive(Debug, Parser)]
#[command(name = "jackpot", version, max_term_width = 100)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play a game and report RTP, jackpots, volatility and liability
    Run(Box<RunArguments>),
    /// Join the shards of one run into the result of the undivided run
    Merge(MergeArguments),
    /// Render a result again, from its result.json alone
    Report(ReportArguments),
    /// Print the exact answer without playing: a PAR sheet with the published figures beside ours
    Exact(ExactArguments),
    /// Check game files: every finding at once
    Check(CheckArguments),
    /// Write a commented game to begin with, from flags or a few questions
    Init(InitArguments),
    /// Print the JSON Schema of game files, for editors
    Schema,
    /// Print completions for a shell
    Completions(CompletionsArguments),
    /// Find the values of a game file that give figures wanted of it
    Tune(TuneArguments),
    /// Work out the figures of every combination of some values of a game file
    Sweep(SweepArguments),
    /// Compare two games or two results: what changed, and whether the figures differ
    Diff(DiffArguments),
    /// List every metric with its meaning and unit; of a game, with its exact value
    Metrics(MetricsArguments),
    /// Play a run against the pools in memory and against a Redis, and compare every reply
    Parity(super::parity::ParityArguments),
}

/// Changes to game files.
#[derive(Debug, Default, Args)]
pub struct SetArguments {
    /// Change a value of the game file for this command: grand.contribution=0.3%, bets.mix[2]=10
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<Override>,
}

/// Figures held against bounds.
#[derive(Debug, Args)]
pub struct AssertArguments {
    /// Hold a figure against bounds: 'rtp in 95.5%..96.5%'. Exit 1 if it fails, 4 if it is undecided
    #[arg(long, value_name = "ASSERTION")]
    pub assert: Vec<Assertion>,
    /// Write the assertions as JUnit XML
    #[arg(long, value_name = "FILE", requires = "assert")]
    pub junit: Option<PathBuf>,
    /// Write the assertions as JSON
    #[arg(long, value_name = "FILE", requires = "assert")]
    pub verdicts: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct InitArguments {
    /// The game file to write
    #[arg(value_name = "FILE", default_value = "game.toml")]
    pub file: PathBuf,
    /// Name of the game
    #[arg(long)]
    pub name: Option<String>,
    /// Currency of ISO 4217
    #[arg(long, value_name = "CODE")]
    pub currency: Option<String>,
    /// Total bets, smallest first: 0.20,1.00
    #[arg(long, value_name = "AMOUNTS")]
    pub bets: Option<String>,
    /// Jackpot levels, smallest first: mini,grand; "" for none
    #[arg(long, value_name = "NAMES")]
    pub levels: Option<String>,
    /// Levels with one pool for all bets; the last one if left out
    #[arg(long, value_name = "NAMES")]
    pub linked: Option<String>,
    /// Ask nothing: take what is usual
    #[arg(long, short)]
    pub yes: bool,
    /// Replace the file
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Args)]
pub struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub struct TuneArguments {
    /// Game file (TOML)
    #[arg(value_name = "GAME")]
    pub game: PathBuf,
    /// What a figure should be: 'rtp=96%', 'grand.days_per_hit=41', 'p99(grand.liability)=50_000', with ± as far as may be
    #[arg(long, required = true, value_name = "METRIC=VALUE")]
    pub target: Vec<Target>,
    /// What may be changed for it, as many as targets: grand.contribution, or with bounds 'grand.seed=1000.00..9000.00'
    #[arg(long, required = true, value_name = "PATH[=LOW..HIGH[:STEP]]")]
    pub vary: Vec<Vary>,
    #[command(flatten)]
    pub set: SetArguments,
    /// Write the tuned game file, its comments and layout kept
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Replace the file
    #[arg(long)]
    pub force: bool,
    /// Spins of the run that checks what was found, and of each run of a target that only runs can tell
    #[arg(long, default_value = "20M", value_parser = parse_spins)]
    pub spins: u64,
    /// Runs for a target that only runs can tell: p99(...), share(...), percentiles of amounts
    #[arg(long, default_value_t = 100, value_name = "K", value_parser = clap::value_parser!(u64).range(2..=100_000))]
    pub repeat: u64,
    /// The rng seed
    #[arg(long, default_value_t = 1, value_name = "RNG_SEED")]
    pub seed: u64,
    /// Don't check what was found by a run
    #[arg(long)]
    pub exact_only: bool,
    /// Threads, 1 to 1024; by default one for each core. Changes no figure
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=THREADS_MAX))]
    pub threads: Option<u16>,
    /// What to print
    #[arg(long, value_enum, default_value_t = FormatArgument::Table)]
    pub format: FormatArgument,
    /// No progress and no notes on stderr
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Debug, Args)]
pub struct SweepArguments {
    /// Game files (TOML)
    #[arg(required = true, value_name = "GAME")]
    pub games: Vec<PathBuf>,
    /// What varies: 'grand.contribution=0.1%..0.5%:0.05%' or 'mini.trigger.odds=200,500,1000'. Every combination is a point
    #[arg(long, required = true, value_name = "PATH=VALUES")]
    pub vary: Vec<Vary>,
    #[command(flatten)]
    pub set: SetArguments,
    /// Only the exact figures: nothing is played
    #[arg(long)]
    pub exact_only: bool,
    /// Spins of each point; all points have the same random numbers
    #[arg(long, default_value = "10M", value_parser = parse_spins)]
    pub spins: u64,
    /// The rng seed
    #[arg(long, default_value_t = 1, value_name = "RNG_SEED")]
    pub seed: u64,
    /// Threads, 1 to 1024; by default one for each core. Changes no byte of the rows
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=THREADS_MAX))]
    pub threads: Option<u16>,
    /// Write the rows to a file; by default to stdout
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Go on with a file that an interrupted sweep left
    #[arg(long, requires = "out", conflicts_with = "force")]
    pub resume: bool,
    /// Replace the file
    #[arg(long)]
    pub force: bool,
    /// How rows are written; by default as the file's ending says, or CSV
    #[arg(long, value_enum)]
    pub format: Option<RowFormatArgument>,
    /// No progress and no notes on stderr
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RowFormatArgument {
    /// A header and a row for each point
    Csv,
    /// A JSON object on a line for each point
    Jsonl,
}

#[derive(Debug, Args)]
pub struct DiffArguments {
    /// A game file, or the folder of a run
    #[arg(value_name = "A")]
    pub a: PathBuf,
    /// Another of the same kind
    #[arg(value_name = "B")]
    pub b: PathBuf,
    /// What to print
    #[arg(long, value_enum, default_value_t = FormatArgument::Table)]
    pub format: FormatArgument,
}

#[derive(Debug, Args)]
pub struct MetricsArguments {
    /// Game files (TOML); without one, all names of every game
    #[arg(value_name = "GAME")]
    pub games: Vec<PathBuf>,
    #[command(flatten)]
    pub set: SetArguments,
    /// What to print
    #[arg(long, value_enum, default_value_t = FormatArgument::Table)]
    pub format: FormatArgument,
}

#[derive(Debug, Args)]
pub struct ExactArguments {
    /// Game files (TOML)
    #[arg(required = true, value_name = "GAME")]
    pub games: Vec<PathBuf>,
    /// Spins of the run whose figures are foretold: 100M, 2.5e9, 1_000_000
    #[arg(long, default_value = "100M", value_parser = parse_spins)]
    pub spins: u64,
    #[command(flatten)]
    pub set: SetArguments,
    #[command(flatten)]
    pub assert: AssertArguments,
    /// Replace the files of --junit and --verdicts
    #[arg(long)]
    pub force: bool,
    /// z of the volatility index; by default as in the game's published figure ("10.476 (z 1.65)"), or 1.645
    #[arg(long, value_parser = parse_z)]
    pub z: Option<f64>,
    /// What to print
    #[arg(long, value_enum, default_value_t = FormatArgument::Table)]
    pub format: FormatArgument,
}

#[derive(Debug, Args)]
pub struct RunArguments {
    /// Game files (TOML)
    #[arg(required = true, value_name = "GAME")]
    pub games: Vec<PathBuf>,
    /// Spins to play: 100M, 2.5e9, 1_000_000
    #[arg(long, default_value = "100M", value_parser = parse_spins)]
    pub spins: u64,
    /// Play until an interval is narrow enough: 'ci(rtp) < 0.05%', 'ci(grand.rtp) < 0.1%'
    #[arg(long, value_name = "RULE", conflicts_with = "spins")]
    pub until: Option<Assertion>,
    /// Most spins of a run with --until
    #[arg(long, default_value = "10G", value_parser = parse_spins)]
    pub max_spins: u64,
    /// Keep what was played in a file, so that the same command goes on where a killed run was; removed at the end
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Least seconds between two checkpoints
    #[arg(long, default_value_t = 10.0, value_name = "SECONDS", value_parser = parse_seconds)]
    pub checkpoint_every: f64,
    /// The rng seed: the same seed gives the same bytes
    #[arg(long, default_value_t = 1, value_name = "RNG_SEED")]
    pub seed: u64,
    /// Threads, 1 to 1024; by default one for each core. Changes no byte of the result
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=THREADS_MAX))]
    pub threads: Option<u16>,
    /// Folder for the files; by default reports/GAME. Several games get a folder each inside it
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace the files of an earlier run in the output folder
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub set: SetArguments,
    #[command(flatten)]
    pub assert: AssertArguments,
    /// How spins reach the pools
    #[arg(long, value_enum, default_value_t = CommitArgument::Ordered)]
    pub commit: CommitArgument,
    /// What holds the pools
    #[arg(long, value_enum, default_value_t = StoreArgument::Memory)]
    pub store: StoreArgument,
    #[command(flatten)]
    pub redis: RedisArguments,
    /// Play one contiguous part of the run, i from 1: 2/7. Join all parts with `jackpot merge`
    #[arg(long, value_name = "i/n", value_parser = parse_shard)]
    pub shard: Option<(u64, u64)>,
    /// Open a level's pools at an amount instead of the seed: grand=12500.00, or mini@2=15.00 for one bet index
    #[arg(long, value_name = "LEVEL=AMOUNT")]
    pub opening: Vec<String>,
    /// Play K independent runs, with rng seeds from --seed on, and show how every figure spreads
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(2..=100_000))]
    pub repeat: Option<u64>,
    /// Write every jackpot hit to hits.csv
    #[arg(long)]
    pub log_hits: bool,
    /// What to print
    #[arg(long, value_enum, default_value_t = FormatArgument::Table)]
    pub format: FormatArgument,
    /// No progress and no notes on stderr
    #[arg(long, short)]
    pub quiet: bool,
}

/// Which Redis server.
#[derive(Debug, Args)]
pub struct RedisArguments {
    /// The server: redis://[user:password@]host[:port][/database], rediss://... or unix:///path/to.sock
    #[arg(long, value_name = "URL", env = "JACKPOT_REDIS_URL", hide_env_values = true)]
    pub redis: Option<String>,
    /// How long a connection or a reply is waited for, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 30_000, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    pub redis_timeout: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StoreArgument {
    /// Atomic numbers of this process
    Memory,
    /// A Redis server, under keys of the run's own that are deleted at its end
    Redis,
}

#[derive(Debug, Args)]
pub struct MergeArguments {
    /// Folders of the shards
    #[arg(required = true, value_name = "DIR")]
    pub shards: Vec<PathBuf>,
    /// Folder for the files of the whole run
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Replace the files of an earlier run in the output folder
    #[arg(long)]
    pub force: bool,
    /// Write every jackpot hit to hits.csv
    #[arg(long)]
    pub log_hits: bool,
    /// What to print
    #[arg(long, value_enum, default_value_t = FormatArgument::Table)]
    pub format: FormatArgument,
}

#[derive(Debug, Args)]
pub struct ReportArguments {
    /// Folder of a run, or its result.json
    #[arg(value_name = "DIR")]
    pub result: PathBuf,
    /// What to print
    #[arg(long, value_enum, default_value_t = FormatArgument::Table)]
    pub format: FormatArgument,
    #[command(flatten)]
    pub assert: AssertArguments,
    /// Write all derived files anew into this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace the files in the output folder
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Args)]
pub struct CheckArguments {
    /// Game files (TOML)
    #[arg(required = true, value_name = "GAME")]
    pub games: Vec<PathBuf>,
    #[command(flatten)]
    pub set: SetArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CommitArgument {
    /// In the order of play: exact, the same bytes on any number of threads
    Ordered,
    /// Every thread adds and claims for itself, as production traffic does
    Live,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FormatArgument {
    /// A summary for people, 80 columns wide
    Table,
    /// The headline figures, flat (result.json has everything, exact)
    Json,
    /// RTP by part and the jackpots as CSV
    Csv,
    /// A summary in Markdown
    Md,
}

/// Texts of the command line as numbers.
mod texts {
    use crate::sim::plan::SPINS_MAX;

    /// A number of spins: `100M`, `2.5e9`, `1_000_000`, `250k`, `3G`.
    pub fn parse_spins(text: &str) -> Result<u64, String> {
        let expected = "expected a whole number of spins such as 100M, 2.5e9 or 1_000_000";
        let plain: String = text.chars().filter(|&c| c != '_').collect();
        let (digits, mut exponent) = match plain.char_indices().last() {
            Some((at, 'k' | 'K')) => (&plain[..at], 3),
            Some((at, 'm' | 'M')) => (&plain[..at], 6),
            Some((at, 'g' | 'G' | 'b' | 'B')) => (&plain[..at], 9),
            Some((at, 't' | 'T')) => (&plain[..at], 12),
            _ => (plain.as_str(), 0),
        };
        let (mantissa, power) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
        exponent += power.parse::<u32>().ok().filter(|&power| power <= 18).ok_or(expected)?;
        let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let decimals = decimals.trim_end_matches('0');
        let missing = exponent.checked_sub(decimals.len() as u32).ok_or(expected)?;
        let all = format!("{whole}{decimals}");
        if all.is_empty() || !all.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(expected.into());
        }
        let spins = all.parse::<u64>().ok().and_then(|number| number.checked_mul(10u64.checked_pow(missing)?));
        match spins {
            Some(0) => Err("at least one spin is needed".into()),
            Some(spins) if spins <= SPINS_MAX => Ok(spins),
            _ => Err("a run has at most 10T (10^13) spins".into()),
        }
    }

    /// A number of seconds from 0 to a day.
    pub fn parse_seconds(text: &str) -> Result<f64, String> {
        let seconds = text.parse().ok().filter(|seconds: &f64| (0.0..=86_400.0).contains(seconds));
        seconds.ok_or_else(|| "expected a number of seconds from 0 to 86,400, such as 10 or 0.5".into())
    }

    /// A z-score of an interval: above 0, at most 10.
    pub fn parse_z(text: &str) -> Result<f64, String> {
        let z = text.parse().ok().filter(|&z: &f64| z > 0.0 && z <= 10.0);
        z.ok_or_else(|| "expected a number above 0, such as 1.645 or 1.96".into())
    }

    /// A shard `i/n`, i from 1 to n.
    pub fn parse_shard(text: &str) -> Result<(u64, u64), String> {
        let expected = "expected i/n with i from 1 to n, such as 2/7";
        let (index, count) = text.split_once('/').ok_or(expected)?;
        let (index, count): (u64, u64) = (index.parse().map_err(|_| expected)?, count.parse().map_err(|_| expected)?);
        if (1..=count).contains(&index) { Ok((index, count)) } else { Err(expected.into()) }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn spins_are_read_as_people_write_them() {
            let good = [("100M", 100_000_000), ("2.5e9", 2_500_000_000), ("1_000_000", 1_000_000), ("1.50k", 1500)];
            for (text, spins) in good {
                assert_eq!(parse_spins(text), Ok(spins), "{text}");
            }
            for text in ["", "0", "M", "1.5", "-3", "1e99", "20T", "ten", "1.2345k", "1..2", "e9", "1é"] {
                assert!(parse_spins(text).is_err(), "{text}");
            }
        }

        #[test]
        fn shards_are_read_and_refused() {
            assert_eq!(parse_shard("2/7"), Ok((2, 7)));
            for text in ["0/7", "8/7", "2", "2/0", "a/b", "1/2/3"] {
                assert!(parse_shard(text).is_err(), "{text}");
            }
        }
    }
}
