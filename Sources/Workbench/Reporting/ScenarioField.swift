// SPDX-License-Identifier: GPL-3.0-or-later
internal import Yams

/// A value of a scenario with its place.
public struct ScenarioField {
  /// The file of the value; empty for an option of a command.
  public let file: String
  /// The field's full name, for example `random.seed` or `rules[2]`.
  public let path: String
  fileprivate let node: Node
}

extension ScenarioField {
  /// The texts typed for an option, to be read like a key of a file. A text that begins with a bracket or a brace is
  /// the YAML of a list or a mapping.
  package init(option: String, _ texts: [String]) {
    let nodes = texts.map { text -> Node in
      guard text.hasPrefix("{") || text.hasPrefix("["), let node = try? compose(yaml: text), node.scalar == nil else {
        return Node(text)
      }
      return node
    }
    self.init(file: "", path: option, node: nodes.count == 1 ? nodes[0] : Node(nodes))
  }

  /// True if the value was typed as an option, so that it has no file.
  public var isOption: Bool { file.isEmpty }

  /// The line of the value, from 1.
  public var line: Int { node.mark?.line ?? 1 }

  /// True if the value is a list.
  package var isList: Bool { node.sequence != nil }

  /// True if the value is a mapping of keys.
  public var isMapping: Bool { node.mapping != nil }

  /// The error that a key of this mapping, or an option, is missing.
  package func missing(_ key: String, expected: String) -> ReportingError {
    .missingKey(file: file, line: line, field: path(of: key), expected: expected)
  }

  /// The full name of a key; an argument of the command line is in no mapping and keeps its spelling.
  private func path(of key: String) -> String { path.isEmpty || key.hasPrefix("<") ? key : "\(path).\(key)" }

  /// The error that this value is not what is expected.
  public func bad(expected: String) -> ReportingError {
    .badValue(file: file, line: line, field: path.isEmpty ? "document" : path, found: found, expected: expected)
  }

  /// The text of a plain value.
  ///
  /// - Throws: `ReportingError.badValue` for a list, a mapping or nothing.
  public func string(expected: String = "a text") throws(ReportingError) -> String {
    guard let scalar = node.scalar, !scalar.string.isEmpty else { throw bad(expected: expected) }
    return scalar.string
  }

  /// A finite number.
  ///
  /// - Throws: `ReportingError.badValue` if it is none.
  public func number() throws(ReportingError) -> Double {
    guard let value = try Double(string(expected: "a number")), value.isFinite else { throw bad(expected: "a number") }
    return value
  }

  /// One of some words.
  ///
  /// - Throws: `ReportingError.badValue` naming the words, and the nearest if one is near; only their number and the
  ///   nearest if they are many.
  public func choice(among words: [String]) throws(ReportingError) -> String {
    let all = "one of \(words.joined(separator: ", "))"
    let word = try string(expected: all)
    guard words.contains(word) else {
      let nearest = Spelling.hint(for: word, among: words)
      // Behind a long list nobody would see the hint.
      throw bad(expected: (nearest.isEmpty || words.count <= 12 ? all : "one of \(words.count) names") + nearest)
    }
    return word
  }

  /// A plain value, converted from its text by a function.
  ///
  /// - Throws: `ReportingError.badValue`.
  public func parsed<Value>(
    expected: String, by read: (String) throws -> Value
  ) throws(ReportingError) -> Value {
    let text = try string(expected: expected)
    do {
      return try read(text)
    } catch {
      throw bad(expected: "\(expected): \(Spelling.excerpt(Self.withoutPeriod("\(error)"), maximum: 1000))")
    }
  }

  /// The members of a list; a value that is no list is a list of one.
  public var members: [ScenarioField] {
    guard let sequence = node.sequence else { return [self] }
    return sequence.enumerated().map {
      ScenarioField(file: file, path: isOption ? path : "\(path)[\($0 + 1)]", node: $1)
    }
  }

  /// A part of this value's text, to be read like the value of a key, at the same place.
  package func part(_ text: String, of key: String) -> ScenarioField {
    func scalar(_ text: String) -> Node { .scalar(Node.Scalar(text, .implicit, .any, node.mark)) }
    let list = text.hasPrefix("[") ? (try? compose(yaml: text))?.sequence?.map(\.string) : nil
    let nodes = list?.compactMap { $0.map(scalar) } ?? []
    return ScenarioField(
      file: file, path: "\(path) \(key)",
      node: !nodes.isEmpty && nodes.count == list?.count
        ? .sequence(Node.Sequence(nodes, .implicit, .any, node.mark)) : scalar(text))
  }

  /// One value of a mapping, read before the keys are checked, because it may decide which keys are allowed.
  ///
  /// - Throws: `ReportingError.badValue` if this is no mapping.
  public func member(_ key: String) throws(ReportingError) -> ScenarioField? {
    guard let mapping = node.mapping else { throw bad(expected: "a mapping such as '\(key): …'") }
    return mapping[key].map { ScenarioField(file: file, path: path(of: key), node: $0) }
  }

  /// A mapping, all of whose keys are known.
  ///
  /// - Throws: `ReportingError.badValue` if it is no mapping, `.unknownKey` with the nearest known one.
  public func mapping(keys: [String]) throws(ReportingError) -> ScenarioMapping {
    var unknown = ReportingErrors()
    let mapping = try mapping(keys: keys, unknown: &unknown)
    try unknown.check()
    return mapping
  }

  /// The most unknown keys of a mapping that are reported one by one.
  private static let maxUnknown = 100

  /// The mapping; unknown keys are collected instead of thrown.
  package func mapping(keys: [String], unknown: inout ReportingErrors) throws(ReportingError) -> ScenarioMapping {
    guard let mapping = node.mapping else {
      throw bad(expected: "a mapping with the keys \(keys.joined(separator: ", "))")
    }
    guard mapping.count <= keys.count + Self.maxUnknown else {
      throw .badValue(
        file: file, line: line, field: path.isEmpty ? "keys" : path,
        found: "\(NumberFormat.grouped(mapping.count)) keys", expected: "some of \(keys.joined(separator: ", "))")
    }
    var fields: [String: ScenarioField] = [:]
    for (key, value) in mapping {
      let name = key.scalar?.string ?? "?"
      let path = path(of: name)
      guard keys.contains(name) else {
        unknown.add(
          .unknownKey(
            file: file, line: key.mark?.line ?? line, field: Spelling.excerpt(path),
            suggestion: Spelling.nearest(to: name, among: keys), known: keys))
        continue
      }
      fields[name] = ScenarioField(file: file, path: path, node: value)
    }
    return ScenarioMapping(location: self, fields: fields)
  }

  /// A mapping, all of whose keys are known, that may also be written in one line, with blanks or the separator between
  /// the settings: `base=1s cap=30s`.
  ///
  /// - Throws: what `mapping(keys:)` throws, and `.badValue` for a word without `=` and for a key that comes twice.
  public func settings(keys: [String], separator: Character = " ") throws(ReportingError) -> ScenarioMapping {
    guard let scalar = node.scalar else { return try mapping(keys: keys) }
    var pairs: [(Node, Node)] = []
    for word in scalar.string.split(whereSeparator: { $0.isWhitespace || $0 == separator }) {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
        Node.scalar(Node.Scalar(String(part), .implicit, .any, node.mark))
      }
      guard parts.count == 2, !pairs.contains(where: { $0.0 == parts[0] }) else {
        throw bad(expected: "words of a key, = and a value, each of \(keys.joined(separator: ", ")) at most once")
      }
      pairs.append((parts[0], parts[1]))
    }
    let line = Node.mapping(Node.Mapping(pairs, .implicit, .any, node.mark))
    return try ScenarioField(file: file, path: path, node: line).mapping(keys: keys)
  }

  private var found: String {
    switch node {
    case .scalar(let scalar): scalar.string.isEmpty ? "nothing" : Spelling.quoted(scalar.string)
    case .sequence: "a list"
    case .mapping: "a mapping"
    case .alias: "an alias"
    }
  }

  private static func withoutPeriod(_ text: String) -> String { text.hasSuffix(".") ? String(text.dropLast()) : text }
}

/// A mapping of a scenario whose keys are all known.
public struct ScenarioMapping {
  /// The mapping itself, for errors about the whole.
  public let location: ScenarioField
  fileprivate let fields: [String: ScenarioField]

  /// The value of a key; `nil` if the key is not there.
  public subscript(key: String) -> ScenarioField? { fields[key] }

  /// The value of a key that must be there.
  ///
  /// - Throws: `ReportingError.missingKey`.
  public func required(_ key: String, expected: String) throws(ReportingError) -> ScenarioField {
    guard let field = fields[key] else { throw location.missing(key, expected: expected) }
    return field
  }
}

/// A scenario file, read strictly: unknown keys and invalid values are errors with their place and reason.
public struct ScenarioDocument {
  /// The whole document, as the value of a field without a name.
  public let root: ScenarioField

  /// Reads a file.
  ///
  /// - Throws: `ReportingError.unreadable` or `.notYAML`, or `.repeatedKey`.
  package init(contentsOf path: String) throws(ReportingError) {
    try self.init(yaml: TextFile.read(path), file: path)
  }

  /// The most bytes of a scenario; those that people write have some thousands.
  private static let maxBytes = 1 << 20

  /// Reads a text; a byte order mark is no part of it.
  ///
  /// - Throws: `ReportingError.notYAML` or `.repeatedKey`, or `.badValue` for more than a mebibyte.
  public init(yaml text: String, file: String) throws(ReportingError) {
    guard text.utf8.count <= Self.maxBytes else {
      throw .badValue(
        file: file, line: 1, field: "size", found: "\(NumberFormat.grouped(text.utf8.count)) bytes",
        expected: "at most \(NumberFormat.grouped(Self.maxBytes))")
    }
    let yaml = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    let node: Node?
    do {
      node = try compose(yaml: yaml)
    } catch let error as YamlError {
      throw Self.reported(error, yaml: yaml, file: file)
    } catch {
      throw .notYAML(file: file, line: 1, problem: "\(error)")
    }
    guard let node else {
      throw .notYAML(file: file, line: 1, problem: "the file is empty")
    }
    root = ScenarioField(file: file, path: "", node: node)
  }

  private static func reported(_ error: YamlError, yaml: String, file: String) -> ReportingError {
    switch error {
    case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let why = context.map { " (\($0.text))" } ?? ""
      // The reader finds a missing end behind the last line.
      return .notYAML(file: file, line: min(mark.line, lineCount(of: yaml[...])), problem: problem + why)
    case .duplicatedKeysInMapping(let duplicates, let context):
      let key = duplicates.min() ?? ""
      let line = lines(of: key, in: yaml).first { $0.count >= context.mark.line && $0.isRepeat }?.count
      // Yams has no text for a key that is a list or a mapping.
      let name = key == "<uncovertable>" ? "a list or a mapping as a key" : Spelling.excerpt(key)
      return .repeatedKey(file: file, line: line ?? max(1, context.mark.line), field: name)
    case .reader(let problem, _, let value, _):
      // The reader stopped at the first character that YAML forbids; its offset is not always known.
      let location = yaml.unicodeScalars.firstIndex { Int($0.value) == Int(value) } ?? yaml.startIndex
      let line = lineCount(of: yaml[..<location])
      return .notYAML(file: file, line: line, problem: "\(problem) (U+\(String(value, radix: 16, uppercase: true)))")
    default:
      return .notYAML(file: file, line: 1, problem: "\(error)")
    }
  }

  private static func lineCount(of text: Substring) -> Int {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).count
  }

  /// The lines that begin with a key, and whether an earlier one did so at the same depth.
  private static func lines(of key: String, in yaml: String) -> [(count: Int, isRepeat: Bool)] {
    var depths: Set<Int> = []
    return yaml.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
      .compactMap { offset, line in
        let depth = line.prefix { $0 == " " || $0 == "-" }.count
        guard line.dropFirst(depth).hasPrefix("\(key):") else { return nil }
        return (offset + 1, !depths.insert(depth).inserted)
      }
  }
}
