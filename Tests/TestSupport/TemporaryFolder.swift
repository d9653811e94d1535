// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// A folder of a test's own, gone with its last reference.
package final class TemporaryFolder: Sendable {
  package let url: URL

  /// A new folder with files, by their names.
  package init(_ files: [String: String] = [:]) throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("assay-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for (name, text) in files { try write(text, as: name) }
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  package var path: String { url.path }

  /// The path of something in it.
  package func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes a file into it and returns the path.
  @discardableResult
  package func write(_ text: String, as name: String) throws -> String {
    try Data(text.utf8).write(to: url.appendingPathComponent(name))
    return path(name)
  }

  /// The text of a file of it.
  package func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

  /// The names of everything in a folder of it, in it itself where none is named, sorted.
  package func names(in folder: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? path : path(folder)).sorted()
  }
}
