// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting
internal import Reporting
internal import Scenarios

/// A scenario of the kind `properties`, checked and ready to run.
struct PropertiesPlan: ScenarioPlan {
  /// Ids, groups or patterns, as written.
  let patterns: [String]
  /// What they choose.
  let chosen: [Catalogues.Chosen]
  /// How much each property is tested, and how.
  let check: CheckSettings
  /// The broken subject on trial; `nil` for the code that ships.
  let subject: String?
  /// How broken subjects are tried; `nil` where they are not.
  let faults: FaultTrial?
  /// How cases are judged in another process; `nil` where they are judged in this one.
  let isolation: Isolation?
  /// How long a case may take, as written.
  let caseLimit: String
  /// Where new counterexamples are stored.
  let store: ExampleStore?

  init(
    _ map: ScenarioMapping, catalogues: Catalogues, worker: [String]?, store: ExampleStore?
  ) throws(ReportingError) {
    subject = try Self.subject(map, among: catalogues.subjects)
    (patterns, chosen) = try Self.properties(map, of: subject, in: catalogues)
    check = try Self.check(map)
    faults = try FaultTrial(map["faults"], of: chosen, in: catalogues)
    if let faults, faults.catalogues.allSatisfy(\.mutants.isEmpty), let field = map["faults"] {
      throw field.bad(expected: "false: the cores of these properties have no broken subjects")
    }
    if subject != nil, faults != nil, let field = map["faults"] {
      throw field.bad(expected: "false, or no 'subject' beside it: broken subjects are tried one by one or all")
    }
    caseLimit = try map["case-limit"]?.string() ?? Self.usualCaseLimit
    isolation = try Self.isolation(map, worker: worker)
    // A broken subject fails on purpose: its cases are no examples of anything to mend.
    self.store = subject == nil ? store : nil
  }

  var settings: [JSONMember] {
    var members = [
      JSONMember("properties", .array(patterns.map(JSONValue.string))), JSONMember("cases", .integer(check.cases)),
      JSONMember("search", .string(check.search.rawValue)),
      JSONMember("random", ["generator": .string(check.generator), "seed": .unsigned(check.seed)]),
      JSONMember("subject", .string(subject ?? Self.noSubject)),
      JSONMember("faults", faults?.setting ?? .bool(false)), JSONMember("isolation", .bool(isolation != nil)),
    ]
    if isolation != nil { members.append(JSONMember("case-limit", .string(caseLimit))) }
    return members
  }

  var measures: [Measure] { measuring.all }

  /// What is measured.
  var measuring: PropertyMeasures {
    PropertyMeasures(ids: chosen.map(\.property.id), cases: check.cases, hasFaults: faults != nil)
  }
}

extension PropertiesPlan {
  /// What scenarios call the code that ships.
  private static let noSubject = "none"
  /// How long a case may take where nothing is said.
  static let usualCaseLimit = "10s"

  private static func subject(_ map: ScenarioMapping, among known: [String]) throws(ReportingError) -> String? {
    let name = try map["subject"]?.choice(among: [noSubject] + known)
    return name == noSubject ? nil : name
  }

  private static func properties(
    _ map: ScenarioMapping, of subject: String?, in catalogues: Catalogues
  ) throws(ReportingError) -> ([String], [Catalogues.Chosen]) {
    var patterns: [String] = []
    for field in map["properties"]?.members ?? [] {
      patterns.append(
        try field.parsed(expected: "an id, a group such as blackjack, or an id with * in it") { text in
          _ = try catalogues.chosen([text], subject: subject)
          return text
        })
    }
    if let field = map["properties"], patterns.isEmpty {
      throw field.bad(expected: "at least one id or group, or no such key")
    }
    if patterns.isEmpty { patterns = ["*"] }
    return (patterns, (try? catalogues.chosen(patterns, subject: subject)) ?? [])
  }

  private static func check(_ map: ScenarioMapping) throws(ReportingError) -> CheckSettings {
    var check = CheckSettings()
    check.cases = try map["cases"]?.integer(in: 1...CheckSettings.mostCases) ?? 10_000
    let search = try map["search"]?.choice(among: SearchMode.allCases.map(\.rawValue))
    check.search = search.flatMap(SearchMode.init(rawValue:)) ?? .uniform
    let random = try map["random"]?.mapping(keys: ["generator", "seed"])
    check.seed = UInt64(try random?["seed"]?.integer(in: 0...Int.max) ?? 1)
    guard let generator = random?["generator"] else { return check }
    check.generator = try generator.parsed(expected: "a GSL generator") { name in
      var named = CheckSettings()
      named.generator = name
      try named.validate()
      return name
    }
    return check
  }

  private static func isolation(_ map: ScenarioMapping, worker: [String]?) throws(ReportingError) -> Isolation? {
    let wanted = try map["isolation"]?.choice(among: ["true", "false"])
    guard let worker, wanted != "false" else {
      if wanted == "true", let field = map["isolation"] {
        throw field.bad(expected: "false: nothing here starts processes of their own")
      }
      if let field = map["case-limit"] {
        throw field.bad(expected: "no such key without isolation: only another process can be ended")
      }
      return nil
    }
    let field = map["case-limit"]
    guard let limit = TimeSpan.parse(try field?.string() ?? usualCaseLimit) else {
      throw try map.required("case-limit", expected: "a duration")
        .bad(expected: "a duration above 0 in ms, s, m or h, for example 10s")
    }
    return Isolation(worker: worker, caseLimit: limit)
  }
}
