// SPDX-License-Identifier: GPL-3.0-or-later
package import Reporting

/// A problem with stored results, with the information to fix it.
package enum ArchiveError: InputError, Hashable {
  case file(ReportingError)
  case newerSchema(file: String, found: String, known: String, version: String?)
  case otherSchema(file: String, found: String, expected: String)
  case missing(file: String)
  case inUse(folder: String, process: Int?, since: String?)
  case notAFolder(path: String)
  case noRunFolders(path: String)
  case reservedName(name: String, folder: String)
  case history(path: String, HistoryProblem)
  case baseline(found: String, expected: String)
  case checkpoint(path: String, problem: String)
  case indivisible(kind: String)
}

extension ArchiveError {
  /// True if the only problem is that the history has no such run.
  package var isAboutNoRun: Bool {
    switch self {
    case .history(_, .missing), .history(_, .empty), .history(_, .noSuchScenario): true
    default: false
    }
  }

  /// True if a file is of a version of Assay that this one cannot read.
  var isAboutNewer: Bool { if case .newerSchema = self { true } else { false } }

  package var description: String {
    switch self {
    case .file(let error): error.description
    case .newerSchema(let file, let found, let known, let version):
      "\(file): schema: found \(found)\(version.map { ", made by Assay \($0)" } ?? ""); this is Assay"
        + " \(Version.current), which knows \(known); update it, or choose another folder with --runs."
    case .otherSchema(let file, let found, let expected):
      "\(file): schema: found \(found), expected \(expected)."
    case .missing(let file):
      "\(file): no such file, although a run's folder needs it; run the scenario again."
    case .inUse(let folder, let process, let since):
      "cannot write '\(folder)': another run is writing there"
        + " (process \(process.map { "\($0)" } ?? "unknown")\(since.map { ", since \($0)" } ?? ""));"
        + " wait for its end, or choose another folder with --runs."
    case .notAFolder(let path):
      "'\(path)' is not a folder; choose another place."
    case .noRunFolders(let path):
      "--runs: found no folder '\(path)', expected the one in which runs have their folders, for example Results/runs."
    case .reservedName(let name, let folder):
      "cannot write '\(folder)/\(name)': the name is no plain file name, or one that every run's folder has;"
        + " the scenario's kind must choose another."
    case .history(let path, let problem): "history '\(path)': \(problem)"
    case .baseline(let found, let expected): "--baseline: found \(found), expected \(expected)."
    case .checkpoint(let path, let problem): "checkpoint '\(path)': \(problem)."
    case .indivisible(let kind):
      "--shard: found a scenario of kind \(kind), which is not played in blocks that machines could share; "
        + "run it without --shard."
    }
  }
}

package enum HistoryProblem: Error, Hashable, Sendable {
  case missing
  case empty
  case isFolder
  case isReadOnly(cause: String)
  /// The number of its schema is not this version's.
  case isOtherSchema(Int)
  case isForeign
  case isDamaged(cause: String)
  /// Other processes hold a lock of the file or of its folder.
  case isInUse(String)
  case refused(cause: String)
  case noSuchRun(String, nearest: String?, known: [String])
  case noEarlierRun(String, runs: Int)
  /// The commit has no run; `known` are the commits that have one, the newest run first.
  case noRunAtCommit(String, commit: String, scenario: String?, known: [String])
  case noSuchScenario(String, nearest: String?, known: [String])
  case noSuchMeasurement(String, scenario: String, nearest: String?, known: [String])
}

extension HistoryProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missing, .empty:
      "no run is recorded yet; 'assay run FILE' records one, and so does every command with --report."
    case .isFolder:
      "it is a folder; move it away, or name another file with --history."
    case .isReadOnly(let cause):
      "\(cause); make it writable, or name another file with --history."
    case .isOtherSchema(let schema):
      "another version of Assay wrote it (schema \(schema), this version has \(HistorySchema.number)); "
        + "use that version, or name another file with --history. Nothing was changed."
    case .isForeign:
      "it is not an Assay history; name another file with --history. Nothing was changed."
    case .isDamaged(let cause):
      "it is damaged (\(cause)); 'assay results rebuild' keeps it under another name and reads the runs that have "
        + "folders into a new one."
    case .isInUse(let path):
      "another process holds a lock of '\(path)'; wait for the end of that process, or end it, and try again."
    case .refused(let cause):
      "\(cause); fix that and try again, or name another file with --history."
    case .noSuchRun(let name, let nearest, let known):
      "found no run '\(name)'\(Spelling.hint(nearest)), expected the number of a run, 'latest', a scenario "
        + "(\(Self.listed(known))), with ~1 behind it for the one before, or a commit."
    case .noEarlierRun(let name, let runs):
      "found no run '\(name)': \(runs == 1 ? "there is 1 run" : "there are \(runs) runs"), "
        + "expected at most ~\(runs - 1) behind the name."
    case .noRunAtCommit(let name, let commit, let scenario, let known):
      "found no run\(scenario.map { " of '\($0)'" } ?? "") at '\(name)' (commit \(commit)), expected "
        + (known.isEmpty
          ? "a run that knows its commit, and there is none: a program in the .build of its package records it."
          : "a commit that has one: \(Self.listed(known)).")
    case .noSuchScenario(let name, let nearest, let known):
      "found no run of a scenario '\(name)'\(Spelling.hint(nearest)), expected one of \(Self.listed(known))."
    case .noSuchMeasurement(let name, let scenario, let nearest, let known):
      "no run of '\(scenario)' measured '\(name)'\(Spelling.hint(nearest)), expected one of \(Self.listed(known))."
    }
  }

  private static func listed(_ names: [String]) -> String { names.joined(separator: ", ") }
}
