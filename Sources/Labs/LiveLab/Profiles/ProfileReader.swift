// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting

/// Reads profiles from a scenario: built-in ones by name, built-in ones with changed parameters, and composed ones.
///
///     profiles:
///       - tunnel
///       - {profile: tunnel, name: long tunnel, length: 2m..5m, limit: 1m}
///       - name: cellar
///         limit: 20s
///         outages: 1..3
///         faults:
///           - {kind: black-hole, for: 5s..20s}
///           - {kind: reset, after: 1s..2s, chance: 50%}
///
/// An outage with several variants has `ways` instead, each with its `share` and its `faults`.
struct ProfileReader {
  /// The profiles of a list or of a single value.
  static func profiles(_ field: ScenarioField) throws(ReportingError) -> [OutageProfile] {
    var profiles: [OutageProfile] = []
    for member in field.members {
      let profile = try Self.profile(member)
      guard !profiles.contains(where: { $0.name == profile.name }) else {
        throw member.bad(expected: "a profile of another name: '\(profile.name)' is taken already")
      }
      profiles.append(profile)
    }
    guard !profiles.isEmpty else { throw field.bad(expected: "at least one profile") }
    return profiles
  }

  /// The keys that every profile may have, with their defaults.
  private static let commonMeanings: KeyValuePairs = [
    "limit": "the time for the client to be back after an attempt could succeed",
    "session": "the shortest length of a session (1h)", "first": "when the first outage begins (1m..5m)",
    "outages": "the number of outages in a session (1)",
    "pause": "the time from an outage and its limit to the next (1m..5m)",
  ]
  /// The additional keys of a profile composed of faults.
  private static let ownMeanings: KeyValuePairs = [
    "faults": "the faults of an outage, one after the other", "times": "the number of repetitions in an outage (1)",
    "gap": "the gap between repetitions (0s)",
    "ways": "instead of these three: a list of alternatives, each with its share and its faults",
    "always": "faults that hold for the whole session", "meaning": "the description in reports",
  ]
  private static let faultMeanings: KeyValuePairs = [
    "kind": "the kind of fault", "at": "when it begins, from the beginning of the outage (0s)",
    "after": "instead of at: when it begins, after the end of the fault before",
    "for": "the duration; momentary faults, such as a reset, have none",
    "chance": "the share of outages that have it (100%)",
  ]

  /// The help on composed profiles.
  static var guide: String {
    func list(_ meanings: KeyValuePairs<String, String>) -> String {
      meanings.map { "  \($0): \($1)" }.joined(separator: "\n")
    }
    return "An outage of your own is a mapping, such as '{name: cellar, limit: 45s, faults: [{kind: black-hole, for: "
      + "5s..60s}, {kind: reset, after: 1s, chance: 50%}]}'. A range least..most is drawn uniformly. Its keys:\n"
      + "\(list(commonMeanings))\n\(list(ownMeanings))\nA fault has its values by their names, and:\n"
      + "\(list(faultMeanings))\n"
      + "'{profile: tunnel, name: long tunnel, length: 2m..5m}' changes the values of a named outage."
  }

  /// The JSON Schema of a profile.
  static var schema: JSONValue {
    func text(_ meaning: String) -> JSONValue {
      ["type": .array(["string", "number"]), "description": .string(meaning)]
    }
    func mapping(_ required: [String], _ properties: [JSONMember]) -> JSONValue {
      [
        "type": "object", "required": .array(required.map { .string($0) }), "properties": .object(properties),
        "additionalProperties": .bool(false),
      ]
    }
    func list(of items: JSONValue, _ meaning: String) -> JSONValue {
      ["type": "array", "minItems": 1, "items": items, "description": .string(meaning)]
    }
    let names = JSONValue.array(OutageProfile.names.map { .string($0) })
    let kinds = Fault.Kind.simulated
    let values = Set(kinds.flatMap { kind in kind.parameters.flatMap { [$0.name, $0.key(of: kind, isTimed: true)] } })
    let fault: JSONValue = [
      "anyOf": .array([
        ["enum": .array(kinds.map { .string($0.name) })],
        mapping(
          ["kind"],
          faultMeanings.map { key, meaning in
            JSONMember(
              key,
              key == "kind"
                ? ["enum": .array(kinds.map { .string($0.name) }), "description": .string(meaning)] : text(meaning))
          }
            + values.subtracting(faultMeanings.map(\.key)).sorted().map {
              JSONMember($0, ["type": .array(["string", "number", "boolean"])])
            }),
      ])
    ]
    let common = [JSONMember("name", text("the name in reports"))] + commonMeanings.map { JSONMember($0, text($1)) }
    let way = ownMeanings.filter { variantKeys.contains($0.key) }.map { key, meaning in
      JSONMember(key, key == "faults" ? list(of: fault, meaning) : text(meaning))
    }
    let share = JSONMember("share", text("the share of outages of this variant"))
    let others = ownMeanings.filter { !variantKeys.contains($0.key) }.map { key, meaning in
      switch key {
      case "ways": JSONMember(key, list(of: mapping(["share", "faults"], [share] + way), meaning))
      case "always": JSONMember(key, list(of: fault, meaning))
      default: JSONMember(key, text(meaning))
      }
    }
    let changes = Set(ProfileTemplate.all.flatMap { $0.parameters.map(\.parameter.name) }).sorted()
    return [
      "anyOf": .array([
        ["enum": names],
        mapping(
          ["profile"],
          [JSONMember("profile", ["enum": names])] + common
            + changes.map { JSONMember($0, ["type": .array(["string", "number", "boolean"])]) }),
        mapping(["name", "limit"], common + way + others),
      ])
    ]
  }

  private static let common = commonMeanings.map(\.key)

  private static func profile(_ field: ScenarioField) throws(ReportingError) -> OutageProfile {
    guard field.isMapping else { return try template(field).profile() }
    if let name = try field.member("profile") { return try changed(try template(name), field) }
    return try own(field)
  }

  private static func template(_ field: ScenarioField) throws(ReportingError) -> ProfileTemplate {
    let name = try field.choice(among: OutageProfile.names)
    guard let template = ProfileTemplate.all.first(where: { $0.name == name }) else {
      throw field.bad(expected: "a profile")
    }
    return template
  }

  private static func changed(
    _ template: ProfileTemplate, _ field: ScenarioField
  ) throws(ReportingError) -> OutageProfile {
    let map = try field.mapping(keys: ["profile", "name"] + common + template.parameters.map(\.parameter.name))
    var changed: [String: Spread] = [:]
    for (parameter, _) in template.parameters {
      guard let value = map[parameter.name] else { continue }
      changed[parameter.name] = try spread(value, as: parameter)
    }
    let shares = template.shares.reduce(Int64(0)) { sum, name in
      sum + (changed[name] ?? template.parameters.first { $0.parameter.name == name }?.standard ?? Spread(0)).maximum
    }
    guard shares <= 1_000_000 else {
      throw field.bad(
        expected: "\(template.shares.joined(separator: ", ")) of no more than 100% together; they are "
          + FaultText.portion(shares))
    }
    var profile: OutageProfile
    do {
      profile = try template.profile(changed: changed)
    } catch {
      throw field.bad(expected: "valid values of \(template.name): \(error)")
    }
    profile.name = try map["name"].map { field throws(ReportingError) in try name(field) } ?? template.name
    try readCommon(map, into: &profile)
    return try checked(profile, field)
  }

  private static func own(_ field: ScenarioField) throws(ReportingError) -> OutageProfile {
    let map = try field.mapping(keys: composedKeys)
    let name = try name(
      map.required("name", expected: "a name for the profile, or `profile:` and \(Self.known)"))
    guard !OutageProfile.names.contains(name) else {
      throw field.bad(expected: "a name other than those of built-in profiles; to change one write `profile: \(name)`")
    }
    var profile = try composed(map, isTemplate: false)
    profile.name = name
    _ = try map.required("limit", expected: "the time for the client to be back, such as 30s")
    try readCommon(map, into: &profile)
    return try checked(profile, field)
  }

  private static let variantKeys = ["times", "gap", "faults"]
  private static let composedKeys = ["name", "meaning", "always", "ways"] + variantKeys + common
  static let templateKeys = composedKeys + ["parameters", "shares"]

  /// A built-in profile, from its text with parameters filled in.
  static func composed(_ field: ScenarioField) throws(ReportingError) -> OutageProfile {
    let map = try field.mapping(keys: templateKeys)
    var profile = try composed(map, isTemplate: true)
    profile.name = try map["name"]?.string() ?? ""
    profile.parts = try (map["limit"]?.members ?? []).map { field throws(ReportingError) in try LimitPart(field) }
    profile.limit = LimitPart.sum(of: profile.parts)
    try readCommon(map, into: &profile, isLimited: true)
    return try checked(profile, field)
  }

  private static func composed(_ map: ScenarioMapping, isTemplate: Bool) throws(ReportingError) -> OutageProfile {
    var always: [FaultPattern] = []
    for member in map["always"]?.members ?? [] { always.append(try PatternReader(member, isLasting: false).pattern()) }
    var variants: [OutageVariant] = []
    for way in map["ways"]?.members ?? [] {
      let own = try way.mapping(keys: ["share"] + variantKeys)
      let share = try own.required("share", expected: "the share of outages of this variant, such as 40%")
      variants.append(try variant(own, weight: Self.weight(share), isTemplate))
    }
    if variants.isEmpty { variants = [try variant(map, weight: 1, isTemplate)] }
    let meaning = try map["meaning"]?.string() ?? variants[0].patterns.map(\.kind.meaning).joined(separator: "; ")
    return OutageProfile(meaning: meaning, always: always, variants: variants)
  }

  private static func variant(
    _ map: ScenarioMapping, weight: UInt32, _ isTemplate: Bool
  ) throws(ReportingError) -> OutageVariant {
    var patterns: [FaultPattern] = []
    let faults = try map.required("faults", expected: "a list of faults, each {kind: …, for: …}")
    for member in faults.members {
      patterns.append(try PatternReader(member, isLasting: true, mayBeLeftOut: isTemplate).pattern())
    }
    guard !patterns.isEmpty else { throw faults.bad(expected: "at least one fault") }
    let times = try map["times"].map { field throws(ReportingError) in try spread(field, as: .number) }
    let gap = try map["gap"].map { field throws(ReportingError) in try time(field) }
    return OutageVariant(weight: weight, times: times ?? Spread(1), gap: gap ?? Spread(0), patterns)
  }

  /// The weight of a share: a portion, or the product of several, each possibly the rest after others: `[100%-20%-10%,
  /// 50%]`.
  private static func weight(_ field: ScenarioField) throws(ReportingError) -> UInt32 {
    var share = 1.0
    for member in field.members {
      let terms = try member.string(expected: "a share").split(separator: "-").map { FaultText.readPortion(String($0)) }
      guard let first = terms.first, let whole = first, !terms.contains(nil) else {
        throw member.bad(expected: "a share, such as 40%")
      }
      share *= Double(terms.dropFirst().reduce(whole) { $0 - ($1 ?? 0) }) / 1e6
    }
    guard (0...1).contains(share) else { throw field.bad(expected: "a share from 0 to 1") }
    return UInt32((share * 1e8).rounded())
  }

  private static var known: String { OutageProfile.names.joined(separator: ", ") }

  private static func name(_ field: ScenarioField) throws(ReportingError) -> String {
    let name = try field.string(expected: "a name")
    let isWord = name.allSatisfy { $0.isLetter || $0.isNumber || "-_ .".contains($0) }
    guard isWord, name.count <= 40, !name.hasPrefix(" "), !name.hasSuffix(" ") else {
      throw field.bad(expected: "a name of at most 40 letters, digits, '-', '_' or '.', and blanks between them")
    }
    return name
  }

  private static func readCommon(
    _ map: ScenarioMapping, into profile: inout OutageProfile, isLimited: Bool = false
  ) throws(ReportingError) {
    let longest = Spread(FaultSchedule.longest.nanoseconds)
    if !isLimited, let field = map["limit"] {
      profile.limit = try single(field)
      guard profile.limit < FaultSchedule.longest else {
        throw field.bad(expected: "less than the longest session, \(FaultText.text(FaultSchedule.longest))")
      }
    }
    if let field = map["session"] { profile.session = try single(field) }
    if let field = map["first"] { profile.first = try time(field) }
    if let field = map["pause"] { profile.pause = try time(field) }
    if let field = map["outages"] { profile.outages = try spread(field, as: .number) }
    for (key, spread) in [("first", profile.first), ("pause", profile.pause)] where spread.maximum >= longest.maximum {
      if let field = map[key] { throw field.bad(expected: "a time that ends") }
    }
  }

  private static func checked(_ profile: OutageProfile, _ field: ScenarioField) throws(ReportingError) -> OutageProfile
  {
    guard profile.maxFaults < FaultSchedule.capacity else {
      throw field.bad(
        expected: "at most \(FaultSchedule.capacity - 1) faults in a session: outages, times and faults together")
    }
    guard profile.variants.contains(where: { $0.weight > 0 }) else {
      throw field.bad(expected: "at least one variant with a share above 0")
    }
    return profile
  }

  /// A single time above 0.
  private static func single(_ field: ScenarioField) throws(ReportingError) -> Interval {
    let spread = try time(field)
    guard spread.minimum == spread.maximum, spread.minimum > 0 else {
      throw field.bad(expected: "one time above 0, such as 30s")
    }
    return Interval(nanoseconds: spread.minimum)
  }

  static func time(_ field: ScenarioField) throws(ReportingError) -> Spread { try spread(field, as: .time) }

  /// A value, or a range written as `minimum..maximum`.
  static func spread(_ field: ScenarioField, as parameter: FaultParameter) throws(ReportingError) -> Spread {
    let expected = "\(parameter.expectation)\(parameter.hasRanges ? "; or a range of them, written least..most" : "")"
    let text = try field.string(expected: expected)
    guard let (minimum, maximum) = ends(text, as: parameter) else {
      if case .time = parameter.unit { throw field.bad(expected: TimeSpan.expected(expected, in: text)) }
      throw field.bad(expected: expected)
    }
    guard minimum <= maximum else {
      throw field.bad(
        expected: "a range from the least to the most: \(parameter.text(maximum))..\(parameter.text(minimum))")
    }
    return Spread(minimum, maximum)
  }

  static func spread(_ text: String, as parameter: FaultParameter) -> Spread? {
    ends(text, as: parameter).map { Spread($0.minimum, $0.maximum) }
  }

  private static func ends(_ text: String, as parameter: FaultParameter) -> (minimum: Int64, maximum: Int64)? {
    if let value = parameter.value(text) { return (value, value) }
    // A built-in profile may draw one of two words.
    let isWord = if case .word = parameter.unit { true } else { false }
    guard parameter.hasRanges || isWord, let dots = text.firstRange(of: ".."),
      let minimum = parameter.value(String(text[..<dots.lowerBound])),
      let maximum = parameter.value(String(text[dots.upperBound...]))
    else { return nil }
    return (minimum, maximum)
  }
}

/// Reads one fault of a profile: `{kind: restart, at: 0s..5s, for: 5s..20s, how: killed, chance: 50%}`, or the name
/// alone if that is enough.
private struct PatternReader {
  private let field: ScenarioField
  /// True if it has a time and a duration; else it holds for the whole session.
  private let isLasting: Bool
  /// True if its chance may be 0.
  private let mayBeLeftOut: Bool

  init(_ field: ScenarioField, isLasting: Bool, mayBeLeftOut: Bool = false) {
    (self.field, self.isLasting, self.mayBeLeftOut) = (field, isLasting, mayBeLeftOut)
  }

  func pattern() throws(ReportingError) -> FaultPattern {
    let kind = try kind()
    guard field.isMapping else {
      let plain = FaultPattern(kind, lasting: isLasting ? Spread(0) : .forever)
      guard !isLasting || kind.isMoment, kind.parameters.allSatisfy({ $0.standard != nil }) else {
        throw field.bad(expected: "a mapping, such as {kind: \(kind.name), \(needed(kind))}")
      }
      return plain
    }
    let timing = isLasting ? ["at", "after", "chance"] + (kind.isMoment ? [] : ["for"]) : []
    if isLasting, kind.isMoment, let lasting = try field.member("for") {
      throw lasting.bad(expected: "no for: \(kind.name) is momentary")
    }
    let parameters = kind.parameters.map { ($0, $0.key(of: kind, isTimed: isLasting)) }
    let map = try field.mapping(keys: ["kind"] + timing + parameters.map(\.1))
    var values: [Spread] = []
    for (parameter, key) in parameters { values.append(try value(of: parameter, map, key)) }
    let pattern = try timed(kind, values, map)
    do {
      try pattern.check(named: kind.name)
    } catch {
      throw refusal(error, map)
    }
    return pattern
  }

  private func kind() throws(ReportingError) -> Fault.Kind {
    let names = Fault.Kind.simulated.map(\.name)
    let named = field.isMapping ? try field.member("kind") : field
    guard let named else {
      throw .missingKey(
        file: field.file, line: field.line, field: "\(field.path).kind",
        expected: "one of \(names.joined(separator: ", "))")
    }
    let name = try named.choice(among: names)
    guard let kind = Fault.Kind(name: name) else { throw named.bad(expected: "the name of a fault") }
    if !isLasting, kind.isMoment {
      throw named.bad(expected: "a fault that can hold for the whole session; \(name) is momentary")
    }
    return kind
  }

  private func value(
    of parameter: FaultParameter, _ map: ScenarioMapping, _ key: String
  ) throws(ReportingError) -> Spread {
    if let field = map[key] { return try ProfileReader.spread(field, as: parameter) }
    if let standard = parameter.standard { return Spread(standard) }
    return try ProfileReader.spread(map.required(key, expected: parameter.expectation), as: parameter)
  }

  private func timed(
    _ kind: Fault.Kind, _ values: [Spread], _ map: ScenarioMapping
  ) throws(ReportingError) -> FaultPattern {
    guard isLasting else { return FaultPattern(kind, lasting: .forever, values: values) }
    let (at, after) = (map["at"], map["after"])
    if at != nil, let after {
      throw after.bad(expected: "either at, from the outage's beginning, or after, from the end of the fault before")
    }
    let delay = try (at ?? after).map { field throws(ReportingError) in try ProfileReader.time(field) }
    let chance = try map["chance"].map { field throws(ReportingError) in
      try ProfileReader.spread(field, as: .portion("chance"))
    }
    if let chance, chance.minimum != chance.maximum || chance.minimum == 0 && !mayBeLeftOut {
      throw (map["chance"] ?? field).bad(expected: "one share above 0, such as 50%")
    }
    var lasting = Spread(0)
    if !kind.isMoment {
      lasting = try ProfileReader.time(
        map.required("for", expected: "the duration of \(kind.name), such as 5s..20s or forever"))
    }
    return FaultPattern(
      kind, anchor: after == nil ? .begin : .previous, delay: delay ?? Spread(0), lasting: lasting, values: values,
      chance: chance.map { Double($0.maximum) / 1e6 } ?? 1)
  }

  private func needed(_ kind: Fault.Kind) -> String {
    let lasting = isLasting && !kind.isMoment ? ["for: …"] : []
    return
      (lasting + kind.parameters.filter { $0.standard == nil }.map { "\($0.key(of: kind, isTimed: isLasting)): …" })
      .joined(separator: ", ")
  }

  /// An error from the fault's own check, at the value that it is about.
  private func refusal(_ error: LiveLabError, _ map: ScenarioMapping) -> ReportingError {
    let key = error.field.split(separator: " ").last.map(String.init) ?? error.field
    let value = map[key] ?? field
    return .badValue(
      file: value.file, line: value.line, field: value.path, found: error.found, expected: error.expected)
  }
}

// MARK: Writing

extension OutageProfile {
  /// The profile with all values, from which `ProfileReader` reads the same profile.
  var settings: JSONValue {
    let common = [
      JSONMember("limit", .string(FaultText.text(limit))), JSONMember("session", .string(FaultText.text(session))),
      JSONMember("first", .string(FaultParameter.time.text(first))),
      JSONMember("outages", .string(FaultParameter.number.text(outages))),
      JSONMember("pause", .string(FaultParameter.time.text(pause))),
    ]
    if let origin, let template = ProfileTemplate.all.first(where: { $0.name == origin.template }) {
      return .object(
        [JSONMember("profile", .string(origin.template)), JSONMember("name", .string(name))] + common
          + template.parameters.map { parameter, standard in
            JSONMember(parameter.name, .string(parameter.text(origin.values[parameter.name] ?? standard)))
          })
    }
    let lasting = always.isEmpty ? [] : [JSONMember("always", .array(always.map { $0.settings(isLasting: false) }))]
    let ways = variants.map { variant in
      [
        JSONMember("times", .string(FaultParameter.number.text(variant.times))),
        JSONMember("gap", .string(FaultParameter.time.text(variant.gap))),
        JSONMember("faults", .array(variant.patterns.map { $0.settings(isLasting: true) })),
      ]
    }
    let isOne = variants.count == 1 && variants[0].weight == 1
    let shared = zip(variants, ways).map { variant, members in
      JSONValue.object([JSONMember("share", .string(FaultText.portion(Int64(variant.weight) / 100)))] + members)
    }
    return .object(
      [JSONMember("name", .string(name)), JSONMember("meaning", .string(meaning))] + common + lasting
        + (isOne ? ways[0] : [JSONMember("ways", .array(shared))]))
  }
}

extension FaultPattern {
  fileprivate func settings(isLasting: Bool) -> JSONValue {
    var members = [JSONMember("kind", .string(kind.name))]
    if isLasting {
      members.append(JSONMember(anchor == .begin ? "at" : "after", .string(FaultParameter.time.text(delay))))
      if !kind.isMoment { members.append(JSONMember("for", .string(FaultParameter.time.text(lasting)))) }
      if chance < 1 { members.append(JSONMember("chance", .string(FaultText.portion(FaultText.millionths(chance))))) }
    }
    for (index, parameter) in kind.parameters.enumerated() where values[index] != Spread(FaultParameter.none) {
      let key = parameter.key(of: kind, isTimed: isLasting)
      members.append(JSONMember(key, .string(parameter.text(values[index]))))
    }
    return .object(members)
  }
}

extension FaultParameter {
  /// The key in scenarios: a timed fault already has a key `after`, so the parameter of that name is written with the
  /// fault's name.
  fileprivate func key(of kind: Fault.Kind, isTimed: Bool) -> String {
    isTimed && name == "after" ? "\(kind.name)-after" : name
  }
}
