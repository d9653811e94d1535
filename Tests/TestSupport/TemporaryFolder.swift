// SPDX-License-Identifier: GPL-3.0-or-later
package import Foundation

/// A folder of a test's own, gone with its last reference.
package final class TemporaryFolder: Sendable {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("assay-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  package var path: String { url.path }

  /// The path of something in it.
  package func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// The names of everything in a folder of it, in it itself where none is named, sorted.
  package func names(in folder: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? path : path(folder)).sorted()
  }
}
