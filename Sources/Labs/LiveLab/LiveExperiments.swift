// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore
public import Reporting
public import Scenarios

public enum LiveExperiments {
  public static let summary =
    "Tests the reconnecting client: in simulated networks, in storms, and event by event."
  public static var experiments: [any Experiment.Type] {
    [SimulationTrial.self, StormComparison.self, TimelineSession.self]
  }
}

extension Interval {
  public init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self = .seconds(seconds) + Interval(nanoseconds: attoseconds / 1_000_000_000)
  }
}

extension ValueType where Value == Interval {
  public static func interval(_ range: ClosedRange<Interval>) -> Self {
    ValueType<Duration>.duration(
      .nanoseconds(range.lowerBound.nanoseconds) ... .nanoseconds(range.upperBound.nanoseconds)
    )
    .map({ Interval($0) }, back: { .nanoseconds($0.nanoseconds) })
  }
}

extension ValueType where Value == UInt32 {
  static var sessionSeed: Self {
    ValueType<Int>.count(0...Int(UInt32.max)).map({ UInt32(exactly: $0) }, back: { Int($0) })
  }
}

extension ValueType where Value == LiveVariant {
  /// The name of the shipped client or of a mutant.
  static var client: Self {
    ValueType<String>.choice(LiveVariant.all.map(\.name), named: "client").map(
      expected: "production or a mutant, for example live-sends-no-pings",
      { name in LiveVariant.all.first { $0.name == name } }, back: { $0.name })
  }
}

extension ValueType where Value == [OutageProfile] {
  /// Built-in profiles by name, optionally with other parameters, and profiles composed of faults.
  public static var profiles: Self {
    let schema = ProfileReader.schema
    return Self(
      "profile", expected: "profiles of \(OutageProfile.names.joined(separator: ", ")), or mappings",
      words: OutageProfile.names, isList: true,
      schema: ["anyOf": .array([schema, ["type": "array", "items": schema, "minItems": 1]])],
      read: { field throws(ReportingError) in
        let profiles = try ProfileReader.profiles(field)
        for (profile, member) in zip(profiles, field.members) {
          guard case .cannotSucceed(let why) = profile.feasibility(under: ConnectionSettings()) else { continue }
          throw member.bad(
            expected: "a profile in which a client can succeed; in '\(profile.name)' no client can succeed: \(why)")
        }
        return profiles
      },
      write: { profiles in
        .array(profiles.map { OutageProfile.all.contains($0) ? .string($0.name) : $0.settings })
      })
  }
}

extension ValueType where Value == FaultSchedule {
  /// The faults of one session: `live/1 for=10m; 5m offline for=20s`.
  public static var schedule: Self {
    Self(
      "schedule", expected: FaultSchedule.expected, schema: ["type": "string"],
      read: { field throws(ReportingError) in try FaultSchedule(field) }, write: { .string("\($0)") })
  }
}

extension FaultSchedule {
  public static let expected = "a schedule, such as 'live/1 for=10m; 5m black-hole for=40s'"

  /// Reads the text of a field; errors name its file and line.
  public init(_ field: ScenarioField, onSockets: Bool = false) throws(ReportingError) {
    let text = try field.string(expected: Self.expected)
    do throws(LiveLabError) {
      self = try FaultSchedule(reading: text, onSockets: onSockets)
    } catch {
      throw .badValue(
        file: field.file, line: field.line, field: error.field, found: error.found, expected: error.expected)
    }
  }
}

/// An error in a value of a network, a profile or a storm.
public struct LiveLabError: InputError, Hashable, Sendable {
  let field: String
  let found: String
  let expected: String

  public static func badValue(field: String, found: String, expected: String) -> LiveLabError {
    LiveLabError(field: field, found: found, expected: expected)
  }

  static func require(
    _ isGood: Bool, _ field: @autoclosure () -> String, found: @autoclosure () -> String,
    expected: @autoclosure () -> String
  ) throws(LiveLabError) {
    if !isGood { throw .badValue(field: field(), found: found(), expected: expected()) }
  }

  public var description: String { "\(field): found \(found), expected \(expected)." }
}

extension LiveError: @retroactive InputError {}
