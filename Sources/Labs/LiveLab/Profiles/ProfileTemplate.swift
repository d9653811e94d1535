// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting

/// A parameter of a built-in profile.
struct ProfileParameter {
  let name: String
  let unit: FaultParameter.Unit
  let range: ClosedRange<Int64>
  let standard: Spread

  static func time(_ name: String, _ standard: Spread) -> ProfileParameter {
    ProfileParameter(name: name, unit: .time, range: 1...FaultSchedule.longest.nanoseconds, standard: standard)
  }

  static func portion(_ name: String, _ percent: Int64) -> ProfileParameter {
    ProfileParameter(name: name, unit: .portion, range: 0...1_000_000, standard: .percent(percent, percent))
  }

  static func count(_ name: String, of what: String, _ range: ClosedRange<Int64>, _ standard: Spread)
    -> ProfileParameter
  {
    ProfileParameter(name: name, unit: .count(of: what), range: range, standard: standard)
  }

  /// The parameter as one of a fault, which knows how its values are written.
  var written: FaultParameter { FaultParameter(name, unit, range) }
}

/// Which built-in profile a profile is made from, and with which values.
struct ProfileOrigin: Hashable, Sendable {
  struct Value: Hashable, Sendable {
    let name: String
    let text: String
  }

  let template: String
  let values: [Value]
}

/// The values of a built-in profile's parameters.
struct ProfileValues {
  private var spreads: [String: Spread]

  init(_ parameters: [ProfileParameter], changed: [String: Spread] = [:]) {
    spreads = changed
    for parameter in parameters where changed[parameter.name] == nil { spreads[parameter.name] = parameter.standard }
  }

  /// The value of a parameter; nothing for one that the template does not have.
  subscript(name: String) -> Spread { spreads[name] ?? Spread(0) }

  /// A portion as a weight among courses, in a hundredth of a percent.
  func weight(_ name: String) -> UInt32 { UInt32(clamping: self[name].most / 100) }

  /// What is left of the whole beside some portions, as a weight.
  func rest(_ names: String...) -> UInt32 { UInt32(clamping: 10_000 - names.reduce(0) { $0 + Int64(weight($1)) }) }

  /// A portion as a chance.
  func chance(_ name: String) -> Portion { Portion(millionths: UInt32(clamping: self[name].most)) }
}

/// A built-in profile: its parameters, and what it is with values of them.
struct ProfileTemplate: Sendable {
  let name: String
  let parameters: [ProfileParameter]
  /// Those of its parameters that are shares of one whole.
  var shares: [String] = []
  let make: @Sendable (ProfileValues) -> OutageProfile

  /// The profile with the usual values.
  var standard: OutageProfile { profile() }

  /// The profile with some values changed.
  func profile(changed: [String: Spread] = [:]) -> OutageProfile {
    let values = ProfileValues(parameters, changed: changed)
    var profile = make(values)
    profile.origin = ProfileOrigin(
      template: name,
      values: parameters.map { ProfileOrigin.Value(name: $0.name, text: $0.written.text(values[$0.name])) })
    return profile
  }

  /// All, in the order in which they are shown.
  static let all: [ProfileTemplate] = [lift, tunnel, commute, stadium, serverRestart, rollingDeploy, badWiFi, night]
}

extension OutageProfile {
  /// The built-in profiles.
  package static let all: [OutageProfile] = ProfileTemplate.all.map(\.standard)

  /// The names of the built-in profiles.
  package static let names: [String] = ProfileTemplate.all.map(\.name)

  /// The built-in profile of a name.
  ///
  /// - Parameter name: One of `names`.
  /// - Returns: The profile with its usual parameters.
  /// - Throws: `LiveLabError.badValue` with the nearest name.
  package static func named(_ name: String) throws(LiveLabError) -> OutageProfile {
    guard let profile = all.first(where: { $0.name == name }) else {
      let hint = Spelling.nearest(to: name, among: names).map { " (did you mean '\($0)'?)" } ?? ""
      throw .badValue(field: "profile", found: "'\(name)'", expected: "one of \(names.joined(separator: ", "))\(hint)")
    }
    return profile
  }
}
