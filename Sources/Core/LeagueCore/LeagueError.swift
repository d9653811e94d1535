// SPDX-License-Identifier: Apache-2.0

/// What can be wrong with the teams of a league, with what a person needs to mend it.
public enum LeagueError: Error, Hashable, Sendable {
  /// A value that no season has; the team is nil where the value does not know whose it is.
  case badValue(team: String?, field: String, found: String, expected: String)
  /// Two teams with one id: nobody could say which of them a rank belongs to.
  case duplicateTeam(id: Int, first: String, second: String)
}

extension LeagueError: CustomStringConvertible {
  /// One sentence: whose value, which, what was found, and what was expected.
  public var description: String {
    switch self {
    case .badValue(let team, let field, let found, let expected):
      "\(team.map { "team '\($0)', " } ?? "")\(field): found \(found), expected \(expected)."
    case .duplicateTeam(let id, let first, let second):
      "team '\(second)', id: found \(id), expected an id of its own; '\(first)' has \(id) already."
    }
  }

  /// The same error, knowing whose value it was.
  func of(team name: String) -> LeagueError {
    guard case .badValue(nil, let field, let found, let expected) = self else { return self }
    return .badValue(team: name, field: field, found: found, expected: expected)
  }
}
