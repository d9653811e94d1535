// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore
internal import Reporting
public import Scenarios

/// A backoff policy with the name that labels its measures: one of the catalogue, or a user's own.
public struct NamedPolicy: Hashable, Sendable {
  public let name: String
  public let backoff: Backoff

  init(_ name: String, _ backoff: Backoff) { (self.name, self.backoff) = (name, backoff) }

  /// The policy of the catalogue with that name or short name; nil if there is none.
  init?(catalogued name: String) {
    guard let found = Backoff.catalogue.first(where: { $0.name == name || $0.shortName == name }) else { return nil }
    self.init(found.name, found.policy)
  }

  /// A text from which the same policy can be read: its name in the catalogue, or all values of a user's own.
  var text: String {
    if Backoff.named(name) == backoff { return name }
    let values = Self.settings(of: backoff).map { "\($0.key)=\($0.value)" }
    return ((name == Self.label(of: backoff) ? [] : ["name=\(name)"]) + values).joined(separator: " ")
  }

  static let example = "base=500ms cap=30s factor=2 jitter=full attempts=12"

  /// The help on a user's own policy.
  public static let guide =
    "A policy of your own is written as '\(example)', with name=... to label it. "
    + "Omitted keys have the values of full-jitter:\n"
    + lines(growth + common)
    + "\nOr as its waits, '\(tableExample)', by default without jitter and with unlimited attempts:\n"
    + "  waits: \(waitsMeaning) (\(ValueType<[Interval]>.waits.expected))\n"
    + "  then: \(thenMeaning) (one of \(ends.joined(separator: ", ")))"

  private static let tableExample = "waits=0s,2s,10s,30s then=stop"
  private static let waitsMeaning = "the waits before the attempts, instead of base, cap, floor and factor"
  private static let thenMeaning = "what follows the table: no more attempts, or the last wait for each"
  private static let ends = ["stop", "last"]

  private static func lines(_ settings: [Parameter<Backoff>]) -> String {
    settings.map { "  \($0.key): \($0.meaning) (\($0.expected))" }.joined(separator: "\n")
  }

  /// The growth of a user's own policy without a table of waits; all omitted settings are those of `Backoff()`.
  private static let growth: [Parameter<Backoff>] = [
    Parameter("base", \.base, .interval(.milliseconds(1)...day), "the longest first wait"),
    Parameter("cap", \.cap, .interval(.milliseconds(1)...day), "the bound of the longest wait"),
    Parameter("floor", \.floor, .interval(.zero...day), "the shortest wait"),
    Parameter("factor", \.factor, .number(1...100), "the factor by which the longest wait grows with each attempt"),
  ]

  private static let common: [Parameter<Backoff>] = [
    Parameter("jitter", \.jitter, .jitter, "the jitter of the waits"),
    Parameter(
      "attempts", \.maximumAttempts, ValueType<Int>.count(1...1_000_000).or("unlimited"),
      "the number of attempts before it is suspended, 10 by default"),
  ]

  fileprivate static let day = Interval.seconds(86_400)

  /// The default name of a policy: `own-500ms-30s-100ms-2-full-12`, `own-0s-2s-none-unlimited`.
  private static func label(of backoff: Backoff) -> String {
    (["own"] + settings(of: backoff).map(\.value)).joined(separator: "-").replacing(",", with: "-")
  }

  private static func settings(of backoff: Backoff) -> [(key: String, value: String)] {
    func written(_ settings: [Parameter<Backoff>]) -> [(key: String, value: String)] {
      settings.map { ($0.key, ($0.write(backoff) ?? .null).yamlInline.replacing("\"", with: "")) }
    }
    guard backoff.growth == .table else { return written(growth + common) }
    return [("waits", backoff.table.all.map(\.text).joined(separator: ","))] + written(common)
  }

  /// Reads a policy from a mapping or from `key=value` words; LiveCore checks whether its values fit together.
  fileprivate init(_ field: ScenarioField) throws(ReportingError) {
    let map = try field.settings(keys: ["name"] + (Self.growth + Self.common).map(\.key) + ["waits", "then"])
    var backoff = Backoff()
    if let waits = map["waits"] {
      backoff = Backoff(waits: try ValueType.waits.read(waits))
      if let other = Self.growth.lazy.compactMap({ map[$0.key] }).first {
        throw other.bad(expected: "only one of this and waits, which are the waits themselves")
      }
    }
    for one in Self.growth + Self.common {
      if let value = map[one.key] { try one.read(&backoff, value) }
    }
    if let then = map["then"] {
      guard backoff.growth == .table else {
        throw then.bad(expected: "waits with it, such as '\(Self.tableExample)'")
      }
      if try then.choice(among: Self.ends) == "stop" {
        guard map["attempts"] == nil else { throw then.bad(expected: "only one of then=stop and attempts") }
        backoff.maximumAttempts = backoff.table.count
      }
    }
    do {
      try backoff.check()
    } catch {
      throw Self.refusal(error, in: map)
    }
    self.init(try map["name"].map(Self.name(_:)) ?? Self.label(of: backoff), backoff)
  }

  private static func name(_ field: ScenarioField) throws(ReportingError) -> String {
    let name = try field.string()
    guard name.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._-]*/) != nil, NamedPolicy(catalogued: name) == nil else {
      throw field.bad(expected: "a name of letters, digits, '.', '_' and '-' that no policy of the catalogue has")
    }
    return name
  }

  private static func refusal(_ error: LiveError, in map: ScenarioMapping) -> ReportingError {
    func bad(_ field: String, _ found: String, _ expected: String, while other: String = "") -> ReportingError {
      let key = field.replacing("backoff.", with: "")
      let `default` = map[key] == nil ? ", the default," : ""
      return .badValue(
        file: map.location.file, line: (map[key] ?? map.location).line, field: "\(map.location.path).\(key)",
        found: found + `default` + other.replacing("backoff.", with: ""), expected: expected)
    }
    return switch error {
    case .badSetting(let field, let found, let expected): bad(field, found, expected)
    case .contradiction(let field, let found, let other, let otherFound, let expected):
      bad(field, found, expected, while: " while \(other) is \(otherFound)")
    case .tooManyCloseRules: map.location.bad(expected: "a policy: \(error)")
    }
  }
}

extension ValueType where Value == NamedPolicy {
  /// The name or short name of a backoff policy, or the values of a user's own.
  public static var policy: Self {
    let names = ValueType<String>.choice(Backoff.names, named: "policy")
    return Self(
      names.name, expected: "\(names.expected); or one's own, such as '\(NamedPolicy.example)'", words: names.words,
      schema: ["anyOf": .array([names.schema, ["type": "string", "pattern": "="], ["type": "object"]])],
      read: { field throws(ReportingError) in
        if field.isMapping { return try NamedPolicy(field) }
        let text = try field.string(expected: names.expected)
        if text.contains("=") { return try NamedPolicy(field) }
        guard let found = NamedPolicy(catalogued: text) else {
          _ = try names.read(field)
          throw field.bad(expected: names.expected)
        }
        return found
      }, write: { .string($0.text) })
  }
}

extension NamedPolicy {
  /// Throws if two policies have the same name.
  static func check(_ policies: [NamedPolicy], of key: String) throws(ParameterError) {
    if let twice = policies.first(where: { one in policies.count { $0.name == one.name } > 1 }) {
      throw ParameterError(key, expected: "policies of different names: two are named '\(twice.name)'")
    }
  }
}

extension ValueType where Value == [NamedPolicy] {
  /// One policy or several; a single one is written without a list.
  static var policies: Self {
    let list = ValueType<NamedPolicy>.policy.list()
    return Self(
      list.name, expected: list.expected, words: list.words, isList: true, schema: list.schema, read: list.read,
      write: { $0.count == 1 ? .string($0[0].text) : list.write($0) })
  }
}

extension ValueType where Value == Backoff.Jitter {
  fileprivate static var jitter: Self {
    let known: KeyValuePairs<String, Backoff.Jitter> = [
      "none": .none, "equal": .equal, "full": .full, "decorrelated": .decorrelated, "above-base": .fullAboveBase,
    ]
    let words = known.map(\.key)
    let expected =
      "one of \(words.joined(separator: ", ")), a share to either side such as 20%, or a length of time to add at "
      + "most, such as 500ms or 300ms..3s"
    return Self(
      "jitter", expected: expected,
      read: { field throws(ReportingError) in
        let text = try field.string(expected: expected)
        if let word = known.first(where: { $0.key == text }) { return word.value }
        if let share = try? ValueType<Double>.share.read(field) { return .proportional(share) }
        let ends = (text.contains("..") ? text : "0s..\(text)").split(separator: "..", omittingEmptySubsequences: false)
        let times = ends.compactMap { TimeSpan.parse(String($0)).map { Interval($0) } }
        if times.count == 2, ends.count == 2, times[0] <= times[1], times[1] <= NamedPolicy.day {
          return .added(times[0], times[1])
        }
        throw field.bad(expected: expected + Spelling.hint(for: text, among: words))
      },
      write: { jitter in
        if case .proportional(let share) = jitter { return .number(share) }
        if case .added(let minimum, let maximum) = jitter {
          return .string(minimum == .zero ? maximum.text : "\(minimum.text)..\(maximum.text)")
        }
        return known.first { $0.value == jitter }.map { .string($0.key) } ?? .null
      })
  }
}

extension ValueType where Value == [Interval] {
  /// A table of waits: `0s,2s,10s`, or a list.
  fileprivate static var waits: Self {
    let limit = Backoff.Waits.limit
    let expected = "1 to \(limit) lengths of time, 0s to 1d, separated by commas"
    return Self(
      "waits", expected: expected, isList: true,
      read: { field throws(ReportingError) in
        var waits: [Interval] = []
        for member in field.members {
          for text in try member.string(expected: expected).split(separator: ",", omittingEmptySubsequences: false) {
            let text = String(text.trimmingPrefix(while: \.isWhitespace))
            guard let wait = TimeSpan.parse(text).map({ Interval($0) }), wait <= NamedPolicy.day else {
              throw member.bad(expected: TimeSpan.expected(expected, in: text))
            }
            waits.append(wait)
          }
        }
        guard (1...limit).contains(waits.count) else { throw field.bad(expected: expected) }
        return waits
      }, write: { .array($0.map { .string($0.text) }) })
  }
}

extension Interval {
  fileprivate var text: String { TimeSpan.text(.nanoseconds(nanoseconds)) }
}
