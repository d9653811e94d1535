// SPDX-License-Identifier: GPL-3.0-or-later
package import Reporting

/// What can be wrong with kept results, with what a person needs to mend it.
package enum ArchiveError: Error, Hashable, Sendable {
  /// A file does not let itself be written or read, or does not hold what it should.
  case file(ReportingError)
  /// A file was made by a newer Assay than this one.
  case newerSchema(file: String, found: String, known: String, version: String?)
  /// A file holds something else than what its name promises.
  case otherSchema(file: String, found: String, expected: String)
  /// A run's folder lacks a file that it needs.
  case missing(file: String)
  /// Another run is writing into the folder.
  case inUse(folder: String, process: Int?, since: String?)
  /// What should be a folder is something else.
  case notAFolder(path: String)
  /// A result brings a file whose name it may not have.
  case reservedName(name: String, folder: String)
  /// The history cannot be used, or has not what it was asked for.
  case history(path: String, HistoryProblem)
}

extension ArchiveError: CustomStringConvertible {
  /// One sentence: where, what is wrong, the value found, and how to mend it.
  package var description: String {
    switch self {
    case .file(let error): error.description
    case .newerSchema(let file, let found, let known, let version):
      "\(file): schema: found \(found)\(version.map { ", made by Assay \($0)" } ?? ""); this is Assay"
        + " \(Version.current), which knows \(known); update it, or choose another folder with --out."
    case .otherSchema(let file, let found, let expected):
      "\(file): schema: found \(found), expected \(expected)."
    case .missing(let file):
      "\(file): no such file, although a run's folder needs it; run the scenario again."
    case .inUse(let folder, let process, let since):
      "cannot write '\(folder)': another run is writing there"
        + " (process \(process.map { "\($0)" } ?? "unknown")\(since.map { ", since \($0)" } ?? ""));"
        + " wait for its end, or choose another folder with --out."
    case .notAFolder(let path):
      "'\(path)' is not a folder; choose another place."
    case .reservedName(let name, let folder):
      "cannot write '\(folder)/\(name)': the name is no plain file name, or one that every run's folder has;"
        + " the scenario's kind must choose another."
    case .history(let path, let problem): "history '\(path)': \(problem)"
    }
  }
}
