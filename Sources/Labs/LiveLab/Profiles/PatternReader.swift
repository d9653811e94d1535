// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

/// Reads one fault of a profile: `{kind: restart, at: 0s..5s, lasting: 5s..20s, how: killed, chance: 50%}`, or the name
/// alone of one that needs no more.
struct PatternReader {
  private let field: ScenarioField
  /// Whether it has a moment and a duration; else it holds for the whole session.
  private let isLasting: Bool

  init(_ field: ScenarioField, isLasting: Bool) {
    (self.field, self.isLasting) = (field, isLasting)
  }

  func pattern() throws(ReportingError) -> FaultPattern {
    let kind = try kind()
    guard field.isMapping else {
      let plain = FaultPattern(kind, lasting: isLasting ? Spread(0) : .forever)
      guard !isLasting || kind.isMoment, kind.parameters.allSatisfy({ $0.standard != nil }) else {
        throw field.bad(expected: "a mapping, such as {kind: \(kind.rawValue), \(needed(kind))}")
      }
      return plain
    }
    let timing = isLasting ? ["at", "after", "chance"] + (kind.isMoment ? [] : ["lasting"]) : []
    if isLasting, kind.isMoment, let lasting = try field.member("lasting") {
      throw lasting.bad(expected: "no lasting: \(kind.rawValue) happens at one moment")
    }
    let parameters = kind.parameters.map { ($0, $0.key(of: kind, isTimed: isLasting)) }
    let map = try field.mapping(keys: ["kind"] + timing + parameters.map(\.1))
    var values: [Spread] = []
    for (parameter, key) in parameters { values.append(try value(of: parameter, map, key)) }
    let pattern = try timed(kind, values, map)
    do {
      try pattern.check(named: kind.rawValue)
    } catch {
      throw refusal(error, map)
    }
    return pattern
  }

  private func kind() throws(ReportingError) -> Fault.Kind {
    let names = Fault.Kind.allCases.map(\.rawValue)
    let named = field.isMapping ? try field.member("kind") : field
    guard let named else {
      throw .missingKey(
        file: field.file, line: field.line, field: "\(field.path).kind",
        expected: "one of \(names.joined(separator: ", "))")
    }
    let name = try named.choice(among: names)
    guard let kind = Fault.Kind(rawValue: name) else { throw named.bad(expected: "the name of a fault") }
    if !isLasting, kind.isMoment {
      throw named.bad(expected: "a fault that can hold for the whole session; \(name) happens at one moment")
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
    if let chance, chance.least != chance.most || chance.least == 0 {
      throw (map["chance"] ?? field).bad(expected: "one share above 0, such as 50%")
    }
    var lasting = Spread(0)
    if !kind.isMoment {
      lasting = try ProfileReader.time(
        map.required("lasting", expected: "for how long \(kind.rawValue) holds, such as 5s..20s or forever"))
    }
    return FaultPattern(
      kind, anchor: after == nil ? .begin : .previous, delay: delay ?? Spread(0), lasting: lasting, values: values,
      chance: chance.map { Portion(millionths: UInt32(clamping: $0.most)) } ?? .all)
  }

  private func needed(_ kind: Fault.Kind) -> String {
    let lasting = isLasting && !kind.isMoment ? ["lasting: …"] : []
    return
      (lasting + kind.parameters.filter { $0.standard == nil }.map { "\($0.key(of: kind, isTimed: isLasting)): …" })
      .joined(separator: ", ")
  }

  /// An error of the fault's own check, in the place of the value that it is about.
  private func refusal(_ error: LiveLabError, _ map: ScenarioMapping) -> ReportingError {
    guard case .badValue(let name, let found, let expected) = error else { return field.bad(expected: "\(error)") }
    let key = name.split(separator: " ").last.map(String.init) ?? name
    let place = map[key] ?? field
    return .badValue(file: place.file, line: place.line, field: place.path, found: found, expected: expected)
  }
}
