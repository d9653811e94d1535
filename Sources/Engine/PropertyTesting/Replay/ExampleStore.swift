// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import MonteCarlo

/// The failing cases found so far, in small text files to commit: one folder a property, one file a case.
package struct ExampleStore: Sendable, Hashable {
  package static let defaultFolder = ".assay/examples"

  package let folder: String

  package init(folder: String = Self.defaultFolder) {
    self.folder = folder
  }

  package struct Contents: Sendable, Hashable {
    package var examples: [StoredExample] = []
    package var damaged: [DamagedExample] = []
  }

  /// Reads the stored cases of a property; none without a folder.
  package func contents(of property: String) throws(ExampleStoreError) -> Contents {
    var contents = Contents()
    let position = position(of: property)
    for name in try Self.names(in: position) where name.hasSuffix(".txt") && !name.hasPrefix(".") {
      let path = "\(position)/\(name)"
      do throws(DamagedExample) {
        let token = try StoredExample.token(in: Self.text(of: path), path: path, of: property)
        contents.examples.append(StoredExample(path: path, token: token))
      } catch {
        contents.damaged.append(error)
      }
    }
    return contents
  }

  /// Stores a failing case atomically.
  @discardableResult
  package func save(
    _ token: ReplayToken, sentence: String, arguments: [String], failure: Failure
  ) throws(ExampleStoreError) -> StoredExample {
    let position = position(of: token.property)
    let path = "\(position)/\(token.digest).txt"
    let text = StoredExample.text(token, sentence: sentence, arguments: arguments, failure: failure)
    do {
      try FileManager.default.createDirectory(atPath: position, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw .unwritable(path: path, cause: ExampleStoreError.cause(of: error))
    }
    return StoredExample(path: path, token: token)
  }

  @discardableResult
  package func save(_ found: Counterexample, of property: Property) throws(ExampleStoreError) -> StoredExample {
    try save(
      ReplayToken(property: property.id, choices: found.choices), sentence: property.sentence,
      arguments: found.arguments,
      failure: found.failure)
  }

  /// Removes an example; a missing file is not an error.
  func remove(_ example: StoredExample) throws(ExampleStoreError) {
    guard FileManager.default.fileExists(atPath: example.path) else { return }
    do {
      try FileManager.default.removeItem(atPath: example.path)
    } catch {
      throw .unwritable(path: example.path, cause: ExampleStoreError.cause(of: error))
    }
  }

  /// Checks whether examples can be stored, before the work that may find some.
  package func checkWritable() throws(ExampleStoreError) {
    if folder.isEmpty { throw .unwritable(path: folder, cause: "no folder has an empty name") }
    var url = URL(fileURLWithPath: folder)
    var isFolder: ObjCBool = false
    while unsafe !FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), url.path != "/" {
      url.deleteLastPathComponent()
    }
    guard isFolder.boolValue else { throw .unwritable(path: folder, cause: "'\(url.path)' is not a folder") }
    // A superuser may write anywhere, but a folder that is read-only for everybody is still respected.
    let permissions = (try? FileManager.default.attributesOfItem(atPath: url.path))?[.posixPermissions] as? Int ?? 0o222
    guard permissions & 0o222 != 0, FileManager.default.isWritableFile(atPath: url.path) else {
      throw .unwritable(path: folder, cause: "the folder '\(url.path)' is read-only")
    }
  }

  private func position(of property: String) -> String { "\(folder)/\(ReadableText.word(property))" }

  private static func names(in folder: String) throws(ExampleStoreError) -> [String] {
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      throw .unreadable(path: folder, cause: ExampleStoreError.cause(of: error))
    }
  }

  static func text(of path: String) throws(DamagedExample) -> String {
    func damaged(_ problem: String) -> DamagedExample { DamagedExample(path: path, line: 1, problem: problem) }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw damaged("a link to a file that does not exist.") }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw damaged("a folder, where a file was expected.")
    default: throw damaged("a pipe or a device, where a file was expected.")
    }
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw damaged("\(ExampleStoreError.cause(of: error)).")
    }
    guard let text = String(validating: data, as: UTF8.self) else { throw damaged("not UTF-8 text.") }
    return text
  }
}

package struct StoredExample: Sendable, Hashable {
  package let path: String
  package let token: ReplayToken

  /// The text of the file: comments, and the token on the only other line.
  static func text(_ token: ReplayToken, sentence: String, arguments: [String], failure: Failure) -> String {
    let lines =
      comment("\(token.property): \(sentence)")
      + comment("A case for which it failed. It is tried first in the next run, and removed when it passes.")
      + arguments.enumerated().flatMap { comment("argument \($0 + 1): \($1)") }
      + comment("failure: \(failure.text)")
      + comment("where: \(failure.origin)")
    return (lines + [token.description, ""]).joined(separator: "\n")
  }

  static func token(in text: String, path: String, of property: String) throws(DamagedExample) -> ReplayToken {
    var found: ReplayToken?
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      guard let first = line.first(where: { !$0.isWhitespace }), first != "#" else { continue }
      func damaged(_ problem: String) -> DamagedExample {
        DamagedExample(path: path, line: index + 1, problem: problem)
      }
      guard found == nil else { throw damaged("a second token; keep one in a file.") }
      do throws(ReplayError) {
        found = try ReplayToken(parsing: String(line), of: property)
      } catch {
        throw damaged(error.description)
      }
    }
    guard let found else {
      throw DamagedExample(path: path, line: lines.count, problem: "no replay token in the file.")
    }
    return found
  }

  private static let longestComment = 4000

  private static func comment(_ text: String) -> [String] {
    let kept = text.count <= longestComment ? text : "\(text.prefix(longestComment))... (\(text.count) characters)"
    return kept.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().map { index, line in
      (index == 0 ? "# " : "#   ") + ReadableText.escaped(String(line))
    }
  }
}

/// A file among the stored examples that contains none. It is not changed.
package struct DamagedExample: Error, Sendable, Hashable, CustomStringConvertible {
  package let path: String
  package let line: Int
  package let problem: String

  package var description: String { "\(path):\(line): \(problem) The file was left alone; fix or delete it." }
}

extension Property {
  /// Tests the stored cases first if requested, then new ones by `check`, and stores those that fail.
  ///
  /// - Parameters:
  ///   - store: The stored cases; `nil` for none.
  ///   - retries: True if stored cases are tried, so that the result depends on earlier runs, too.
  ///   - keepsPassing: True if stored cases that pass are kept.
  ///   - settings: The settings in the report of a stored case.
  ///   - stored: The words before the path of a case that was stored.
  ///   - remarks: Receives what happened to stored cases, a line each, also if an error is thrown.
  ///   - replay: Runs a stored case; in this process by default.
  ///   - check: Tries new cases.
  /// - Returns: The report of a stored case that fails, or of the new cases.
  /// - Throws: The errors of `replay` and `check`; `ExampleStoreError` if stored cases cannot be read or removed.
  package func check(
    with store: ExampleStore?, retries: Bool, keepsPassing: Bool = false, settings: CheckSettings,
    stored: String = "stored", remarks: inout [String], replay: ((ReplayToken) throws -> ReplayOutcome)? = nil,
    _ check: (inout [String]) throws -> CheckReport
  ) throws -> CheckReport {
    if retries, let store {
      let contents = try store.contents(of: id)
      remarks += contents.damaged.map { "warning: \($0)" }
      var failing: CheckReport?
      for example in contents.examples {
        let outcome = try replay?(example.token) ?? self.replay(example.token)
        switch outcome {
        case .failed:
          remarks.append("still fails: \(example.path)")
          failing =
            failing ?? CheckReport(replaying: self, outcome, of: example.token, isStored: true, settings: settings)
        case .passed, .excluded:
          if keepsPassing { continue }
          try store.remove(example)
          remarks.append("passes now, removed: \(example.path)")
        case .stale:
          remarks.append(
            "warning: stale: \(example.path): the generators of '\(id)' ask for other choices than when it was stored, "
              + "so it was not tried. Delete the file, and check the property again.")
        }
      }
      if let failing { return failing }
    }
    let report = try check(&remarks)
    for found in report.counterexamples {
      do throws(ExampleStoreError) {
        if let example = try store?.save(found, of: self) { remarks.append("\(stored): \(example.path)") }
      } catch {
        remarks.append("warning: \(error)")
      }
    }
    return report
  }
}

package enum ExampleStoreError: Error, Sendable, Hashable, CustomStringConvertible {
  case unreadable(path: String, cause: String)
  case unwritable(path: String, cause: String)

  package var description: String {
    switch self {
    case .unreadable(let path, let cause):
      "stored examples: cannot read '\(path)': \(cause); check its permissions, or choose another folder."
    case .unwritable(let path, let cause):
      "stored examples: cannot write '\(path)': \(cause); make it writable, choose another folder, or store nothing."
    }
  }

  /// The system's error message behind a thrown error.
  static func cause(of error: any Error) -> String {
    let error = error as NSError
    if let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError { return cause(of: underlying) }
    guard error.domain == NSPOSIXErrorDomain, let text = unsafe strerror(Int32(error.code)) else {
      return error.localizedDescription
    }
    let message = unsafe String(cString: text)
    return message.prefix(1).lowercased() + message.dropFirst()
  }
}
