// SPDX-License-Identifier: GPL-3.0-or-later

/// A failing case in a file of its own.
public struct StoredExample: Sendable, Hashable {
  /// The file.
  public let path: String
  /// The case.
  public let token: ReplayToken

  /// The text of the file: comments for people, and the token on the only line that is none.
  ///
  /// - Parameters:
  ///   - token: The case.
  ///   - sentence: What the property claims.
  ///   - arguments: The case's arguments, one description each.
  ///   - failure: What went wrong.
  /// - Returns: The whole text.
  static func text(_ token: ReplayToken, sentence: String, arguments: [String], failure: Failure) -> String {
    let lines =
      comment("\(token.property): \(sentence)")
      + comment("A case for which it failed. It is tried first in the next run, and removed when it passes.")
      + arguments.enumerated().flatMap { comment("argument \($0 + 1): \($1)") }
      + comment("failure: \(failure.message)")
      + comment("where: \(failure.origin)")
    return (lines + [token.description, ""]).joined(separator: "\n")
  }

  /// The token in a file's text.
  ///
  /// - Throws: `DamagedExample` naming the line.
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
        let token = try ReplayToken(parsing: String(line))
        guard token.property == property else {
          throw ReplayError.otherProperty(token: token.property, property: property)
        }
        found = token
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
      (index == 0 ? "# " : "#   ") + PlainText.escaped(String(line))
    }
  }
}

/// A file among the stored examples that does not hold one. It is left as it is.
public struct DamagedExample: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// The line, from 1.
  public let line: Int
  /// What is wrong.
  public let problem: String

  /// Where, what is wrong, and what was done about it.
  public var description: String { "\(path):\(line): \(problem) The file was left alone; mend or delete it." }
}
