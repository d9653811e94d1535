// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Randomness
internal import Reporting
internal import Scenarios

/// Reads what a storm depends on; a value that no storm has is refused in its own place.
struct StormSettingsReader {
  private let map: ScenarioMapping

  init(_ map: ScenarioMapping) {
    self.map = map
  }

  func settings() throws(ReportingError) -> StormSettings {
    var storm = StormSettings()
    storm.clients = try map["clients"]?.integer(in: 1...10_000_000) ?? storm.clients
    storm.outage = try interval("outage") ?? storm.outage
    if let field = map["capacity"] {
      let expected = "handshakes a second such as 5000/s, or unlimited"
      guard let capacity = StormSettings.capacity(from: try field.string(expected: expected)) else {
        throw field.bad(expected: expected)
      }
      storm.capacity = capacity
    }
    storm.burst = try interval("burst") ?? storm.burst
    storm.detectionWindow = try interval("noticed") ?? storm.detectionWindow
    storm.attemptTimeout = try interval("failing") ?? storm.attemptTimeout
    storm.horizon = try interval("watched") ?? storm.horizon
    if let field = map["cadence"] {
      storm.suspendedCadence = try Self.isWord("none", field) ? nil : SlowCadence(every: Self.interval(field))
    }
    if let field = map["cadence-spread"] {
      guard storm.suspendedCadence != nil else { throw field.bad(expected: "nothing where the cadence is none") }
      storm.suspendedCadence?.spread = try field.number()
    }
    storm.shedding = try shedding() ?? storm.shedding
    if storm.capacity == 0, storm.shedding != .refused, let field = map["shed"] {
      throw field.bad(expected: "a capacity beside it: a server that accepts as many as come sheds nobody")
    }
    let random = try map["random"]?.mapping(keys: ["generator", "seed"])
    storm.seed = UInt64(try random?["seed"]?.integer(in: 0...Int.max) ?? Int(storm.seed))
    storm.generator = try random?["generator"]?.choice(among: GSLGenerator.names) ?? storm.generator
    do {
      try storm.check()
    } catch {
      throw try refusal(error)
    }
    return storm
  }

  /// An error in the place that it names, where that place is written.
  static func refused(_ error: LiveLabError, at field: ScenarioField) -> ReportingError {
    guard case .badValue(_, let found, let expected) = error else { return field.bad(expected: error.description) }
    return .badValue(file: field.file, line: field.line, field: field.path, found: found, expected: expected)
  }

  /// The usual value of a key that is not written can be wrong beside another that is: then that is the place.
  private func refusal(_ error: LiveLabError) throws(ReportingError) -> ReportingError {
    guard case .badValue(let name, let found, let expected) = error else {
      return try map.required("clients", expected: error.description).bad(expected: error.description)
    }
    let others = ["retry-after": "shed", "burst": "capacity", "noticed": "outage"]
    if let field = map[name] { return Self.refused(error, at: field) }
    return try map.required(others[name] ?? name, expected: expected)
      .bad(expected: "one that goes with \(name): \(found) is not \(expected)")
  }

  private func interval(_ key: String) throws(ReportingError) -> Interval? {
    guard let field = map[key] else { return nil }
    return try Self.interval(field)
  }

  private static func interval(_ field: ScenarioField) throws(ReportingError) -> Interval {
    let expected = "a length of time such as 30s, 250ms or 5m"
    guard let interval = StormSettings.interval(from: try field.string(expected: expected)) else {
      throw field.bad(expected: expected)
    }
    return interval
  }

  private static func isWord(_ word: String, _ field: ScenarioField) throws(ReportingError) -> Bool {
    try field.string(expected: "a length of time, or \(word)") == word
  }

  /// `refused`, `unavailable`, or `{retry-after: 5s}`.
  private func shedding() throws(ReportingError) -> Shedding? {
    guard let field = map["shed"] else { return nil }
    guard field.isMapping else {
      return try field.choice(among: ["refused", "unavailable"]) == "refused"
        ? .refused : .unavailable(retryAfter: nil)
    }
    let wish = try field.mapping(keys: ["retry-after"]).required("retry-after", expected: "a length of time")
    return .unavailable(retryAfter: try Self.interval(wish))
  }
}
