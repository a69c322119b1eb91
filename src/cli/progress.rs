//! Progress on stderr, and the end of a run by Ctrl-C, behind the engine's observer.

use crate::sim::{Observer, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Makes Ctrl-C (and a polite kill) end the run after what is already played. A second one ends the process at once.
pub fn catch_interrupts() {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        // Without a handler an interrupt simply ends the process; nothing half-written is left then either.
        let _ = ctrlc::set_handler(|| {
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
    });
}

/// Whether an interrupt came.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Shows spins/s, time left and the RTP so far with its interval.
pub struct Bar {
    bar: ProgressBar,
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
        let template = "{prefix:.bold} {bar:20} {percent:>3} %  {human_pos} spins  {per_sec}  {eta} left  {msg}";
        bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_prefix(name.to_string());
        Self { bar, batches: Mutex::default() }
    }

    /// Takes the bar off the screen.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
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
        self.bar.set_message(format!("RTP before jackpots {mean:.3} ± {half_width:.3} %"));
    }

    fn stop_requested(&self) -> bool {
        interrupted()
    }
}
