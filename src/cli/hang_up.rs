//! HUP, which the end of a terminal sends: `nohup` starts a process that ignores it, and that must stay so.

/// Whether this process was started to ignore HUP.
#[cfg(unix)]
pub fn is_ignored() -> bool {
    // SAFETY: a null pointer for the new action only asks for the present one, written to memory of ours.
    unsafe {
        let mut present: libc::sigaction = std::mem::zeroed();
        libc::sigaction(libc::SIGHUP, std::ptr::null(), &raw mut present) == 0 && present.sa_sigaction == libc::SIG_IGN
    }
}

/// Ignores HUP again, whatever handler was set for it.
#[cfg(unix)]
pub fn ignore() {
    // SAFETY: SIG_IGN runs no code.
    unsafe {
        libc::signal(libc::SIGHUP, libc::SIG_IGN);
    }
}

/// There is no HUP elsewhere.
#[cfg(not(unix))]
pub fn is_ignored() -> bool {
    false
}

/// There is no HUP elsewhere.
#[cfg(not(unix))]
pub fn ignore() {}
