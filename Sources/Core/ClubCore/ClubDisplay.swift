// SPDX-License-Identifier: Apache-2.0
internal import CoreDates

/// Quantities as people read them, the same in every locale, rounded by integers, halves up.
public enum ClubDisplay {
  /// What stands where there is no value.
  public static let nothing = "–"

  /// Kilometres with one decimal: `42.3 km`.
  public static func distance(_ decimetres: Int) -> String { "\(tenths(Ratio(decimetres).rounded(over: 1000))) km" }

  /// Kilometres per hour with one decimal: `28.4 km/h`; a dash for no speed.
  public static func speed(_ speed: Ratio?) -> String {
    speed.map { "\(tenths($0.rounded(times: 36, over: 10))) km/h" } ?? nothing
  }

  /// Minutes and seconds per kilometre: `5:12 /km`; a dash for no speed and for no motion. Rounded as seconds before it
  /// is parted, so that 4:59.6 is `5:00 /km`.
  public static func pace(_ speed: Ratio?) -> String {
    guard let speed, let seconds = Ratio(speed.denominator, over: speed.numerator)?.rounded(times: 10_000) else {
      return nothing
    }
    return "\(seconds / 60):\((seconds % 60).padded(to: 2)) /km"
  }

  /// Hours and minutes, to the nearest minute: `1h 28m`, `28m`; under one minute seconds: `42s`.
  public static func duration(_ seconds: Int) -> String {
    guard seconds >= 60 else { return "\(max(0, seconds))s" }
    let minutes = Ratio(seconds).rounded(over: 60)
    return minutes < 60 ? "\(minutes)m" : "\(minutes / 60)h \(minutes % 60)m"
  }

  /// Whole metres: `850 m`; over 1000 m thousands of metres with one decimal: `1.2k`.
  public static func elevation(_ decimetres: Int) -> String {
    decimetres > 10_000
      ? "\(tenths(Ratio(decimetres).rounded(over: 1000)))k" : "\(Ratio(decimetres).rounded(over: 10)) m"
  }

  /// A percentage with one decimal: `12.5%`; a dash for none.
  public static func percentage(_ tenthsOfPercent: Int?) -> String {
    tenthsOfPercent.map { "\($0 < 0 ? "-" : "")\(tenths(Int(clamping: $0.magnitude)))%" } ?? nothing
  }

  /// A whole number with its last digit behind the point.
  static func tenths(_ number: Int) -> String { "\(number / 10).\(number % 10)" }
}

extension Metric {
  /// A value in the metric's unit as people read it: `42.3 km`, `3 rides`, `28.4 km/h`, `850 m`; a dash for none.
  public func shown(_ value: Ratio?) -> String {
    guard let value else { return ClubDisplay.nothing }
    switch self {
    case .distance: return ClubDisplay.distance(value.rounded())
    case .rides: return value.rounded() == 1 ? "1 ride" : "\(value.rounded()) rides"
    case .speed: return ClubDisplay.speed(value)
    case .elevation: return ClubDisplay.elevation(value.rounded())
    }
  }
}

/// What sentences call one of the activities that count.
public enum ActivityNoun: String, CaseIterable, Hashable, Sendable {
  /// Where cycling counts: `3 rides`.
  case ride
  /// Where running counts: `3 runs`, and speeds are minutes per kilometre.
  case run
  /// Where everything counts: `3 activities`.
  case activity

  /// The word for several.
  public var plural: String { self == .activity ? "activities" : rawValue + "s" }

  /// So many: `1 ride`, `3 rides`.
  public func counted(_ count: Int) -> String { "\(count) \(count == 1 ? rawValue : plural)" }
}
