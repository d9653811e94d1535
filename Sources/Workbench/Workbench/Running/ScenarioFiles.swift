// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import Foundation
internal import Reporting
internal import Scenarios

/// Scenario files, read together: all their errors are reported at once, before the first one runs.
struct ScenarioFiles {
  /// The folder whose scenarios are run if none is named.
  static let defaultFolder = "Scenarios"

  let scenarios: [Scenario]

  init(
    _ files: [String], kinds: [any Experiment.Type], overrides: [String: ScenarioField] = [:],
    thresholds: [ScenarioField] = []
  ) throws(InputProblems) {
    var problems: [InputProblems.Problem] = []
    var scenarios: [Scenario] = []
    for file in files {
      do throws(ReportingError) {
        let scenario = try Scenario(
          ScenarioDocument(contentsOf: file), kinds: kinds, overrides: overrides, thresholds: thresholds)
        Log.info(
          "read",
          [
            "file": file, "kind": scenario.kind, "thresholds": "\(scenario.thresholds.count)",
            "digest": scenario.digest,
          ])
        scenarios.append(scenario)
      } catch {
        problems += error.each.map { .init(error: $0, file: file) }
      }
    }
    // Two runs into one folder would leave the second's result only.
    var known: [[String]: String] = [:]
    for one in scenarios {
      guard let earlier = known.updateValue(one.file, forKey: [one.slug, one.resolved]) else { continue }
      let error = CommandError.refused(
        "'\(one.file)' and '\(earlier)' say the same under the same name, and would both be kept in "
          + "'\(one.slug)-\(one.digest)'; run one of them, or rename a file.")
      problems.append(.init(error: error, file: one.file))
    }
    guard problems.isEmpty else { throw InputProblems(problems: problems) }
    self.scenarios = scenarios
  }

  /// The files that arguments name: a folder stands for the scenarios in it.
  static func named(by arguments: [String]) throws(CommandError) -> [String] {
    var files: [String] = []
    for argument in arguments {
      switch argument == "-" ? .pipe : FileKind(behind: argument) {
      case .folder: files += try all(in: argument)
      case .pipe, .socket, .device:
        throw .badValue(
          option: "scenario", found: argument, expected: "a file: a result is kept under its scenario's name")
      case .nothing, .file, .link: files.append(argument)
      }
    }
    return files
  }

  /// The scenarios of a folder, by name.
  ///
  /// - Throws: `CommandError.refused`.
  static func all(in folder: String) throws(CommandError) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let files = names.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }.sorted()
    guard !files.isEmpty else {
      throw .refused(
        "no scenario: '\(folder)' holds no .yaml file; name one, or begin one by assay scenario new.")
    }
    return files.map { folder.hasSuffix("/") ? folder + $0 : "\(folder)/\($0)" }
  }
}
