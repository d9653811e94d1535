// SPDX-License-Identifier: GPL-3.0-or-later
package import Reporting

/// Something that a person can run: its parameters, the rules between them, what it measures and what it reports, each
/// declared once. The command, the scenario kind, the reference and the schema follow from a conforming type and its
/// place in the lab's list.
///
/// A scenario is a saved command line, and a command is a scenario without a file: both set the parameters of a value
/// that begins as `init()`, by the same readers and checks.
package protocol Experiment: Sendable {
  init()
  /// The kind in scenario files, group and name joined by a point: `live.storm`.
  static var kind: String { get }
  /// The words of its command: those of the kind unless stated.
  static var command: [String] { get }
  /// What it does, in a sentence.
  static var summary: String { get }
  /// What else its help says: examples of command lines, what is assumed, when it ends.
  static var discussion: String { get }
  /// Whether its results have a figure or a drawing.
  static var isDrawn: Bool { get }
  /// All parameters, in the order in which people read them.
  static var parameters: [Parameter<Self>] { get }
  /// The thresholds that hold where a person states none, for example that two analyses agree.
  static var usualThresholds: [String] { get }
  /// The same of this experiment, where they depend on its parameters.
  var thresholds: [String] { get }
  /// Whether what comes out depends on how fast the machine is, so that the same seed need not give it again.
  var isTimed: Bool { get }
  /// What must hold for any verdict to mean anything, whatever is asked: thresholds that are evaluated always, and
  /// listed where they do not hold.
  static var preconditions: [Threshold] { get }
  /// The rules between parameters; those of a single one are in its type.
  func check() throws(ParameterError)
  /// What the run will measure, known before it starts: what thresholds may name.
  var measures: [Measure] { get }
  /// Measures something more, because a threshold names it: any percentile, for example. What it cannot measure is
  /// left for the threshold to refuse.
  mutating func measure(also name: String)
  /// Gets the thresholds that its samples are to decide: a run that may end early ends when all of them are decided,
  /// and for no other reason.
  mutating func steer(by thresholds: [SampledThreshold])
  /// The parameter that says how many samples a measure has; `nil` where none does.
  func sampleSize(of measure: Measure) -> SampleSize?
  /// Runs it. Throws what is wrong with the input that only running can find.
  func run(on bench: ScenarioBench) throws -> ScenarioResult
}

/// A parameter with which a measure's samples grow in proportion, and the value that it has.
package struct SampleSize: Hashable, Sendable {
  package let key: String
  package let value: Int

  package init(_ key: String, _ value: Int) { (self.key, self.value) = (key, value) }
}

/// Parameters that contradict each other, or what is given.
package struct ParameterError: Error, Hashable, Sendable {
  /// The keys it is about, the one to change first.
  package let keys: [String]
  /// What would be right; names the other parameters.
  package let expected: String

  package init(_ keys: String..., expected: String) {
    (self.keys, self.expected) = (keys, expected)
  }
}

extension Experiment {
  package static var command: [String] { kind.split(separator: ".").map(String.init) }
  package static var discussion: String { "" }
  package static var isDrawn: Bool { true }
  package var isTimed: Bool { false }
  package static var usualThresholds: [String] { [] }
  package static var preconditions: [Threshold] { [] }
  package var thresholds: [String] { Self.usualThresholds }
  package func check() throws(ParameterError) {}
  package mutating func measure(also name: String) {}
  package mutating func steer(by thresholds: [SampledThreshold]) {}
  package func sampleSize(of measure: Measure) -> SampleSize? { nil }

  /// Every parameter with the value it has, nested as files nest them.
  package var settings: [JSONMember] {
    JSONMember.nested(Self.parameters.compactMap { one in one.write(self).map { (one.key, $0) } })
  }

  /// Reads an experiment from what was given, by options or by the keys of a file; what was not given has its default.
  ///
  /// - Throws: the first problem, with its place and what was expected.
  package init(_ fields: [String: ScenarioField], at root: ScenarioField) throws(ReportingError) {
    self.init()
    for parameter in Self.parameters {
      if let field = fields[parameter.key] {
        try parameter.read(&self, field)
      } else if parameter.isRequired {
        let name = root.isOption ? parameter.spelling : parameter.key
        throw root.missing(name, expected: "\(parameter.expected), for example \(parameter.example)")
      }
    }
    do {
      try check()
    } catch {
      let given = error.keys.lazy.compactMap { fields[$0] }.first
      throw given?.bad(expected: error.expected)
        ?? root.missing(error.keys.first ?? "", expected: error.expected)
    }
  }

  /// The fields of a scenario's file; `overrides` are in force before those of the file.
  static func fields(
    of root: ScenarioField, common: [String], overrides: [String: ScenarioField]
  ) throws(ReportingError) -> [String: ScenarioField] {
    let keys = parameters.map(\.key)
    for (key, field) in overrides.sorted(by: { $0.key < $1.key }) where !keys.contains(key) {
      throw .unknownKey(
        file: "", line: 0, field: field.path, suggestion: Spelling.nearest(to: key, among: keys), known: keys)
    }
    return try root.leaves(keys: common + keys).merging(overrides) { $1 }
  }
}

/// The keys of a file that begin alike up to their first point: a single one, or those of a mapping.
package struct KeyGroup<Value> {
  /// What stands before the point.
  package let head: String
  /// The value of the key without a point; `nil` for a mapping.
  package let value: Value?
  /// The keys of the mapping, by what stands behind the point.
  package let members: [(key: String, value: Value)]

  /// Keys in groups, in the order of the first of each.
  package static func all(of keys: [(key: String, value: Value)]) -> [KeyGroup] {
    var heads: Set<String> = []
    return keys.compactMap { key, _ in
      let head = String(key.prefix { $0 != "." })
      guard heads.insert(head).inserted else { return nil }
      return KeyGroup(
        head: head, value: keys.first { $0.key == head }?.value,
        members: keys.filter { $0.key.hasPrefix(head + ".") }.map {
          (String($0.key.dropFirst(head.count + 1)), $0.value)
        })
    }
  }
}

extension ScenarioField {
  /// The fields of a mapping by their keys, a key with points being looked up in the mappings that its parts name.
  ///
  /// - Throws: what `mapping(keys:)` throws, at every level.
  func leaves(keys: [String]) throws(ReportingError) -> [String: ScenarioField] {
    let groups = KeyGroup.all(of: keys.map { ($0, ()) })
    let map = try mapping(keys: groups.map(\.head))
    var found: [String: ScenarioField] = [:]
    for group in groups {
      guard let field = map[group.head] else { continue }
      guard group.value == nil else {
        found[group.head] = field
        continue
      }
      for (key, leaf) in try field.leaves(keys: group.members.map(\.key)) { found["\(group.head).\(key)"] = leaf }
    }
    return found
  }
}

extension JSONMember {
  /// Members whose keys are joined by points, nested.
  static func nested(_ members: [(key: String, value: JSONValue)]) -> [JSONMember] {
    KeyGroup.all(of: members).map { JSONMember($0.head, $0.value ?? .object(nested($0.members))) }
  }
}

/// What a lab brings: a name for its group of commands and its experiments.
package protocol Lab {
  /// The first word of its commands and kinds: `live`.
  static var name: String { get }
  /// What it is about, in a sentence.
  static var summary: String { get }
  static var experiments: [any Experiment.Type] { get }
}
