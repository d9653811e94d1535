// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension Gen where Value == Decimal {
  /// Finite decimal numbers: whole ones, some with a few digits after the point, and some of any magnitude.
  ///
  ///     Gen.decimals()
  ///
  /// Counterexamples shrink towards 0, fewer digits and whole numbers.
  public static func decimals() -> Gen<Decimal> {
    let exponents = Gen<Int>.oneOf(weighted: [(7, .integers(in: -2...0)), (1, .integers(in: -128...100))])
    return .oneOf(weighted: [
      (15, zip(Gen<Int64>.integers(), exponents).map { decimal($0, exponent: $1) }),
      (
        1,
        .elements(of: [.greatestFiniteMagnitude, .leastFiniteMagnitude, .leastNonzeroMagnitude, 1 / 3, -1 / 3, .pi])
      ),
    ])
  }

  /// Decimal numbers of a range with a fixed number of digits after the point, such as amounts of money: every number
  /// of these digits may occur. Counterexamples shrink towards the number nearest to zero.
  ///
  /// ```swift
  /// let prices = Gen<Decimal>.decimals(in: 0...999.99, digits: 2)
  /// ```
  ///
  /// - Parameters:
  ///   - range: The range of the numbers.
  ///   - digits: The number of digits after the point, from 0 to 38.
  /// - Returns: A generator; every case is discarded if no number of these digits is in the range, or if more than
  ///   2^64 are.
  public static func decimals(in range: ClosedRange<Decimal>, digits: Int) -> Gen<Decimal> {
    let unit = Decimal(sign: .plus, exponent: -min(max(digits, 0), 38), significand: 1)
    guard (0...38).contains(digits), let first = whole(range.lowerBound / unit, .up),
      let last = whole(range.upperBound / unit, .down), first <= last
    else {
      return .impossible(
        "decimals(in: \(range), digits: \(digits)) needs 0 to 38 digits, and from 1 to 2^64 numbers in its range")
    }
    return Gen<Int64>.integers(in: first...last).map { Decimal($0) * unit }
  }

  private static func decimal(_ digits: Int64, exponent: Int) -> Decimal {
    Decimal(sign: digits < 0 ? .minus : .plus, exponent: exponent, significand: Decimal(digits.magnitude))
  }

  /// The nearest integer in a direction; `nil` beyond 64 bits.
  private static func whole(_ number: Decimal, _ direction: NSDecimalNumber.RoundingMode) -> Int64? {
    var (number, rounded) = (number, Decimal())
    unsafe NSDecimalRound(&rounded, &number, 0, direction)
    return Int64("\(rounded)")
  }
}

extension Gen where Value == URL {
  /// Absolute URLs of the web, with ports, paths, queries and fragments, whose parts are often text that needs percent
  /// encoding. Counterexamples shrink towards `https://example.org`.
  ///
  ///     Gen.urls()
  public static func urls() -> Gen<URL> {
    let part = Gen<String>.oneOf(.strings(of: .alphanumeric, count: 0...8), .strings(count: 0...4)).map(encoded)
    let hosts = ["example.org", "www.example.org", "localhost", "127.0.0.1", "[::1]", "xn--bcher-kva.example"]
    let pair = zip(part, part).map { name, value in "\(name)=\(value)" }
    let scheme = Gen<String>.elements(of: ["https", "http"])
    let host = Gen<String>.elements(of: hosts)
    let port = Gen<String>.elements(of: ["", "", "", ":80", ":443", ":8080", ":65535"])
    let path = Gen<[String]>.arrays(of: part, count: 0...3).map { $0.map { "/" + $0 }.joined() }
    let query = Gen<[String]>.arrays(of: pair, count: 0...2).map { $0.isEmpty ? "" : "?" + $0.joined(separator: "&") }
    let fragment = Gen<String?>.optionals(of: part).map { $0.map { "#" + $0 } ?? "" }
    let parts = zip(scheme, host, port, path, query, fragment)
    return parts.map { (scheme: String, host: String, port: String, path: String, query: String, fragment: String) in
      let text = "\(scheme)://\(host)\(port)\(path)\(query)\(fragment)"
      guard let url = URL(string: text) else { throw Discard.filtered }
      return url
    }
  }

  private static func encoded(_ text: String) throws -> String {
    let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
    guard let encoded = text.addingPercentEncoding(withAllowedCharacters: plain) else { throw Discard.filtered }
    return encoded
  }
}

extension Gen where Value == TimeZone {
  /// Time zones: known ones in which programs go wrong, and fixed offsets of quarter hours. Counterexamples shrink
  /// towards GMT.
  ///
  ///     Gen.timeZones()
  ///
  /// The known ones have summer time in both hemispheres, by half an hour, in winter or from midnight, offsets with
  /// minutes, and changes of the date line.
  public static func timeZones() -> Gen<TimeZone> {
    let known = [
      "Europe/Berlin", "Europe/London", "America/New_York", "America/Los_Angeles", "Asia/Tokyo", "Asia/Shanghai",
      "Asia/Kolkata", "Asia/Kathmandu", "Asia/Tehran", "Asia/Beirut", "Asia/Gaza", "Asia/Pyongyang",
      "Australia/Sydney", "Australia/Lord_Howe", "Pacific/Apia", "Pacific/Kiritimati", "Pacific/Pago_Pago",
      "Pacific/Chatham", "America/St_Johns", "America/Sao_Paulo", "America/Caracas", "America/Havana",
      "Africa/Casablanca", "Africa/Cairo", "Africa/Monrovia", "Europe/Dublin", "Europe/Moscow", "Antarctica/Troll",
    ]
    let offsets = Gen<Int>.integers(in: -48...56).map { TimeZone(secondsFromGMT: $0 * 900) ?? .gmt }
    return .oneOf(weighted: [
      (1, offsets), (3, .elements(of: [.gmt] + known.compactMap { TimeZone(identifier: $0) })),
    ])
  }
}

extension Gen where Value == Locale {
  /// Locales that differ in digits, separators, sorting, letter case, direction and calendar. Counterexamples shrink
  /// towards `en_US`.
  ///
  ///     Gen.locales()
  public static func locales() -> Gen<Locale> {
    .elements(
      of: [
        "en_US", "en_US_POSIX", "en_GB", "en_IN", "de_DE", "de_CH", "de_AT", "fr_FR", "fr_CA", "es_ES", "pt_BR",
        "pl_PL", "sv_SE", "lt_LT", "tr_TR", "az_AZ", "el_GR", "ru_RU", "he_IL", "ar_EG", "ar_SA", "fa_IR", "hi_IN",
        "bn_BD", "th_TH", "zh_Hans_CN", "zh_Hant_TW", "ja_JP", "ja_JP@calendar=japanese", "ko_KR",
      ].map(Locale.init(identifier:)))
  }
}

extension Gen where Value == Calendar {
  /// Calendars of several kinds, in time zones of `Gen.timeZones()`. Counterexamples shrink towards the Gregorian
  /// calendar in GMT.
  ///
  ///     Gen.calendars()
  public static func calendars() -> Gen<Calendar> {
    let kinds: [Calendar.Identifier] = [
      .gregorian, .iso8601, .buddhist, .japanese, .hebrew, .islamicUmmAlQura, .persian, .chinese, .coptic, .indian,
    ]
    return zip(Gen<Calendar.Identifier>.elements(of: kinds), Gen<TimeZone>.timeZones()).map { kind, zone in
      var calendar = Calendar(identifier: kind)
      (calendar.timeZone, calendar.locale) = (zone, Locale(identifier: "en_US"))
      return calendar
    }
  }
}

extension Gen where Value == IndexSet {
  /// Sets of indices, such as those of rows, in runs. Counterexamples shrink towards few and small ones.
  ///
  ///     Gen.indexSets(in: 0..<50)
  public static func indexSets(in range: Range<Int> = 0..<1000) -> Gen<IndexSet> {
    let range = range.clamped(to: 0..<Int.max - 1)
    if range.isEmpty { return .just(IndexSet()) }
    let run = zip(Gen<Int>.integers(in: range), Gen<Int>.integers(in: 1...8))
    return Gen<[(Int, Int)]>.arrays(of: run, count: 0...8).map { runs in
      runs.reduce(into: IndexSet()) { set, run in
        set.insert(integersIn: (run.0..<run.0 + run.1).clamped(to: range))
      }
    }
  }
}

extension Gen where Value: OptionSet & Sendable {
  /// Sets of options, each in half of them. Counterexamples shrink towards the empty set.
  ///
  /// ```swift
  /// let values = Gen<NonFinite>.options(.nan, .infinity)
  /// ```
  public static func options(_ options: Value...) -> Gen<Value> {
    Gen(span: .tuple) { draws in
      try options.reduce(into: Value()) { set, option in
        if try draws.uniform(.index(below: 2)) == 1 { set.formUnion(option) }
      }
    }
  }
}
