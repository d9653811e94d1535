// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a document of a service, and what to do about it.
public struct LeagueDocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The document's name, as given to the reader.
  public let file: String
  /// Where in it, for example `teams[3].record.overall.wins`; empty where it is about the whole document.
  public let field: String
  /// What was found there.
  public let found: String
  /// What was expected there.
  public let expected: String
  /// What a person can do.
  public let cure: String

  /// What is wrong with a field of a document, or with the whole of it.
  public init(file: String, field: String = "", found: String, expected: String, cure: String) {
    (self.file, self.field, self.found, self.expected, self.cure) = (file, field, found, expected, cure)
  }

  /// One sentence: the document, the field, what was found, what was expected, and what to do.
  public var description: String {
    "'\(file)'\(field.isEmpty ? "" : ", \(field)"): found \(found), expected \(expected); \(cure)."
  }

  /// What helps against most that can be wrong within a document.
  static let download = "download it again, or correct it"
}
