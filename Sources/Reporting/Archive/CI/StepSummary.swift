// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting

/// The file that GitHub Actions shows below a step: every program of the step adds to it.
package struct StepSummary: Hashable, Sendable {
  /// Where it lies: `GITHUB_STEP_SUMMARY`.
  package let path: String

  /// The file of that path, whether it is there or not.
  package init(_ path: String) {
    self.path = path
  }

  /// Adds a text behind whatever stands there, in one write; on a line of its own.
  ///
  /// - Parameter markdown: the text.
  /// - Throws: `ReportingError.unwritable`.
  package func append(_ markdown: String) throws(ArchiveError) {
    do {
      if !FileManager.default.fileExists(atPath: path) {
        try Data().write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
      }
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
      defer { try? file.close() }
      let end = try file.seekToEnd()
      var text = markdown
      if end > 0 {
        try file.seek(toOffset: end - 1)
        if try file.read(upToCount: 1) != Data("\n".utf8) { text = "\n" + text }
        try file.seekToEnd()
      }
      try file.write(contentsOf: Data(text.utf8))
    } catch {
      throw .file(
        .unwritable(
          path: path, cause: SystemCause.message(of: error), cure: "check what GITHUB_STEP_SUMMARY is set to"))
    }
  }
}
