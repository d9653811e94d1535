// SPDX-License-Identifier: Apache-2.0

/// An error in a document of a service, with its cure.
public struct LeagueDocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The document's name, as given to the reader.
  public let file: String
  /// The path of the value, for example `teams[3].record.overall.wins`; empty for the whole document.
  public let field: String
  /// The value that was found.
  public let found: String
  /// The value that was expected.
  public let expected: String
  /// The action that corrects the error.
  public let cure: String

  /// An error in a field of a document, or about the whole document.
  public init(file: String, field: String = "", found: String, expected: String, cure: String) {
    (self.file, self.field, self.found, self.expected, self.cure) = (file, field, found, expected, cure)
  }

  /// One sentence: the document, the field, what was found, what was expected, and what to do.
  public var description: String {
    "'\(file)'\(field.isEmpty ? "" : ", \(field)"): found \(found), expected \(expected); \(cure)."
  }

  /// The action that corrects most errors within a document.
  static let download = "download it again, or correct it"
}
