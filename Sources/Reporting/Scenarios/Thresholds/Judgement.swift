// SPDX-License-Identifier: GPL-3.0-or-later

/// What a threshold, or a whole run, comes to.
package enum Judgement: String, CaseIterable, Hashable, Sendable, Codable {
  /// It holds, at the confidence asked for.
  case holds
  /// Its opposite holds, at the confidence asked for.
  case fails
  /// There are too few samples to say.
  case undecided

  /// What several come to: one that fails fails them all, and one undecided leaves the rest undecided.
  package static func all(_ parts: some Sequence<Judgement>) -> Judgement {
    parts.reduce(.holds) { whole, part in
      switch (whole, part) {
      case (.fails, _), (_, .fails): .fails
      case (.undecided, _), (_, .undecided): .undecided
      default: .holds
      }
    }
  }
}
