//! CSV files. A column that ends in `_currency` holds money in the currency's major unit, one in `_share` a share of 1;
//! `currency_code` names the currency. A missing figure is blank.

use super::numbers::{figure, major, ratio, signed, slugs};
use super::result::{Expectation, Law};
use super::traffic::InDays;
use super::view::View;
use super::view::jackpots::{Figures, LevelView};
use super::view::parts::{Part, Share};
use std::io::{self, Write};

/// A row with the name of each column beside its value, so that none of them strays.
type Row = Vec<(&'static str, String)>;

fn write_rows(header: &[&str], rows: Vec<Row>, writer: &mut dyn Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(writer);
    csv.write_record(header)?;
    for row in rows {
        debug_assert!(row.iter().map(|(name, _)| name).eq(header));
        csv.write_record(row.iter().map(|(_, value)| value))?;
    }
    csv.flush()
}

/// A game's file name as a cell: it may hold any letter.
fn quoted(name: &str) -> String {
    let plain = !name.contains([',', '"', '\n', '\r']);
    if plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

fn whole(value: Option<impl ToString>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// `rtp.csv`: a row for each part of RTP and for each bet.
pub fn rtp(view: &View, writer: &mut dyn Write) -> io::Result<()> {
    let parts = &view.parts;
    let mut rows = vec![part_row(view, "total", "", &parts.total), part_row(view, "base", "", &parts.base)];
    rows.push(part_row(view, "features", "", &parts.features));
    rows.push(part_row(view, "base and features", "", &parts.base_and_features));
    rows.extend(parts.jackpots.iter().map(|part| part_row(view, "jackpots", "", part)));
    for (level, part) in view.levels.iter().zip(&parts.levels) {
        let name = &level.record.name;
        let split = |paid_money: u128, value: Option<f64>, long_run: fn(&Expectation) -> f64| Part {
            paid_money,
            paid: Share { value, ..Share::default() },
            long_run: level.record.expected.as_ref().map(long_run),
            ..Part::default()
        };
        rows.push(part_row(view, "level", name, part));
        let seed = split(level.all.paid_seed, level.rtp_seed, |expected| expected.rtp_seed);
        rows.push(part_row(view, "level seed", name, &seed));
        let growth = level.all.paid - level.all.paid_seed;
        rows.push(part_row(
            view,
            "level growth",
            name,
            &split(growth, level.rtp_growth, |expected| expected.rtp_growth),
        ));
    }
    rows.extend((0..view.bets.len()).map(|bet| bet_row(view, bet)));
    let header: Vec<_> = rows[0].iter().map(|&(name, _)| name).collect();
    write_rows(&header, rows, writer)
}

fn part_row(view: &View, name: &str, level: &str, part: &Part) -> Row {
    // Seed and growth split what was paid; they accrue together.
    let accrues = part.accrued.value.is_some();
    vec![
        ("game", view.result.game.file.clone()),
        ("part", name.into()),
        ("level", level.into()),
        ("bet_index", String::new()),
        ("bet_currency", String::new()),
        ("spins", view.spins().to_string()),
        ("wagered_currency", view.unit.exact_text(view.wagered)),
        ("paid_currency", view.unit.exact_text(part.paid_money)),
        ("paid_share", figure(part.paid.value)),
        ("paid_half_width_95_share", figure(part.paid.half_width)),
        ("paid_half_width_is_estimated", if part.estimated { "yes" } else { "" }.into()),
        ("paid_expected_share", figure(part.paid.expected)),
        ("expected_is_approximate", if part.approximate { "yes" } else { "" }.into()),
        ("paid_z", figure(part.paid.z)),
        ("accrued_currency", if accrues { money(view, part.accrued_money) } else { String::new() }),
        ("accrued_share", figure(part.accrued.value)),
        ("accrued_half_width_95_share", figure(part.accrued.half_width)),
        ("accrued_expected_share", figure(part.accrued.expected)),
        ("accrued_z", figure(part.accrued.z)),
        ("long_run_share", figure(part.long_run)),
        ("published_share", figure(part.published)),
        ("too_few_hits", if part.few_hits { "yes" } else { "" }.into()),
        ("paid_base_share", String::new()),
        ("paid_features_share", String::new()),
        ("paid_jackpots_share", String::new()),
        ("currency_code", view.unit.currency.clone()),
    ]
}

fn bet_row(view: &View, bet_index: usize) -> Row {
    let bet = &view.bets[bet_index];
    let mut row = part_row(view, "bet", "", &Part::default());
    let paid = bet.paid_base + bet.paid_features + bet.paid_jackpots;
    let mut set = |name: &str, value: String| {
        if let Some(cell) = row.iter_mut().find(|(column, _)| *column == name) {
            cell.1 = value;
        }
    };
    set("bet_index", bet_index.to_string());
    set("bet_currency", view.unit.exact_text(bet.amount.into()));
    set("spins", bet.spins.to_string());
    set("wagered_currency", view.unit.exact_text(bet.wagered));
    set("paid_currency", view.unit.exact_text(paid));
    set("paid_share", figure(bet.rtp));
    set("paid_base_share", figure(bet.rtp_base));
    set("paid_features_share", figure(bet.rtp_features));
    set("paid_jackpots_share", figure(bet.rtp_jackpots));
    row
}

fn money(view: &View, amount: i128) -> String {
    signed(amount, |units| view.unit.exact_text(units))
}

/// Columns of `jackpots.csv`, also of a game without levels.
const JACKPOT_COLUMNS: [&str; 66] = [
    "game",
    "scope",
    "level",
    "pool",
    "bet_index",
    "bet_currency",
    "trigger",
    "law",
    "seed_currency",
    "cap_currency",
    "qualifying_spins",
    "hits",
    "hits_expected",
    "hits_expected_sd",
    "hits_tolerance",
    "hits_z",
    "hits_p_value",
    "hits_mean_low_95",
    "hits_mean_high_95",
    "verdict",
    "spins_per_hit",
    "spins_between_median",
    "spins_between_95_percent",
    "spins_between_99_percent",
    "longest_drought_spins",
    "suppressed_hits",
    "deferred_spins",
    "days_per_hit",
    "days_between_95_percent",
    "amount_mean_currency",
    "amount_sd_currency",
    "amount_min_currency",
    "amount_median_currency",
    "amount_95_percent_currency",
    "amount_99_percent_currency",
    "amount_max_currency",
    "percentile_digits",
    "amount_long_run_mean_currency",
    "amount_long_run_sd_currency",
    "opening_currency",
    "contributions_currency",
    "seeds_currency",
    "top_ups_currency",
    "from_reserve_currency",
    "received_currency",
    "paid_currency",
    "closing_currency",
    "overflow_currency",
    "residue_currency",
    "paid_seed_currency",
    "meter_currency",
    "liability_currency",
    "reserve_in_currency",
    "reserve_released_currency",
    "reserve_closing_currency",
    "short_resets",
    "paid_expected_currency",
    "paid_expected_sd_currency",
    "paid_tolerance_currency",
    "paid_z",
    "accrued_currency",
    "accrued_expected_currency",
    "accrued_expected_sd_currency",
    "accrued_z",
    "expectation_basis",
    "currency_code",
];

/// `jackpots.csv`: a row for each level, followed by one for each of its pools.
pub fn jackpots(view: &View, writer: &mut dyn Write) -> io::Result<()> {
    let mut rows = Vec::new();
    for level in &view.levels {
        rows.push(jackpot_row(view, level, None));
        rows.extend((0..level.pools.len()).map(|pool| jackpot_row(view, level, Some(pool))));
    }
    write_rows(&JACKPOT_COLUMNS, rows, writer)
}

fn jackpot_row(view: &View, level: &LevelView, pool: Option<usize>) -> Row {
    let pool = pool.map(|pool| &level.pools[pool]);
    let record = pool.map(|pool| pool.record);
    let figures = pool.map_or(&level.all, |pool| &pool.figures);
    let expected = pool.map_or(level.record.expected.as_ref(), |pool| pool.record.expected.as_ref());
    let units = |amount: u128| view.unit.exact_text(amount);
    let bet_index = record.and_then(|record| record.bet_index);
    let law = match level.record.law {
        Law::Odds => "odds",
        Law::MustHitByUniform => "must_hit_by_uniform",
        Law::MustHitByWeighted => "must_hit_by_weighted",
        Law::MustHitByAtCap => "must_hit_by_at_cap",
    };
    let mut row = vec![
        ("game", view.result.game.file.clone()),
        ("scope", if pool.is_some() { "pool" } else { "level" }.to_owned()),
        ("level", level.record.name.clone()),
        ("pool", record.map_or(String::new(), |record| record.field.clone())),
        ("bet_index", whole(bet_index)),
        ("bet_currency", view.bet_amount(bet_index).map_or(String::new(), |amount| units(amount.into()))),
        ("trigger", level.record.trigger.clone()),
        ("law", law.into()),
        ("seed_currency", record.map_or(String::new(), |record| units(record.seed.into()))),
        ("cap_currency", record.and_then(|record| record.cap).map_or(String::new(), |cap| units(cap.into()))),
    ];
    row.extend(hit_cells(figures, expected));
    let days = InDays::new(view, figures, pool.is_some() || level.pools.len() == 1);
    row.extend([("days_per_hit", figure(days.every)), ("days_between_95_percent", figure(days.within_95))]);
    row.extend(amount_cells(view, figures, expected));
    row.extend(ledger_cells(view, figures));
    row.extend(money_expectation_cells(view, figures, expected));
    row.push(("currency_code", view.unit.currency.clone()));
    row
}

fn hit_cells(figures: &Figures, expected: Option<&Expectation>) -> Row {
    let comparison = &figures.comparison;
    let interval = comparison.hits_interval();
    vec![
        ("qualifying_spins", figures.qualifying_spins.to_string()),
        ("hits", figures.hits.to_string()),
        ("hits_expected", figure(expected.map(|expected| expected.hits))),
        ("hits_expected_sd", figure(expected.map(|expected| expected.hits_sd))),
        ("hits_tolerance", figure(expected.map(|expected| expected.hits_tolerance))),
        ("hits_z", figure(comparison.z_hits())),
        ("hits_p_value", figure(comparison.p_value())),
        ("hits_mean_low_95", figure(interval.map(|interval| interval.0))),
        ("hits_mean_high_95", figure(interval.map(|interval| interval.1))),
        ("verdict", comparison.verdict().into()),
        ("spins_per_hit", figure(figures.spins_per_hit)),
        ("spins_between_median", whole(figures.gap.median)),
        ("spins_between_95_percent", whole(figures.gap.percentile_95)),
        ("spins_between_99_percent", whole(figures.gap.percentile_99)),
        ("longest_drought_spins", whole(figures.longest_drought)),
        ("suppressed_hits", figures.suppressed.to_string()),
        ("deferred_spins", figures.deferred.to_string()),
    ]
}

fn amount_cells(view: &View, figures: &Figures, expected: Option<&Expectation>) -> Row {
    let mean = |units: Option<f64>| figure(units.map(|units| major(&view.unit, units)));
    let exact = |units: Option<u64>| units.map_or(String::new(), |units| view.unit.exact_text(units.into()));
    let amount = &figures.amount;
    vec![
        ("amount_mean_currency", mean(amount.mean)),
        ("amount_sd_currency", mean(amount.deviation)),
        ("amount_min_currency", exact(amount.minimum)),
        ("amount_median_currency", exact(amount.median)),
        ("amount_95_percent_currency", exact(amount.percentile_95)),
        ("amount_99_percent_currency", exact(amount.percentile_99)),
        ("amount_max_currency", exact(amount.maximum)),
        ("percentile_digits", figures.percentile_digits.to_string()),
        ("amount_long_run_mean_currency", mean(expected.map(|expected| expected.amount_mean))),
        ("amount_long_run_sd_currency", mean(expected.map(|expected| expected.amount_sd))),
    ]
}

fn ledger_cells(view: &View, figures: &Figures) -> Row {
    let units = |amount: u128| view.unit.exact_text(amount);
    vec![
        ("opening_currency", units(figures.opening)),
        ("contributions_currency", units(figures.contributions)),
        ("seeds_currency", units(figures.seeds)),
        ("top_ups_currency", units(figures.top_ups)),
        ("from_reserve_currency", units(figures.from_reserve)),
        ("received_currency", units(figures.received)),
        ("paid_currency", units(figures.paid)),
        ("closing_currency", units(figures.closing)),
        ("overflow_currency", units(figures.overflow)),
        ("residue_currency", units(figures.residue)),
        ("paid_seed_currency", units(figures.paid_seed)),
        ("meter_currency", units(figures.meter)),
        ("liability_currency", money(view, figures.liability)),
        ("reserve_in_currency", units(figures.hidden)),
        ("reserve_released_currency", units(figures.released)),
        ("reserve_closing_currency", units(figures.reserve_closing)),
        ("short_resets", figures.short_resets.to_string()),
    ]
}

fn money_expectation_cells(view: &View, figures: &Figures, expected: Option<&Expectation>) -> Row {
    let mean = |value: fn(&Expectation) -> f64| figure(expected.map(|expected| major(&view.unit, value(expected))));
    vec![
        ("paid_expected_currency", mean(|expected| expected.paid)),
        ("paid_expected_sd_currency", mean(|expected| expected.paid_sd)),
        ("paid_tolerance_currency", mean(|expected| expected.paid_tolerance)),
        ("paid_z", figure(figures.comparison.z_paid())),
        ("accrued_currency", money(view, figures.accrued)),
        ("accrued_expected_currency", mean(|expected| expected.accrued)),
        ("accrued_expected_sd_currency", mean(|expected| expected.accrued_sd)),
        ("accrued_z", figure(figures.comparison.z_accrued())),
        ("expectation_basis", expected.map_or(String::new(), |expected| expected.basis.clone())),
    ]
}

/// `payouts.csv`: spins by what they paid before jackpots.
pub fn payouts(view: &View, writer: &mut dyn Write) -> io::Result<()> {
    let scale = view.result.game.return_scale as f64;
    let spins = view.spins();
    writer.write_all(b"game,x_bet,return_units,spins,spins_share,rtp_share\n")?;
    for &(pay, count) in view.result.base.payouts.counts() {
        let x_bet = pay as f64 / scale;
        let share = ratio(count.into(), spins.into());
        let rtp = share.map(|share| share * x_bet);
        let game = quoted(&view.result.game.file);
        writeln!(writer, "{game},{},{pay},{count},{},{}", figure(Some(x_bet)), figure(share), figure(rtp))?;
    }
    Ok(())
}

/// `convergence.csv`: RTP after so many spins.
pub fn convergence(view: &View, writer: &mut dyn Write) -> io::Result<()> {
    let mut header =
        String::from("game,spins,wagered_currency,base_share,features_share,total_paid_share,total_accrued_share");
    for name in slugs(view.levels.iter().map(|level| level.record.name.as_str())) {
        header += &format!(",level_{name}_paid_share,level_{name}_accrued_share");
    }
    writeln!(writer, "{header},currency_code")?;
    for point in &view.result.series.convergence {
        let share = |money: u128| figure(ratio(money, point.wagered));
        let signed_share = |money: i128| figure((point.wagered > 0).then(|| money as f64 / point.wagered as f64));
        let spins_paid = point.paid_base + point.paid_features;
        write!(
            writer,
            "{},{},{},{},{},{},{}",
            quoted(&view.result.game.file),
            point.spins,
            view.unit.exact_text(point.wagered),
            share(point.paid_base),
            share(point.paid_features),
            share(spins_paid + point.paid_by_level.iter().sum::<u128>()),
            signed_share(spins_paid as i128 + point.accrued_by_level.iter().sum::<i128>())
        )?;
        for (&paid, &accrued) in point.paid_by_level.iter().zip(&point.accrued_by_level) {
            write!(writer, ",{},{}", share(paid), signed_share(accrued))?;
        }
        writeln!(writer, ",{}", view.unit.currency)?;
    }
    Ok(())
}

/// `meters.csv`: the lowest, highest and last meter of each pool between two points.
pub fn meters(view: &View, writer: &mut dyn Write) -> io::Result<()> {
    let pools = view.levels.iter().flat_map(|level| level.pools.iter().map(move |pool| (level, pool)));
    writer
        .write_all(b"game,pool,level,bet_index,spins,lowest_currency,highest_currency,last_currency,currency_code\n")?;
    for ((level, pool), points) in pools.zip(&view.result.series.meters) {
        let game = quoted(&view.result.game.file);
        let start = format!("{game},{},{},{}", pool.record.field, level.record.name, whole(pool.record.bet_index));
        for point in points {
            let money = |units: u64| view.unit.exact_text(units.into());
            let (lowest, highest, last) = (money(point.lowest), money(point.highest), money(point.last));
            writeln!(writer, "{start},{},{lowest},{highest},{last},{}", point.spins, view.unit.currency)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::result::RunResult;
    use super::super::sample::{empty, huge, sample};
    use super::*;
    use std::collections::HashMap;

    type Render = fn(&View, &mut dyn Write) -> io::Result<()>;

    /// Rows of a file by column; fails on a row that has not as many cells as the header.
    fn read(result: &RunResult, render: Render) -> Vec<HashMap<String, String>> {
        let mut bytes = Vec::new();
        render(&View::new(result), &mut bytes).unwrap();
        csv::Reader::from_reader(bytes.as_slice()).deserialize().collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn rtp_has_a_row_for_each_part_and_each_bet() {
        let rows = read(&sample(), rtp);
        let parts: Vec<_> = rows.iter().map(|row| row["part"].as_str()).collect();
        let levels = ["level", "level seed", "level growth"];
        let expected =
            [&["total", "base", "features", "base and features", "jackpots"], &levels[..], &["bet", "bet"]].concat();
        assert_eq!(parts, expected);
        assert_eq!((rows[0]["paid_share"].as_str(), rows[0]["published_share"].as_str()), ("0.6875", "0.7"));
        let level = &rows[5];
        assert_eq!((level["paid_share"].as_str(), level["accrued_share"].as_str()), ("0.3125", "0.325"));
        assert_eq!((level["paid_half_width_95_share"].as_str(), level["too_few_hits"].as_str()), ("", "yes"));
        assert_eq!((rows[6]["paid_currency"].as_str(), rows[7]["paid_currency"].as_str()), ("15.00", "10.00"));
        assert_eq!((rows[9]["paid_share"].as_str(), rows[9]["bet_currency"].as_str()), ("0.45", "2.00"));
    }

    #[test]
    fn jackpots_have_a_row_for_each_level_and_each_pool() {
        let rows = read(&sample(), jackpots);
        assert_eq!(rows.iter().map(|row| row["scope"].as_str()).collect::<Vec<_>>(), ["level", "pool", "pool"]);
        let pool = &rows[1];
        assert_eq!((pool["pool"].as_str(), pool["bet_currency"].as_str()), ("TBI:0_JL:mini", "1.00"));
        assert_eq!(
            (pool["amount_mean_currency"].as_str(), pool["amount_median_currency"].as_str()),
            ("8.33333333333", "8.00")
        );
        assert_eq!((pool["liability_currency"].as_str(), pool["residue_currency"].as_str()), ("1.00", "0.00"));
        assert_eq!((rows[2]["amount_mean_currency"].as_str(), rows[2]["hits"].as_str()), ("", "0"));
        assert_eq!((pool["hits_expected"].as_str(), rows[0]["hits_expected"].as_str()), ("", "4"));
    }

    #[test]
    fn series_and_payouts_have_their_points() {
        let rows = read(&sample(), convergence);
        assert_eq!(
            (rows[0]["total_paid_share"].as_str(), rows[0]["level_mini_accrued_share"].as_str()),
            ("0.6875", "0.325")
        );
        let rows = read(&sample(), meters);
        assert_eq!((rows.len(), rows[0]["highest_currency"].as_str()), (1, "10.00"));
        let rows = read(&sample(), payouts);
        assert_eq!(
            (rows[1]["x_bet"].as_str(), rows[1]["spins"].as_str(), rows[1]["spins_share"].as_str()),
            ("1", "12", "0.2")
        );
    }

    #[test]
    fn columns_are_the_same_in_every_game_and_never_alike() {
        let header = |result: &RunResult, render: Render| {
            let mut bytes = Vec::new();
            render(&View::new(result), &mut bytes).unwrap();
            String::from_utf8(bytes).unwrap().lines().next().unwrap().to_owned()
        };
        let mut without_levels = sample();
        without_levels.levels.clear();
        for render in [rtp as Render, jackpots] {
            assert_eq!(header(&without_levels, render), header(&sample(), render));
            assert!(header(&sample(), render).starts_with("game,"));
        }
        let mut total = sample();
        total.levels[0].name = "total".into();
        let columns = header(&total, convergence);
        let mut columns: Vec<_> = columns.split(',').collect();
        let count = columns.len();
        columns.sort_unstable();
        columns.dedup();
        assert_eq!(columns.len(), count);
    }

    #[test]
    fn every_file_of_every_run_can_be_read() {
        let mut without_levels = sample();
        without_levels.levels.clear();
        without_levels.series.meters.clear();
        without_levels.series.convergence.clear();
        for result in [empty(), huge(), without_levels] {
            for render in [rtp as Render, jackpots, payouts, convergence, meters] {
                for row in read(&result, render) {
                    assert!(row.values().all(|value| value != "NaN" && value != "inf"), "{row:?}");
                }
            }
        }
    }
}
