// SPDX-License-Identifier: GPL-3.0-or-later
package import Scenarios

/// Fantasy leagues: what a power ranking is worth against luck.
package enum Leagues: Lab {
  package static let name = "league"
  package static let summary = "Fantasy leagues: what a power ranking finds, and what luck does to it."
  package static var experiments: [any Experiment.Type] { [Seasons.self] }
}
