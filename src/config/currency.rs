//! The currencies of ISO 4217 and the digits of their minor units.

const NO_DIGITS: &str = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF";
const TWO_DIGITS: &str = "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD \
    CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD \
    HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU \
    MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK \
    SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD \
    XCG YER ZAR ZMW ZWG";
const THREE_DIGITS: &str = "BHD IQD JOD KWD LYD OMR TND";
const FOUR_DIGITS: &str = "CLF UYW";

/// Decimal digits of a currency's minor unit; `None` for an unknown code.
pub(super) fn minor_digits(code: &str) -> Option<u32> {
    codes().find(|(known, _)| *known == code).map(|(_, digits)| digits)
}

/// Every known code with its digits.
pub(super) fn codes() -> impl Iterator<Item = (&'static str, u32)> + Clone {
    [(NO_DIGITS, 0), (TWO_DIGITS, 2), (THREE_DIGITS, 3), (FOUR_DIGITS, 4)]
        .into_iter()
        .flat_map(|(list, digits)| list.split_whitespace().map(move |code| (code, digits)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minor_units_are_those_of_iso_4217() {
        assert_eq!(minor_digits("USD"), Some(2));
        assert_eq!(minor_digits("JPY"), Some(0));
        assert_eq!(minor_digits("KWD"), Some(3));
        assert_eq!(minor_digits("usd"), None);
        assert_eq!(minor_digits("XXX"), None);
        assert!(codes().all(|(code, _)| code.len() == 3));
    }
}
