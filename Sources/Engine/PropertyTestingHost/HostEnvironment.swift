// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import PropertyTesting

/// What the environment asks of every check of a test run.
struct HostEnvironment: Sendable, Hashable {
  /// `ASSAY_SEED`: the seed of every check, instead of its own.
  var seed: UInt64?
  /// `ASSAY_CASES`: how many cases every property is to pass, instead of its own number.
  var cases: Int?
  /// `ASSAY_REPLAY`: a case to run again; its property is not tested otherwise.
  var replay: ReplayToken?
  /// `ASSAY_EXAMPLES`: the folder in which failing cases are kept, empty for none. When nothing is said they are kept
  /// in `.assay/examples` if that folder is there, so that no test run litters a project that never asked for it.
  var examples: ExampleStore?

  init(
    _ environment: [String: String],
    isFolder: (String) -> Bool = { URL(filePath: $0, directoryHint: .isDirectory).isFolder }
  ) throws(HostError) {
    if let text = environment["ASSAY_SEED"] {
      guard let seed = UInt64(text) else {
        throw .badVariable("ASSAY_SEED", found: text, expected: "a whole number from 0 to \(UInt64.max)")
      }
      self.seed = seed
    }
    if let text = environment["ASSAY_CASES"] {
      guard let cases = Int(text), cases > 0 else {
        throw .badVariable("ASSAY_CASES", found: text, expected: "a whole number of at least 1")
      }
      self.cases = cases
    }
    if let text = environment["ASSAY_REPLAY"] {
      do throws(ReplayError) {
        replay = try ReplayToken(parsing: text)
      } catch {
        throw .badVariable("ASSAY_REPLAY", found: text, expected: "what a failure printed (\(error))")
      }
    }
    switch environment["ASSAY_EXAMPLES"] {
    case nil: examples = isFolder(ExampleStore.usualFolder) ? ExampleStore() : nil
    case "": examples = nil
    case let folder?: examples = ExampleStore(folder: folder)
    }
  }

  func applied(to settings: CheckSettings) -> CheckSettings {
    var settings = settings
    settings.seed = seed ?? settings.seed
    settings.cases = cases ?? settings.cases
    // The test library's expectations are seen on the thread of the test alone.
    settings.jobs = 1
    return settings
  }
}

extension URL {
  fileprivate var isFolder: Bool { (try? resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true }
}
