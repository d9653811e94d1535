// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

extension OutageProfile {
  /// What a session draws, exactly, in the words of a schedule: faults by their names, times and values as they are or
  /// as ranges from which each session draws evenly.
  ///
  ///     2..4 outages, the first after 1m..3m, each other 1m..3m after the limit of the one before;
  ///     always bandwidth rate=8000..40000; 40% black-hole for=5s..25s; 30% reset; 30% half-open
  package var definition: String {
    let time = FaultParameter.time("")
    let isOne = outages == Spread(1)
    let count = outages.least == outages.most ? "\(outages.least)" : "\(outages.least)..\(outages.most)"
    var head = "\(count) outage\(isOne ? "" : "s"), \(isOne ? "" : "the first ")after \(time.text(first))"
    if !isOne { head += ", each other \(time.text(pause)) after the limit of the one before" }
    return ([head] + always.map { "always \($0.kind.rawValue)\($0.valuesText)" } + ways).joined(separator: "; ")
  }

  /// The ways that an outage can go, each with its share where there are several.
  private var ways: [String] {
    let some = courses.filter { $0.weight > 0 }
    let whole = some.reduce(Int64(0)) { $0 + Int64($1.weight) }
    return some.map { course in
      let share = some.count > 1 ? "\(FaultText.portion(Int64(course.weight) * 1_000_000 / whole)) " : ""
      return share + course.text
    }
  }

  /// The built-in profiles, a paragraph each: what they stand for, what they draw, their limit and why it is that.
  package static let definitions = all.map { profile in
    "\(profile.name): \(profile.meaning) \(profile.definition). Back in time within \(profile.limit.inSeconds): "
      + profile.reason
  }
}

extension OutageCourse {
  /// Its faults, and how often they come.
  fileprivate var text: String {
    let faults = patterns.map(\.text).joined(separator: " + ")
    guard times != Spread(1) else { return faults }
    let count = times.least == times.most ? "\(times.least)" : "\(times.least)..\(times.most)"
    return "\(count) times \(FaultParameter.time("").text(gap)) apart: \(faults)"
  }
}

extension FaultPattern {
  /// The fault as a schedule writes it, with ranges, and with its delay and chance where it has any.
  fileprivate var text: String {
    let time = FaultParameter.time("")
    var text = kind.rawValue
    if !kind.isMoment { text += " for=\(time.text(lasting))" }
    text += valuesText
    switch (anchor, delay == Spread(0)) {
    case (.begin, true): break
    case (.begin, false): text += " at \(time.text(delay))"
    case (.previous, true): text += " afterwards"
    case (.previous, false): text += " \(time.text(delay)) afterwards"
    }
    return chance == .all ? text : "\(text) in \(FaultText.portion(Int64(chance.millionths)))"
  }

  /// Its values as a schedule writes them, each with a blank before it.
  fileprivate var valuesText: String {
    kind.parameters.enumerated().reduce(into: "") { text, item in
      let (place, parameter) = item
      let isAbsent = parameter.isOptional && values[place] == Spread(FaultParameter.none)
      let isUsual = parameter.isLeftOutWhenUsual && parameter.standard.map { Spread($0) } == values[place]
      if !isAbsent && !isUsual { text += " \(parameter.name)=\(parameter.text(values[place]))" }
    }
  }
}
