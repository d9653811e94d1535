// SPDX-License-Identifier: GPL-3.0-or-later
internal import Scenarios

/// Every kind of scenario that there is.
enum ScenarioKinds {
  static let all: [ScenarioKind] = Labs.kinds
}
