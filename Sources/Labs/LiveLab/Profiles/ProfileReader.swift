// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting

/// Reads profiles from a scenario: names of built-in ones, built-in ones with changed parameters, and own ones.
///
///     profiles:
///       - tunnel
///       - {profile: tunnel, name: long tunnel, length: 2m..5m, limit: 1m}
///       - name: cellar
///         limit: 20s
///         outages: 1..3
///         faults:
///           - {kind: black-hole, lasting: 5s..20s}
///           - {kind: reset, after: 1s..2s, chance: 50%}
struct ProfileReader {
  /// The profiles of a list, or of one value; all built-in ones where there is none.
  ///
  /// - Parameter field: The value of `profiles:`.
  /// - Returns: The profiles, in the order in which they stand there.
  /// - Throws: `ReportingError` with the place, what stands there and what was expected.
  static func profiles(_ field: ScenarioField?) throws(ReportingError) -> [OutageProfile] {
    guard let field else { return OutageProfile.all }
    var profiles: [OutageProfile] = []
    for member in field.members {
      let profile = try Self.profile(member)
      guard !profiles.contains(where: { $0.name == profile.name }) else {
        throw member.bad(expected: "a profile of another name: there is one of the name '\(profile.name)' already")
      }
      profiles.append(profile)
    }
    guard !profiles.isEmpty else { throw field.bad(expected: "at least one profile") }
    return profiles
  }

  private static let common = ["limit", "session", "first", "outages", "pause"]

  private static func profile(_ field: ScenarioField) throws(ReportingError) -> OutageProfile {
    guard field.isMapping else { return try template(field).standard }
    if let name = try field.member("profile") {
      return try changed(try template(name), field)
    }
    return try own(field)
  }

  private static func template(_ field: ScenarioField) throws(ReportingError) -> ProfileTemplate {
    let name = try field.choice(among: OutageProfile.names)
    guard let template = ProfileTemplate.all.first(where: { $0.name == name }) else {
      throw field.bad(expected: "a profile")
    }
    return template
  }

  /// A built-in profile with other values of its parameters.
  private static func changed(
    _ template: ProfileTemplate, _ field: ScenarioField
  ) throws(ReportingError) -> OutageProfile {
    let map = try field.mapping(keys: ["profile", "name"] + common + template.parameters.map(\.name))
    var changed: [String: Spread] = [:]
    for parameter in template.parameters {
      guard let value = map[parameter.name] else { continue }
      changed[parameter.name] = try spread(value, as: parameter.written)
    }
    let shares = template.shares.reduce(Int64(0)) { sum, name in
      sum + (changed[name] ?? template.parameters.first { $0.name == name }?.standard ?? Spread(0)).most
    }
    guard shares <= 1_000_000 else {
      throw field.bad(
        expected: "\(template.shares.joined(separator: ", ")) of no more than 100% together; they are "
          + FaultText.portion(shares))
    }
    var profile = template.profile(changed: changed)
    profile.name = try map["name"].map { field throws(ReportingError) in try name(field) } ?? template.name
    try readCommon(map, into: &profile)
    return try checked(profile, field)
  }

  /// A profile composed of faults.
  private static func own(_ field: ScenarioField) throws(ReportingError) -> OutageProfile {
    let map = try field.mapping(keys: ["name", "meaning", "faults", "always", "times", "gap"] + common)
    let name = try name(
      map.required("name", expected: "the name of a profile of its own, or `profile:` and \(Self.known)"))
    guard !OutageProfile.names.contains(name) else {
      throw field.bad(expected: "another name than that of a built-in profile; to change one write `profile: \(name)`")
    }
    var patterns: [FaultPattern] = []
    let faults = try map.required("faults", expected: "a list of faults, each {kind: …, lasting: …}")
    for member in faults.members { patterns.append(try PatternReader(member, isLasting: true).pattern()) }
    guard !patterns.isEmpty else { throw faults.bad(expected: "at least one fault") }
    var always: [FaultPattern] = []
    for member in map["always"]?.members ?? [] {
      always.append(try PatternReader(member, isLasting: false).pattern())
    }
    let times = try map["times"].map { field throws(ReportingError) in try count(field, upTo: 100) }
    let gap = try map["gap"].map { field throws(ReportingError) in try time(field) }
    var profile = OutageProfile(
      name: name, meaning: try map["meaning"]?.string() ?? patterns.map(\.kind.meaning).joined(separator: "; "),
      limit: .zero, always: always,
      courses: [OutageCourse(times: times ?? Spread(1), gap: gap ?? Spread(0), patterns)])
    _ = try map.required("limit", expected: "how soon the client is to be back, such as 30s")
    try readCommon(map, into: &profile)
    return try checked(profile, field)
  }

  private static var known: String { OutageProfile.names.joined(separator: ", ") }

  private static func name(_ field: ScenarioField) throws(ReportingError) -> String {
    let name = try field.string(expected: "a name")
    let isWord = name.allSatisfy { $0.isLetter || $0.isNumber || "-_ .".contains($0) }
    guard isWord, name.count <= 40, !name.hasPrefix(" "), !name.hasSuffix(" ") else {
      throw field.bad(
        expected: "a name of at most 40 letters, digits, '-', '_' or '.', and blanks between them")
    }
    return name
  }

  private static func readCommon(
    _ map: ScenarioMapping, into profile: inout OutageProfile
  ) throws(ReportingError) {
    let longest = Spread(FaultSchedule.longest.nanoseconds)
    if let field = map["limit"] {
      profile.limit = try single(field)
      guard profile.limit < FaultSchedule.longest else {
        throw field.bad(expected: "less than the longest session, \(FaultText.text(FaultSchedule.longest))")
      }
    }
    if let field = map["session"] { profile.session = try single(field) }
    if let field = map["first"] { profile.first = try time(field) }
    if let field = map["pause"] { profile.pause = try time(field) }
    if let field = map["outages"] { profile.outages = try count(field, upTo: 100) }
    for (key, spread) in [("first", profile.first), ("pause", profile.pause)] where spread.most >= longest.most {
      if let field = map[key] { throw field.bad(expected: "a time that ends") }
    }
  }

  /// A profile whose parts do not contradict each other.
  private static func checked(_ profile: OutageProfile, _ field: ScenarioField) throws(ReportingError) -> OutageProfile
  {
    guard profile.mostFaults < FaultSchedule.capacity else {
      throw field.bad(
        expected: "at most \(FaultSchedule.capacity - 1) faults in a session: outages, times and faults together")
    }
    guard profile.courses.contains(where: { $0.weight > 0 }) else {
      throw field.bad(expected: "a way for the outage to go that is not left out by its shares")
    }
    return profile
  }

  /// One time above 0.
  private static func single(_ field: ScenarioField) throws(ReportingError) -> Interval {
    let spread = try time(field)
    guard spread.least == spread.most, spread.least > 0 else {
      throw field.bad(expected: "one time above 0, such as 30s")
    }
    return Interval(nanoseconds: spread.least)
  }

  static func time(_ field: ScenarioField) throws(ReportingError) -> Spread { try spread(field, as: .time("time")) }

  static func count(_ field: ScenarioField, upTo most: Int64) throws(ReportingError) -> Spread {
    try spread(field, as: FaultParameter("count", .count(of: "times"), 1...most))
  }

  /// A value, or a range written `least..most`.
  static func spread(_ field: ScenarioField, as parameter: FaultParameter) throws(ReportingError) -> Spread {
    let expected = "\(parameter.expectation)\(parameter.hasRanges ? "; or a range of them, written least..most" : "")"
    let text = try field.string(expected: expected)
    if let value = parameter.value(text) { return Spread(value) }
    guard parameter.hasRanges, let dots = text.firstRange(of: ".."),
      let least = parameter.value(String(text[..<dots.lowerBound])),
      let most = parameter.value(String(text[dots.upperBound...]))
    else { throw field.bad(expected: expected) }
    guard least <= most else {
      throw field.bad(expected: "a range from the least to the most: \(parameter.text(most))..\(parameter.text(least))")
    }
    return Spread(least, most)
  }
}

extension FaultParameter {
  /// Whether a range of its values means anything: words and codes have none.
  var hasRanges: Bool {
    switch unit {
    case .word, .count(of: "close code"), .count(of: "HTTP status"): false
    default: true
    }
  }
}
