// SPDX-License-Identifier: GPL-3.0-or-later
internal import Yams

/// A value of a scenario with the place where it stands.
package struct ScenarioField {
  /// The file.
  package let file: String
  /// The field's full name, for example `random.seed` or `rules[2]`.
  package let path: String
  private let node: Node

  init(file: String, path: String, node: Node) {
    self.file = file
    self.path = path
    self.node = node
  }

  /// What was typed for an option, to be read like a key of a file. A text that begins with a bracket or a brace is the
  /// YAML of a list or a mapping.
  package init(option: String, _ texts: [String]) {
    let nodes = texts.map { text -> Node in
      guard text.hasPrefix("{") || text.hasPrefix("["), let node = try? compose(yaml: text), node.scalar == nil else {
        return Node(text)
      }
      return node
    }
    self.init(file: "", path: option, node: nodes.count == 1 ? nodes[0] : Node(nodes))
  }

  /// Whether it was typed as an option: it is in no file then.
  package var isOption: Bool { file.isEmpty }

  /// The line of the value, from 1.
  package var line: Int { node.mark?.line ?? 1 }

  /// Whether the value is a list.
  package var isList: Bool { node.sequence != nil }

  /// Whether the value is a mapping of keys.
  package var isMapping: Bool { node.mapping != nil }

  /// The error that a key of this mapping, or an option, is missing.
  package func missing(_ key: String, expected: String) -> ReportingError {
    .missingKey(file: file, line: line, field: path.isEmpty ? key : "\(path).\(key)", expected: expected)
  }

  /// The error that this value is not what is expected.
  package func bad(expected: String) -> ReportingError {
    .badValue(file: file, line: line, field: path.isEmpty ? "document" : path, found: found, expected: expected)
  }

  /// The text of a plain value.
  ///
  /// - Throws: `ReportingError.badValue` for a list, a mapping or nothing.
  package func string(expected: String = "a text") throws(ReportingError) -> String {
    guard let scalar = node.scalar, !scalar.string.isEmpty else { throw bad(expected: expected) }
    return scalar.string
  }

  /// A whole number, `1e9` and `1_000` included.
  ///
  /// - Throws: `ReportingError.badValue` where it is none or out of range.
  package func integer(in range: ClosedRange<Int>) throws(ReportingError) -> Int {
    let expected =
      range.upperBound == .max ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
    guard let value = try WholeNumber.parse(string(expected: "a whole number")), range.contains(value) else {
      throw bad(expected: "a whole number, \(expected)")
    }
    return value
  }

  /// A finite number.
  ///
  /// - Throws: `ReportingError.badValue` where it is none.
  package func number() throws(ReportingError) -> Double {
    guard let value = try Double(string(expected: "a number")), value.isFinite else { throw bad(expected: "a number") }
    return value
  }

  /// A probability that is neither 0 nor 1.
  ///
  /// - Throws: `ReportingError.badValue` where it is none.
  package func probability() throws(ReportingError) -> Double {
    let expected = "a probability between 0 and 1, for example 0.999"
    guard let value = try Double(string(expected: expected)), value > 0, value < 1 else {
      throw bad(expected: expected)
    }
    return value
  }

  /// One of some words.
  ///
  /// - Throws: `ReportingError.badValue` naming the words, and the nearest where one is near.
  package func choice(among words: [String]) throws(ReportingError) -> String {
    let word = try string(expected: "one of \(words.joined(separator: ", "))")
    guard words.contains(word) else {
      let nearest = Spelling.nearest(to: word, among: words).map { " (did you mean '\($0)'?)" } ?? ""
      throw bad(expected: "one of \(words.joined(separator: ", "))\(nearest)")
    }
    return word
  }

  /// A plain value, read by somebody who knows what it means.
  ///
  /// - Parameters:
  ///   - expected: what errors say was expected, where the value is not even a text.
  ///   - read: reads the text; the description of what it throws becomes the expectation of the error.
  /// - Returns: what was read.
  /// - Throws: `ReportingError.badValue`.
  package func parsed<Value>(
    expected: String, by read: (String) throws -> Value
  ) throws(ReportingError) -> Value {
    let text = try string(expected: expected)
    do {
      return try read(text)
    } catch {
      throw bad(expected: "\(expected): \(Self.withoutPeriod("\(error)"))")
    }
  }

  /// The members of a list; a value that is no list is a list of one.
  package var members: [ScenarioField] {
    guard let sequence = node.sequence else { return [self] }
    return sequence.enumerated().map { ScenarioField(file: file, path: isOption ? path : "\(path)[\($0 + 1)]", node: $1) }
  }

  /// One value of a mapping, read before its keys are known: what it is may say which ones there may be.
  ///
  /// - Parameter key: the key.
  /// - Returns: the value with its place; `nil` where the key is not there.
  /// - Throws: `ReportingError.badValue` where this is no mapping.
  package func member(_ key: String) throws(ReportingError) -> ScenarioField? {
    guard let mapping = node.mapping else { throw bad(expected: "a mapping such as '\(key): …'") }
    return mapping[key].map { ScenarioField(file: file, path: path.isEmpty ? key : "\(path).\(key)", node: $0) }
  }

  /// A mapping, all of whose keys are known.
  ///
  /// - Parameter keys: the keys that may stand here.
  /// - Returns: the fields by their keys.
  /// - Throws: `ReportingError.badValue` where it is no mapping, `.unknownKey` with the nearest known one.
  package func mapping(keys: [String]) throws(ReportingError) -> ScenarioMapping {
    guard let mapping = node.mapping else {
      throw bad(expected: "a mapping with the keys \(keys.joined(separator: ", "))")
    }
    var fields: [String: ScenarioField] = [:]
    for (key, value) in mapping {
      let name = key.scalar?.string ?? "?"
      let path = path.isEmpty ? name : "\(self.path).\(name)"
      guard keys.contains(name) else {
        throw .unknownKey(
          file: file, line: key.mark?.line ?? line, field: path,
          suggestion: Spelling.nearest(to: name, among: keys), known: keys)
      }
      fields[name] = ScenarioField(file: file, path: path, node: value)
    }
    return ScenarioMapping(at: self, fields: fields)
  }

  private var found: String {
    switch node {
    case .scalar(let scalar): scalar.string.isEmpty ? "nothing" : "'\(scalar.string)'"
    case .sequence: "a list"
    case .mapping: "a mapping"
    case .alias: "an alias"
    }
  }

  private static func withoutPeriod(_ text: String) -> String { text.hasSuffix(".") ? String(text.dropLast()) : text }
}
