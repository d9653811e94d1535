// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// Text files, read whole.
package enum TextFile {
  /// The content of a UTF-8 file.
  ///
  /// - Parameter path: the file.
  /// - Returns: the whole text.
  /// - Throws: `ReportingError.unreadable` naming the path, the cause and the cure.
  package static func read(_ path: String) throws(ReportingError) -> String {
    var isFolder: ObjCBool = false
    let exists = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    if exists && isFolder.boolValue {
      throw .unreadable(path: path, cause: "it is a folder", cure: "name a file in it")
    }
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      let cause = exists ? SystemCause.message(of: error) : "no such file"
      throw .unreadable(path: path, cause: cause, cure: exists ? "check its permissions" : "check the name")
    }
    guard let text = String(bytes: data, encoding: .utf8) else {
      throw .unreadable(path: path, cause: "it is not UTF-8 text", cure: "save it as UTF-8")
    }
    return text
  }
}
