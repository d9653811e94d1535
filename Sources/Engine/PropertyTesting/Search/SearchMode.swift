// SPDX-License-Identifier: GPL-3.0-or-later

/// How cases are looked for.
public enum SearchMode: String, Sendable, Hashable, CaseIterable, Codable {
  /// Independent cases, edges and repetitions more often than chance.
  case uniform
  /// Changed copies of the cases for which `target` gave the highest scores; one case in four stays independent.
  case target
  /// Independent cases, each with some alternatives of `oneOf` switched off, so that rare combinations of the others
  /// get room.
  case swarm
}
