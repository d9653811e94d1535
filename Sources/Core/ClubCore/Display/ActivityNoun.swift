// SPDX-License-Identifier: Apache-2.0

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
