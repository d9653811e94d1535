// SPDX-License-Identifier: Apache-2.0

/// Quantities as displayed text, the same in every locale, rounded by integer arithmetic, halves up.
public enum ClubDisplay {
  /// The text for a missing value.
  public static let nothing = "–"

  /// Kilometres with one decimal: `42.3 km`.
  public static func distance(_ decimetres: Int) -> String { "\(tenths(Ratio(decimetres).rounded(over: 1000))) km" }

  /// Kilometres per hour with one decimal: `28.4 km/h`; a dash for no speed.
  public static func speed(_ speed: Ratio?) -> String {
    speed.map { "\(tenths($0.rounded(times: 36, over: 10))) km/h" } ?? nothing
  }

  /// Hours and minutes, to the nearest minute: `1h 28m`, `28m`; under one minute seconds: `42s`.
  public static func duration(_ seconds: Int) -> String {
    guard seconds >= 60 else { return "\(max(0, seconds))s" }
    let minutes = Ratio(seconds).rounded(over: 60)
    return minutes < 60 ? "\(minutes)m" : "\(minutes / 60)h \(minutes % 60)m"
  }

  /// Integer metres with thousands separators: `850 m`, `1,234 m`.
  public static func elevation(_ decimetres: Int) -> String {
    let digits = Array("\(Ratio(decimetres).rounded(over: 10))")
    let groups = digits.indices.map { ($0 > 0 && (digits.count - $0) % 3 == 0 ? "," : "") + String(digits[$0]) }
    return groups.joined() + " m"
  }

  /// A percentage with one decimal: `12.5%`; a dash for none.
  public static func percentage(_ tenthsOfPercent: Int?) -> String {
    tenthsOfPercent.map { "\($0 < 0 ? "-" : "")\(tenths(Int(clamping: $0.magnitude)))%" } ?? nothing
  }

  /// The text with a single full stop at its end, also after an initial, which has its own.
  static func sentence(_ text: String) -> String { text.hasSuffix(".") ? text : text + "." }

  /// An integer number of tenths as a decimal.
  static func tenths(_ number: Int) -> String { "\(number / 10).\(number % 10)" }
}
