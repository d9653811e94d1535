// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubLab
internal import Scenarios

/// Every kind of scenario that there is: a lab that brings one is named here.
enum ScenarioKinds {
  /// The kinds, lab by lab.
  static let all: [ScenarioKind] =
    Labs.kinds + ClubScenarios.kinds
}
