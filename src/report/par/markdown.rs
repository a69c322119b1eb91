//! The sheet in Markdown.

use super::super::traffic::days_text;
use super::ParSheet;
use super::table::{headline, text};
use std::io::{self, Write};

pub fn render(sheet: &ParSheet, writer: &mut dyn Write) -> io::Result<()> {
    writeln!(writer, "# {}\n\n{}\n", sheet.game, headline(sheet))?;
    writeln!(writer, "| figure | exact | published | |\n|---|--:|--:|---|")?;
    for metric in sheet.metrics() {
        let published = metric.published.as_ref();
        let mark = match published.and_then(|published| published.agrees) {
            Some(true) => "agrees",
            Some(false) => "**differs**",
            None => "",
        };
        let printed = published.map_or("", |published| &published.text);
        writeln!(writer, "| {} | {} | {printed} | {mark} |", metric.label, text(metric))?;
    }
    if !sheet.combinations.is_empty() {
        writeln!(writer, "\n| combination | pays x | ways | 1 in | RTP % |\n|---|--:|--:|--:|--:|")?;
        for row in &sheet.combinations {
            let (name, one_in, rtp) = (&row.name, row.one_in, row.rtp * 100.0);
            writeln!(writer, "| {} {name} | {} | {} | {one_in:.2} | {rtp:.4} |", row.count, row.pay, row.windows)?;
        }
    }
    if !sheet.pools.is_empty() {
        writeln!(writer, "\n| pool | spins between hits | mean {} | RTP seed % | RTP growth % |", sheet.currency)?;
        writeln!(writer, "|---|--:|--:|--:|--:|")?;
        for pool in &sheet.pools {
            let bet = pool.bet.as_ref().map_or(String::new(), |bet| format!(" at {bet}"));
            let (gap, mean) = (pool.hits_one_in, pool.amount_mean);
            let (seed, growth) = (pool.rtp_seed * 100.0, pool.rtp_growth * 100.0);
            writeln!(writer, "| {}{bet} | {gap:.2} | {mean:.2} | {seed:.4} | {growth:.4} |", pool.level)?;
        }
    }
    if let Some(days) = &sheet.days {
        writeln!(writer, "\n| pool, {} | every | median | 95 % within |", days.traffic.words())?;
        writeln!(writer, "|---|--:|--:|--:|")?;
        for row in &days.pools {
            let bet = row.bet.as_ref().map_or(String::new(), |bet| format!(" at {bet}"));
            let [mean, median, within] = [row.days_mean, row.days_median, row.days_95].map(days_text);
            writeln!(writer, "| {}{bet} | {mean} | {median} | {within} |", row.level)?;
        }
    }
    writeln!(writer, "\nA run of {} spins is expected to show:\n", sheet.spins)?;
    writeln!(writer, "| part | paid % | ± | accrued % |\n|---|--:|--:|--:|")?;
    for row in &sheet.finite {
        let reach = row.paid_half_width.map_or("-".into(), |half| format!("{:.4}", half * 100.0));
        writeln!(writer, "| {} | {:.4} | {reach} | {:.4} |", row.part, row.paid * 100.0, row.accrued * 100.0)?;
    }
    for note in &sheet.notes {
        writeln!(writer, "\n{note}")?;
    }
    Ok(())
}
