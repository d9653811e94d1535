// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting

extension OutageProfile {
  /// The profile with every value written out, from which `ProfileReader` reads the same profile.
  var settings: JSONValue {
    guard let origin else { return .object(composed) }
    return .object(
      [JSONMember("profile", .string(origin.template)), JSONMember("name", .string(name))] + common
        + origin.values.map { JSONMember($0.name, .string($0.text)) })
  }

  private var common: [JSONMember] {
    let time = FaultParameter.time("")
    return [
      JSONMember("limit", .string(FaultText.text(limit))), JSONMember("session", .string(FaultText.text(session))),
      JSONMember("first", .string(time.text(first))), JSONMember("outages", .string(Self.count.text(outages))),
      JSONMember("pause", .string(time.text(pause))),
    ]
  }

  /// One composed of faults has one course.
  private var composed: [JSONMember] {
    let head = [JSONMember("name", .string(name)), JSONMember("meaning", .string(meaning))] + common
    let lasting = always.isEmpty ? [] : [JSONMember("always", .array(always.map { $0.settings(isLasting: false) }))]
    guard let course = courses.first else { return head + lasting }
    return head + lasting + [
      JSONMember("times", .string(Self.count.text(course.times))),
      JSONMember("gap", .string(FaultParameter.time("").text(course.gap))),
      JSONMember("faults", .array(course.patterns.map { $0.settings(isLasting: true) })),
    ]
  }

  private static let count = FaultParameter("count", .count(of: "times"), 0...Int64.max)
}

extension FaultPattern {
  func settings(isLasting: Bool) -> JSONValue {
    let time = FaultParameter.time("")
    var members = [JSONMember("kind", .string(kind.rawValue))]
    if isLasting {
      members.append(JSONMember(anchor == .begin ? "at" : "after", .string(time.text(delay))))
      if !kind.isMoment { members.append(JSONMember("lasting", .string(time.text(lasting)))) }
      if chance != .all { members.append(JSONMember("chance", .string(FaultText.portion(Int64(chance.millionths))))) }
    }
    for (place, parameter) in kind.parameters.enumerated() where values[place] != Spread(FaultParameter.none) {
      let key = parameter.key(of: kind, isTimed: isLasting)
      members.append(JSONMember(key, .string(parameter.text(values[place]))))
    }
    return .object(members)
  }
}

extension FaultParameter {
  /// What scenarios call it: a fault with a moment of its own has an `after` already, so that the parameter is written
  /// with the fault's name.
  func key(of kind: Fault.Kind, isTimed: Bool) -> String {
    isTimed && name == "after" ? "\(kind.rawValue)-after" : name
  }
}
