// SPDX-License-Identifier: GPL-3.0-or-later

/// Why a case was given up without a verdict.
public enum Discard: Error, Sendable, Hashable, Codable {
  /// The property's `assume` did not hold.
  case assumption
  /// A generator's `filter` refused too many values in a row.
  case filtered
  /// The case needed more choices than a tape holds.
  case tooLarge
  /// The generator has nothing to make at all, for the reason given.
  case impossible(String)
}
