// SPDX-License-Identifier: GPL-3.0-or-later
package import Reporting

/// An experiment that a person can run: its parameters, the rules between them, its measures and its report, each
/// declared once. The command, the scenario kind, the reference and the schema follow from a conforming type and its
/// place in the lab's list.
///
/// A scenario is a saved command line, and a command is a scenario without a file: both start from `init()` and set its
/// parameters by the same readers and checks.
public protocol Experiment: Sendable {
  init()
  /// The kind in scenario files, group and name joined by a point: `live.storm`.
  static var kind: String { get }
  /// The words of its command: those of the kind unless stated.
  static var command: [String] { get }
  /// The type that the program runs: this one, with the additions of the workbench to every experiment.
  static var runnable: any Experiment.Type { get }
  /// The purpose of the experiment, in a sentence.
  static var summary: String { get }
  /// The rest of its help: examples of command lines, assumptions, when it ends.
  static var discussion: String { get }
  /// True if its results have a figure or a drawing.
  static var isDrawn: Bool { get }
  /// All parameters, in the order in which people read them.
  static var parameters: [Parameter<Self>] { get }
  /// The thresholds that apply if the user gives none, for example that two analyses agree.
  static var defaultThresholds: [String] { get }
  /// The default thresholds of this experiment, where they depend on its parameters.
  var thresholds: [String] { get }
  /// True if the result depends on the machine's speed, so that the same seed need not repeat it.
  var isTimed: Bool { get }
  /// True if it draws samples that `--samples-to` can write to a file one by one.
  var listsSamples: Bool { get }
  /// The conditions without which no verdict is valid: thresholds that are always evaluated, and listed if they do not
  /// hold, each with its reason.
  static var preconditions: [(threshold: String, reason: String)] { get }
  /// The rules between parameters; those of a single one are in its type.
  func check() throws(ParameterError)
  /// The measures of the run, known before it starts: the names that thresholds may use.
  var measures: [Measure] { get }
  /// Adds a measure that a threshold names, such as any percentile. A name that it cannot measure is ignored, and the
  /// threshold is then refused.
  mutating func addMeasure(named name: String)
  /// Receives the thresholds that its samples have to decide: a run that may end early ends when all of them are
  /// decided, and for no other reason.
  mutating func setStoppingThresholds(_ thresholds: [SampledThreshold])
  /// The parameter that says how many samples a measure has; `nil` if none does.
  func sampleSize(of measure: Measure) -> SampleSize?
  /// Runs the experiment. Throws errors of the input that only a run can find.
  func run(on context: RunContext) throws -> ScenarioResult
}

/// True if a run ends when its thresholds are decided.
public enum RunEnd: String, CaseIterable, Sendable {
  /// As soon as all thresholds that state a confidence are decided.
  case decided
  /// When all samples are drawn.
  case all
}

/// An experiment whose settings can be compared sample by sample.
@_documentation(visibility: internal)
public protocol PairedExperiment: Experiment {
  /// True if it has single samples, by which settings are compared.
  static var isPaired: Bool { get }
  /// Draws the same samples under two settings, by common random numbers, and measures the difference of each measure
  /// from that of the other: means and shares as means of the samples' differences. Empty if the context was
  /// interrupted.
  func differences(from other: Self, on context: RunContext) throws -> [Measurement]
}

extension PairedExperiment {
  /// True.
  public static var isPaired: Bool { true }
}

/// An experiment that can be run at several values of its parameters.
package protocol VariedExperiment: Experiment {
  /// The key that asks for several values (`sweep`, `versus` or `find`), if any.
  var variation: String? { get }
}

/// An experiment with additions of the workbench: samples, or sweeps, comparisons and searches. The declaration is that
/// of the experiment itself.
package protocol ExtendedExperiment: Experiment {
  associatedtype Base: Experiment
}

extension ExtendedExperiment {
  static var extended: any Experiment.Type { Base.self }
  package static var kind: String { Base.kind }
  package static var command: [String] { Base.command }
  package static var summary: String { Base.summary }
  package static var discussion: String { Base.discussion }
  package static var isDrawn: Bool { Base.isDrawn }
  package static var defaultThresholds: [String] { Base.defaultThresholds }
  package static var preconditions: [(threshold: String, reason: String)] { Base.preconditions }
}

/// A parameter to which the number of a measure's samples is proportional, and its value.
public struct SampleSize: Hashable, Sendable {
  /// The key of the parameter.
  package let key: String
  /// The value of the parameter.
  package let value: Int

  /// A parameter by its key, with its value.
  public init(_ key: String, _ value: Int) { (self.key, self.value) = (key, value) }
}

/// Parameters that contradict each other or the input.
public struct ParameterError: Error, Hashable, Sendable {
  /// The keys of the parameters, the one to change first.
  package let keys: [String]
  /// The expected values, with the names of the other parameters.
  package let expected: String

  /// A problem with these parameters, the one to change first.
  public init(_ keys: String..., expected: String) {
    (self.keys, self.expected) = (keys, expected)
  }
}

extension Experiment {
  /// The type, with sweeps, comparisons and searches.
  public static var runnable: any Experiment.Type { Varied<Self>.self }
  /// The words of the kind.
  public static var command: [String] { kind.split(separator: ".").map(String.init) }
  /// Nothing more.
  public static var discussion: String { "" }
  /// It has a figure.
  public static var isDrawn: Bool { true }
  /// It does not.
  public var listsSamples: Bool { false }
  /// It does not depend on the speed of the machine.
  public var isTimed: Bool { false }
  /// None.
  public static var defaultThresholds: [String] { [] }
  /// None.
  public static var preconditions: [(threshold: String, reason: String)] { [] }
  /// Those of the type.
  public var thresholds: [String] { Self.defaultThresholds }
  /// There are no rules between parameters.
  public func check() throws(ParameterError) {}
  /// Measures nothing more.
  public mutating func addMeasure(named name: String) {}
  /// Ends by no threshold.
  public mutating func setStoppingThresholds(_ thresholds: [SampledThreshold]) {}
  /// No parameter says so.
  public func sampleSize(of measure: Measure) -> SampleSize? { nil }

  /// The preconditions, as thresholds.
  static var conditions: [Threshold] {
    preconditions.compactMap { try? Threshold($0.threshold, source: $0.reason) }
  }

  /// Every parameter with its value, nested as in files.
  package var settings: [JSONMember] {
    JSONMember.nested(Self.parameters.compactMap { one in one.write(self).map { (one.key, $0) } })
  }

  /// Reads an experiment from options or the keys of a file; other parameters have their defaults.
  ///
  /// - Throws: all problems, each with its place and the expectation.
  package init(_ fields: [String: ScenarioField], at root: ScenarioField) throws(ReportingError) {
    self.init()
    var problems = ReportingErrors()
    for parameter in Self.parameters {
      if let field = fields[parameter.key] {
        do throws(ReportingError) { try parameter.read(&self, field) } catch { problems.add(error) }
      } else if parameter.isRequired, !Self.isVaried(parameter.key, by: fields) {
        let name = root.isOption ? parameter.spelling : parameter.key
        problems.add(root.missing(name, expected: "\(parameter.expected), for example \(parameter.example)"))
      }
    }
    try problems.check()
    do {
      try check()
    } catch {
      let given = error.keys.lazy.compactMap { fields[$0] }.first
      throw given?.bad(expected: error.expected)
        ?? root.missing(error.keys.first ?? "", expected: error.expected)
    }
  }

  /// Checks the values that code has set, and the rules between them, as if they were read from options.
  ///
  /// - Throws: all problems, each with the key and the expectation.
  package func checkValues() throws(ReportingError) {
    let root = try ScenarioDocument(yaml: JSONValue.object(settings).yaml, file: "").root
    var unknown = ReportingErrors()
    _ = try Self(Self.fields(of: root, overrides: [:], unknown: &unknown), at: root)
  }

  /// Returns true if a sweep or a search gives the values of a key.
  private static func isVaried(_ key: String, by fields: [String: ScenarioField]) -> Bool {
    [fields["sweep"], fields["find"]].compactMap { $0 }.flatMap(\.members)
      .contains { (try? $0.string())?.hasPrefix(key + "=") == true }
  }

  /// The keys that the files of every kind have.
  static var commonKeys: [String] { ["name", "kind", "thresholds"] }

  /// The fields of a scenario's file; `overrides` take precedence over them. Unknown keys are collected.
  static func fields(
    of root: ScenarioField, overrides: [String: ScenarioField], unknown: inout ReportingErrors
  ) throws(ReportingError) -> [String: ScenarioField] {
    try checkKeys(of: overrides)
    return try root.leaves(keys: commonKeys + parameters.map(\.key), unknown: &unknown).merging(overrides) { $1 }
  }

  /// Refuses a key that belongs to no parameter.
  package static func checkKeys(of fields: [String: ScenarioField]) throws(ReportingError) {
    let keys = parameters.map(\.key)
    for (key, field) in fields.sorted(by: { $0.key < $1.key }) where !keys.contains(key) {
      throw .unknownKey(
        file: "", line: 0, field: field.path, suggestion: Spelling.nearest(to: key, among: keys), known: keys)
    }
  }
}

extension Experiment {
  /// The problems of the declaration itself, a sentence each; none where it can be run. A program checks an experiment
  /// before it reads its parameters, and `doctor` all of them; a test may, too.
  public static func problems() -> [String] {
    var problems: [String] = []
    func add(_ what: String, _ problem: String) { problems.append("\(declaration) (\(kind)), \(what): \(problem).") }
    func isWord(_ text: Substring) -> Bool {
      text.first?.isLetter == true && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-".contains($0)) }
    }
    if !kind.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(isWord) {
      add("kind", "expected words joined by points, such as coffee.counter")
    }
    var (keys, options) = (Set<String>(), Set<String>())
    for parameter in parameters {
      if !keys.insert(parameter.key).inserted {
        add("parameter '\(parameter.key)'", "declared twice; each needs its own key")
      } else if commonKeys.contains(String(parameter.key.prefix { $0 != "." })) {
        add("parameter '\(parameter.key)'", "every scenario has this key already; it needs another")
      } else if !options.insert(parameter.option).inserted {
        add("parameter '\(parameter.key)'", "another one has the option '\(parameter.spelling)'")
      } else if let problem = problem(ofDefaultOf: parameter) {
        add("parameter '\(parameter.key)'", problem)
      }
    }
    for (text, _) in preconditions {
      do throws(ThresholdError) { _ = try Threshold(text) } catch { add("precondition '\(text)'", "\(error)") }
    }
    let measures = Self().measures
    // The measures may depend on a parameter without a default.
    if measures.isEmpty, !parameters.contains(where: \.isRequired) {
      add("measures", "there are none; a run would state nothing")
    }
    var names: Set<String> = []
    for measure in measures where !names.insert(measure.fullName).inserted {
      add("measure '\(measure.fullName)'", "declared twice; each needs its own name")
    }
    for label in Set(measures.compactMap(\.label)).sorted()
    where label.isEmpty || label.contains(where: { "[]\"\\".contains($0) || $0.isNewline }) {
      add("label '\(label)'", "expected a text without brackets, quotes and line ends, such as week 1")
    }
    for name in names.sorted() where !name.prefix(while: { $0 != "[" }).split(separator: ".").allSatisfy(isWord) {
      add("measure '\(name)'", "expected words joined by points, such as wait.longest")
    }
    return problems
  }

  /// The name of the declared type, without the additions of the workbench.
  package static var declaration: String {
    (Self.self as? any ExtendedExperiment.Type)?.extended.declaration ?? "\(Self.self)"
  }

  /// The problem if a parameter refuses its own default; `nil` if it accepts it.
  private static func problem(ofDefaultOf parameter: Parameter<Self>) -> String? {
    guard !parameter.isRequired, let `default` = parameter.write(Self()) else { return nil }
    do throws(ReportingError) {
      let text = JSONValue.object([JSONMember("value", `default`)]).yaml
      guard let field = try ScenarioDocument(yaml: text, file: "").root.member("value") else { return nil }
      var other = Self()
      try parameter.read(&other, field)
      return nil
    } catch {
      return "its default is \(`default`.yamlInline), expected \(parameter.expected)"
    }
  }
}

/// The keys of a file that begin alike up to their first point: a single one, or those of a mapping.
package struct KeyGroup<Value> {
  /// The part before the point.
  package let head: String
  /// The value of the key without a point; `nil` for a mapping.
  package let value: Value?
  /// The keys of the mapping, by the part after the point.
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
  /// The fields of a mapping by their keys; a key with points is looked up in the mappings that its parts name.
  ///
  /// - Throws: the errors of `mapping(keys:)`, at every level; unknown keys are collected.
  func leaves(keys: [String], unknown: inout ReportingErrors) throws(ReportingError) -> [String: ScenarioField] {
    let groups = KeyGroup.all(of: keys.map { ($0, ()) })
    let map = try mapping(keys: groups.map(\.head), unknown: &unknown)
    var found: [String: ScenarioField] = [:]
    for group in groups {
      guard let field = map[group.head] else { continue }
      guard group.value == nil else {
        found[group.head] = field
        continue
      }
      for (key, leaf) in try field.leaves(keys: group.members.map(\.key), unknown: &unknown) {
        found["\(group.head).\(key)"] = leaf
      }
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
