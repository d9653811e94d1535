// SPDX-License-Identifier: GPL-3.0-or-later

/// An error that means bad input: its description says what, where, what was found and what was expected. Conforming is
/// all it takes to end a command with exit code 2.
public protocol InputError: Error, CustomStringConvertible, Sendable {}

/// A problem with something that is read from or written to files, with what a person needs to mend it.
public enum ReportingError: InputError, Hashable, Sendable {
  /// A file or its folder does not let itself be written.
  case unwritable(path: String, cause: String, cure: String)
  /// A file does not let itself be read.
  case unreadable(path: String, cause: String, cure: String)
  /// The name of a file says nothing of the format to write it in.
  case unknownFormat(found: String, expected: String)
  case notYAML(file: String, line: Int?, problem: String)
  /// A key of a scenario means nothing.
  case unknownKey(file: String, line: Int, field: String, suggestion: String?, known: [String])
  /// A key of a scenario stands there twice.
  case repeatedKey(file: String, line: Int, field: String)
  /// A key that a scenario needs is not there.
  case missingKey(file: String, line: Int, field: String, expected: String)
  /// A value of a scenario is not what its key asks for.
  case badValue(file: String, line: Int, field: String, found: String, expected: String)
  /// The same, said by who read it in a sentence that names what was found.
  case refused(file: String, line: Int, field: String, problem: String)
  case notJSON(file: String, line: Int, column: Int, problem: String)
  /// A value of a JSON file is not what its key asks for.
  case badMember(file: String, field: String, found: String, expected: String)
  /// Several of them, as a file may have; each is a line.
  case several([ReportingError])
}

extension ReportingError {
  /// One sentence: where, what is wrong, the value found, and how to mend it.
  public var description: String {
    switch self {
    case .unwritable(let path, let cause, let cure):
      "cannot write \(path.hasPrefix("the standard ") ? path : "'\(path)'"): \(cause); \(cure)."
    case .unreadable(let path, let cause, let cure):
      "cannot read '\(path)': \(cause); \(cure)."
    case .unknownFormat(let found, let expected):
      "format: found \(found), expected \(expected)."
    case .notYAML(let file, let line, let problem):
      "\(Self.place(file, line)): not YAML: \(problem)."
    case .unknownKey(let file, let line, let field, let suggestion, let known):
      "\(Self.place(file, line, field)): unknown key\(suggestion.map { "; \(Spelling.question($0))" } ?? ".")"
        + " Known here: \(known.joined(separator: ", "))."
    case .repeatedKey(let file, let line, let field):
      "\(Self.place(file, line, field)): found a second time, expected each key once."
    case .missingKey(let file, let line, let field, let expected):
      "\(Self.place(file, line, field)): found nothing, expected \(expected)."
    case .badValue(let file, let line, let field, let found, let expected):
      "\(Self.place(file, line, field)): found \(found), expected \(expected)."
    case .refused(let file, let line, let field, let problem):
      "\(Self.place(file, line, field)): \(problem)"
    case .notJSON(let file, let line, let column, let problem):
      "\(Self.place(file, line)):\(column): not JSON: \(problem)."
    case .badMember(let file, let field, let found, let expected):
      "\(file): \(field): found \(found), expected \(expected)."
    case .several(let errors):
      errors.map(\.description).joined(separator: "\n")
    }
  }

  /// Each problem by itself.
  package var each: [ReportingError] { if case .several(let errors) = self { errors.flatMap(\.each) } else { [self] } }

  private static func place(_ file: String, _ line: Int?) -> String {
    line.map { "\(file):\($0)" } ?? file
  }

  /// An option, a key of an option's value, or a key of a file: an option is in no file.
  private static func place(_ file: String, _ line: Int, _ field: String) -> String {
    file.isEmpty ? field : "\(place(file, line)): \(field)"
  }
}

/// Problems that are collected while reading goes on, so that all of them are reported at once.
package struct ReportingErrors {
  private var errors: [ReportingError] = []

  package init() {}

  package mutating func add(_ error: ReportingError) { errors += error.each }

  /// What is read; `nil` where that fails, which is kept.
  package mutating func collect<Value>(_ read: () throws(ReportingError) -> Value) -> Value? {
    do throws(ReportingError) {
      return try read()
    } catch {
      add(error)
      return nil
    }
  }

  /// - Throws: What was collected, if anything was.
  package func check() throws(ReportingError) {
    guard let first = errors.first else { return }
    throw errors.count == 1 ? first : .several(errors)
  }
}
