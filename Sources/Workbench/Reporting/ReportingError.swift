// SPDX-License-Identifier: GPL-3.0-or-later

/// An error that means bad input: its description has the problem, its place, the value found and the one expected. An
/// error that conforms ends a command with exit code 2.
public protocol InputError: Error, CustomStringConvertible, Sendable {}

/// Several problems of the input, found before anything ran.
public struct InputProblems: InputError {
  package struct Problem: Sendable {
    package let error: any Error
    package let file: String?

    package init(error: any Error, file: String?) { (self.error, self.file) = (error, file) }
  }

  package let problems: [Problem]

  package init(problems: [Problem]) { self.problems = problems }

  /// Errors, each with its own place.
  public init(_ errors: [ReportingError]) { problems = errors.map { Problem(error: $0, file: nil) } }

  /// A line for each.
  public var description: String { problems.map { "\($0.error)" }.joined(separator: "\n") }
}

/// A problem of reading or writing files, with all that a person needs to fix it.
public enum ReportingError: InputError, Hashable, Sendable {
  /// A file or its folder cannot be written.
  case unwritable(path: String, cause: String, cure: String)
  /// A file cannot be read.
  case unreadable(path: String, cause: String, cure: String)
  /// The ending of a file names no format.
  case unknownFormat(found: String, expected: String)
  case notYAML(file: String, line: Int?, problem: String)
  /// A scenario has an unknown key.
  case unknownKey(file: String, line: Int, field: String, suggestion: String?, known: [String])
  /// A scenario has a key twice.
  case repeatedKey(file: String, line: Int, field: String)
  /// A key that a scenario needs is missing.
  case missingKey(file: String, line: Int, field: String, expected: String)
  /// A value of a scenario is not what its key asks for.
  case badValue(file: String, line: Int, field: String, found: String, expected: String)
  /// A value of a scenario was refused; the problem is a sentence that names the value.
  case refused(file: String, line: Int, field: String, problem: String)
  case notJSON(file: String, line: Int, column: Int, problem: String)
  /// A value of a JSON file is not what its key asks for.
  case badMember(file: String, field: String, found: String, expected: String)
  /// Several errors, for example of one file, a line each.
  case several([ReportingError])
}

extension ReportingError {
  /// One sentence: the place, the problem, the value found, and how to fix it.
  public var description: String {
    switch self {
    case .unwritable(let path, let cause, let cure):
      "cannot write \(path.hasPrefix("the standard ") ? path : "'\(path)'"): \(cause); \(cure)."
    case .unreadable(let path, let cause, let cure):
      "cannot read '\(path)': \(cause); \(cure)."
    case .unknownFormat(let found, let expected):
      "format: found \(found), expected \(expected)."
    case .notYAML(let file, let line, let problem):
      "\(Self.location(file, line)): not YAML: \(problem)."
    case .unknownKey(let file, let line, let field, let suggestion, let known):
      "\(Self.location(file, line, field)): unknown key\(suggestion.map { "; \(Spelling.question($0))" } ?? ".")"
        + " Known here: \(known.joined(separator: ", "))."
    case .repeatedKey(let file, let line, let field):
      "\(Self.location(file, line, field)): found a second time, expected each key once."
    case .missingKey(let file, let line, let field, let expected):
      "\(Self.location(file, line, field)): found nothing, expected \(expected)."
    case .badValue(let file, let line, let field, let found, let expected):
      "\(Self.location(file, line, field)): found \(found), expected \(expected)."
    case .refused(let file, let line, let field, let problem):
      "\(Self.location(file, line, field)): \(problem)"
    case .notJSON(let file, let line, let column, let problem):
      "\(Self.location(file, line)):\(column): not JSON: \(problem)."
    case .badMember(let file, let field, let found, let expected):
      "\(file): \(field): found \(found), expected \(expected)."
    case .several(let errors):
      errors.map(\.description).joined(separator: "\n")
    }
  }

  /// Each problem by itself.
  package var each: [ReportingError] { if case .several(let errors) = self { errors.flatMap(\.each) } else { [self] } }

  private static func location(_ file: String, _ line: Int?) -> String {
    line.map { "\(file):\($0)" } ?? file
  }

  /// The place: an option, a key of an option's value, or a key of a file.
  private static func location(_ file: String, _ line: Int, _ field: String) -> String {
    file.isEmpty ? field : "\(location(file, line)): \(field)"
  }
}

/// Problems that are collected while reading goes on, so that all of them are reported at once.
package struct ReportingErrors {
  private var errors: [ReportingError] = []

  package init() {}

  package mutating func add(_ error: ReportingError) { errors += error.each }

  /// Returns the value that is read; `nil` if that fails, and then keeps the error.
  package mutating func collect<Value>(_ read: () throws(ReportingError) -> Value) -> Value? {
    do throws(ReportingError) {
      return try read()
    } catch {
      add(error)
      return nil
    }
  }

  /// - Throws: The collected errors, if there are any.
  package func check() throws(ReportingError) {
    guard let first = errors.first else { return }
    throw errors.count == 1 ? first : .several(errors)
  }
}
