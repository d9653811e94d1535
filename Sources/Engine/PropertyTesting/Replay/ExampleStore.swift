// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// The failing cases found so far, in small text files: a folder a property, a file a case, safe to commit.
public struct ExampleStore: Sendable, Hashable {
  /// Where examples are kept when nothing else is said, seen from the project's folder.
  public static let usualFolder = ".assay/examples"

  /// The folder that holds a folder for every property.
  public let folder: String

  /// Names a store, which need not exist.
  public init(folder: String = Self.usualFolder) {
    self.folder = folder
  }

  /// What is stored for a property.
  public struct Contents: Sendable, Hashable {
    /// The cases, by the names of their files.
    public var examples: [StoredExample] = []
    /// The files that hold none.
    public var damaged: [DamagedExample] = []
  }

  /// Reads what is stored for a property; nothing where there is no folder.
  ///
  /// - Parameter property: Its id.
  /// - Returns: The cases, and the files that hold none.
  /// - Throws: `ExampleStoreError.unreadable` for a folder that is there and cannot be read.
  public func contents(of property: String) throws(ExampleStoreError) -> Contents {
    var contents = Contents()
    let place = place(of: property)
    for name in try Self.names(in: place) where name.hasSuffix(".txt") && !name.hasPrefix(".") {
      let path = "\(place)/\(name)"
      do throws(DamagedExample) {
        let token = try StoredExample.token(in: Self.text(of: path), path: path, of: property)
        contents.examples.append(StoredExample(path: path, token: token))
      } catch {
        contents.damaged.append(error)
      }
    }
    return contents
  }

  /// Stores a failing case, in one step: there is never half a file.
  ///
  /// - Returns: The case in its file; the same case always has the same file.
  /// - Throws: `ExampleStoreError.unwritable`.
  @discardableResult
  public func save(
    _ token: ReplayToken, sentence: String, arguments: [String], failure: Failure
  ) throws(ExampleStoreError) -> StoredExample {
    let place = place(of: token.property)
    let path = "\(place)/\(token.digest).txt"
    let text = StoredExample.text(token, sentence: sentence, arguments: arguments, failure: failure)
    do {
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw .unwritable(path: path, cause: ExampleStoreError.cause(of: error))
    }
    return StoredExample(path: path, token: token)
  }

  /// Stores the counterexample of a property.
  ///
  /// - Throws: `ExampleStoreError.unwritable`.
  @discardableResult
  public func save(_ found: Counterexample, of property: Property) throws(ExampleStoreError) -> StoredExample {
    try save(
      ReplayToken(property: property.id, tape: found.tape), sentence: property.sentence, arguments: found.arguments,
      failure: found.failure)
  }

  /// Removes an example; one that is gone already is no error.
  ///
  /// - Throws: `ExampleStoreError.unwritable`.
  public func remove(_ example: StoredExample) throws(ExampleStoreError) {
    guard FileManager.default.fileExists(atPath: example.path) else { return }
    do {
      try FileManager.default.removeItem(atPath: example.path)
    } catch {
      throw .unwritable(path: example.path, cause: ExampleStoreError.cause(of: error))
    }
  }

  /// Finds out whether examples could be stored, before the work that may find some.
  ///
  /// - Throws: `ExampleStoreError.unwritable`.
  public func checkWritable() throws(ExampleStoreError) {
    var url = URL(fileURLWithPath: folder)
    var isFolder: ObjCBool = false
    while unsafe !FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), url.path != "/" {
      url.deleteLastPathComponent()
    }
    guard isFolder.boolValue else { throw .unwritable(path: folder, cause: "'\(url.path)' is not a folder") }
    // A superuser may write anywhere; a folder that nobody is meant to write to is left alone all the same.
    let permissions = (try? FileManager.default.attributesOfItem(atPath: url.path))?[.posixPermissions] as? Int ?? 0o222
    guard permissions & 0o222 != 0, FileManager.default.isWritableFile(atPath: url.path) else {
      throw .unwritable(path: folder, cause: "the folder '\(url.path)' is read-only")
    }
  }

  private func place(of property: String) -> String { "\(folder)/\(PlainText.word(property))" }

  private static func names(in folder: String) throws(ExampleStoreError) -> [String] {
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      throw .unreadable(path: folder, cause: ExampleStoreError.cause(of: error))
    }
  }

  private static func text(of path: String) throws(DamagedExample) -> String {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw DamagedExample(path: path, line: 1, problem: "\(ExampleStoreError.cause(of: error)).")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw DamagedExample(path: path, line: 1, problem: "not UTF-8 text.")
    }
    return text
  }
}
