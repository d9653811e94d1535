// SPDX-License-Identifier: GPL-3.0-or-later

/// What can be wrong with the history, or with what it is asked for.
package enum HistoryProblem: Hashable, Sendable {
  /// There is none yet.
  case missing
  /// There is one, and no run in it.
  case empty
  /// A folder stands where it should be.
  case isFolder
  /// It does not let itself be written.
  case isReadOnly(cause: String)
  /// A newer Assay wrote it: these steps of its schema are not known here.
  case isNewer(steps: [String])
  /// It is a database, but of something else.
  case isForeign
  /// The database refuses: what it says.
  case refused(cause: String)
  /// No run goes by that name.
  case noSuchRun(String, nearest: String?, known: [String])
  /// A scenario, or all of them, have fewer runs than to go back so far.
  case noEarlierRun(String, runs: Int)
  /// The scenario was never run.
  case noSuchScenario(String, nearest: String?, known: [String])
  /// No run of the scenario measured that.
  case noSuchMeasurement(String, scenario: String, nearest: String?, known: [String])
}

extension HistoryProblem: CustomStringConvertible {
  /// What is wrong, and how to go on, in a sentence.
  package var description: String {
    switch self {
    case .missing, .empty:
      "no run is recorded yet; begin with one, for example assay run Scenarios/quick.yaml."
    case .isFolder:
      "it is a folder; move it away, or name another file with --history."
    case .isReadOnly(let cause):
      "\(cause); make it writable, or name another file with --history."
    case .isNewer(let steps):
      "a newer version of Assay wrote it (it knows \(steps.map { "'\($0)'" }.joined(separator: ", "))); "
        + "use that version, or name another file with --history. Nothing was changed."
    case .isForeign:
      "it is a SQLite database, but no history of Assay; name another file with --history. Nothing was changed."
    case .refused(let cause):
      "SQLite says: \(cause); try again, and where that does not help move the file away and "
        + "'assay results rebuild'."
    case .noSuchRun(let name, let nearest, let known):
      "found no run '\(name)'\(Self.suggestion(nearest)), expected the number of a run, 'latest', or a scenario "
        + "(\(Self.listed(known))), with ~1 behind it for the one before."
    case .noEarlierRun(let name, let runs):
      "found no run '\(name)': \(runs == 1 ? "there is 1 run" : "there are \(runs) runs"), "
        + "expected at most ~\(runs - 1) behind the name."
    case .noSuchScenario(let name, let nearest, let known):
      "found no run of a scenario '\(name)'\(Self.suggestion(nearest)), expected one of \(Self.listed(known))."
    case .noSuchMeasurement(let name, let scenario, let nearest, let known):
      "no run of '\(scenario)' measured '\(name)'\(Self.suggestion(nearest)), expected one of \(Self.listed(known))."
    }
  }

  private static func suggestion(_ nearest: String?) -> String {
    nearest.map { " (did you mean '\($0)'?)" } ?? ""
  }

  private static func listed(_ names: [String]) -> String { names.joined(separator: ", ") }
}
