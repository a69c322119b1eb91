//! Progress on stderr, and the end of a run by Ctrl-C, behind the engine's observer.

use super::hang_up;
use crate::report::table::layout::{columns, cut, cut_apart};
use crate::sim::{Observer, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Makes Ctrl-C, a polite kill (TERM) and the end of the terminal (HUP) end the run after what is already played. A second
/// one ends the process at once.
pub fn catch_interrupts() {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        // Under nohup the end of the terminal must not end the run, so HUP keeps no handler then.
        let hang_up_ignored = hang_up::is_ignored();
        // Without a handler an interrupt simply ends the process; nothing half-written is left then either.
        let _ = ctrlc::set_handler(|| {
            if !INTERRUPTED.swap(true, Ordering::Relaxed) {
                return;
            }
            std::process::exit(130);
        });
        if hang_up_ignored {
            hang_up::ignore();
        }
    });
}

/// Whether an interrupt came.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Shows spins/s, time left and the RTP so far with its interval.
pub struct Bar {
    bar: ProgressBar,
    name: String,
    batches: Mutex<Batches>,
}

/// RTP of each wave of chunks, for an interval by batch means.
#[derive(Debug, Default)]
struct Batches {
    last: (u128, u128),
    count: f64,
    sum: f64,
    sum_squares: f64,
}

impl Bar {
    /// For a run of so many spins; hidden if stderr is no terminal or the user asked for quiet.
    pub fn new(name: &str, spins: u64, quiet: bool) -> Self {
        let target = if quiet || !std::io::stderr().is_terminal() {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(Some(spins), target);
        bar.set_style(ProgressStyle::with_template("{msg}").unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, name: name.to_string(), batches: Mutex::default() }
    }

    /// Takes the bar off the screen.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Shows how many of some things are done.
pub struct Count(ProgressBar);

impl Count {
    /// Hidden if stderr is no terminal or the user asked for quiet.
    pub fn new(name: &str, total: u64, quiet: bool) -> Self {
        let hidden = quiet || !std::io::stderr().is_terminal();
        let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(total), target);
        let style = ProgressStyle::with_template("{msg}  {human_pos} of {human_len}  {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(name.to_owned());
        Self(bar)
    }

    /// So many are done.
    pub fn at(&self, done: u64) {
        self.0.set_position(done);
    }

    /// Takes it off the screen.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}

/// One line of at most 80 columns.
fn line(name: &str, percent: u128, rate: f64, left: Duration, rtp: f64, half_width: f64) -> String {
    let rate = match rate {
        rate if rate >= 1e9 => format!("{:.1} G", rate / 1e9),
        rate if rate >= 1e6 => format!("{:.1} M", rate / 1e6),
        rate if rate >= 1e3 => format!("{:.1} k", rate / 1e3),
        rate => format!("{rate:.0}"),
    };
    let left = match left.as_secs() {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds @ 120..7_200 => format!("{} min", seconds / 60),
        seconds @ 7_200..172_800 => format!("{} h", seconds / 3_600),
        seconds => format!("{} days", (seconds / 86_400).min(999)),
    };
    let figures = format!("{percent:>3} %  {rate} spins/s  {left} left  RTP {rtp:.2} ± {half_width:.2} % + jackpots");
    let name = cut_apart(&[name], 78usize.saturating_sub(columns(&figures)).max(1)).concat();
    cut(&format!("{name}  {figures}"), 80)
}

impl Observer for Bar {
    fn progress(&self, progress: &Progress) {
        self.bar.set_position(progress.spins_done);
        if self.bar.is_hidden() || progress.wagered == 0 {
            return;
        }
        let mut batches = self.batches.lock().expect("no task panics while it holds the lock");
        let (wagered, paid) = (progress.wagered - batches.last.0, progress.paid - batches.last.1);
        batches.last = (progress.wagered, progress.paid);
        let rtp = 100.0 * paid as f64 / wagered.max(1) as f64;
        batches.count += 1.0;
        batches.sum += rtp;
        batches.sum_squares += rtp * rtp;
        let mean = 100.0 * progress.paid as f64 / progress.wagered as f64;
        let variance = batches.sum_squares / batches.count - (batches.sum / batches.count).powi(2);
        let half_width = 1.96 * (variance.max(0.0) / (batches.count - 1.0).max(1.0)).sqrt();
        let percent = 100 * u128::from(progress.spins_done) / u128::from(progress.spins.max(1));
        self.bar.set_message(line(&self.name, percent, self.bar.per_sec(), self.bar.eta(), mean, half_width));
    }

    fn stop_requested(&self) -> bool {
        interrupted()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_fits_80_columns() {
        let usual = line("classic-hits", 42, 17_315_061.892_8, Duration::from_secs(12), 66.4977, 0.0793);
        assert_eq!(usual, "classic-hits   42 %  17.3 M spins/s  12 s left  RTP 66.50 ± 0.08 % + jackpots");
        let long = "a-game-of-a-very-long-name-indeed 1/7";
        for (rate, left, rtp) in [(0.0, u64::MAX, 0.0), (999.96e6, 7_199, 12_345.678), (9e11, 3_000_000_000, 1e6)] {
            let text = line(long, 100, rate, Duration::from_secs(left), rtp, rtp / 3.0);
            assert!(columns(&text) <= 80, "{}: {text}", columns(&text));
        }
    }
}
