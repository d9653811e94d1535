// SPDX-License-Identifier: GPL-3.0-or-later
public import Scenarios

/// The kinds of scenarios about clubs.
public enum ClubScenarios {
  /// All of them.
  public static let kinds: [ScenarioKind] = []
}
