// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// A fault of an outage whose moment, duration and values are drawn for each session.
package struct FaultPattern: Hashable, Sendable {
  /// What the moment is counted from.
  package enum Anchor: UInt8, Hashable, Sendable, CaseIterable {
    /// The beginning of the outage.
    case begin
    /// The end of the fault before it in the outage; the beginning where there is none.
    case previous
  }

  /// Which fault.
  package let kind: Fault.Kind
  /// What the moment is counted from.
  package let anchor: Anchor
  /// How long after that, in nanoseconds.
  package let delay: Spread
  /// How long it holds, in nanoseconds; no time for a moment.
  package let lasting: Spread
  /// The values of its parameters, in their order.
  package let values: [Spread]
  /// In what portion of the outages it happens.
  package let chance: Portion
  /// What each value is drawn in multiples of.
  private let steps: SIMD4<Int64>

  /// A pattern. Its values are not checked: `check` does.
  ///
  /// - Parameters:
  ///   - kind: Which fault.
  ///   - anchor: What the moment is counted from.
  ///   - delay: How long after that, in nanoseconds.
  ///   - lasting: How long it holds, in nanoseconds; no time for a moment.
  ///   - values: The values of its parameters, in their order; those left out have their usual values.
  ///   - chance: In what portion of the outages it happens.
  package init(
    _ kind: Fault.Kind, anchor: Anchor = .begin, delay: Spread = Spread(0), lasting: Spread = Spread(0),
    values: [Spread] = [], chance: Portion = .all
  ) {
    (self.kind, self.anchor, self.delay, self.lasting, self.chance) = (kind, anchor, delay, lasting, chance)
    let parameters = kind.parameters
    self.values = parameters.enumerated().map { place, parameter in
      place < values.count ? values[place] : Spread(parameter.standard ?? parameter.range.lowerBound)
    }
    var steps = SIMD4<Int64>(repeating: 1)
    for (place, parameter) in parameters.enumerated() where parameter.unit == .time { steps[place] = 1_000_000 }
    self.steps = steps
  }

  /// Whether it holds to the end of the session, however long that is.
  var isEndless: Bool { lasting.most >= FaultSchedule.longest.nanoseconds }

  /// The faults of the least and of the greatest values.
  var extremes: (least: Fault, most: Fault) {
    var (least, most) = (SIMD4<Int64>.zero, SIMD4<Int64>.zero)
    for (place, spread) in values.enumerated() { (least[place], most[place]) = (spread.least, spread.most) }
    return (Fault(kind, values: least), Fault(kind, values: most))
  }

  /// Draws the fault.
  func fault(using random: inout SessionRandom) -> Fault {
    var drawn = SIMD4<Int64>.zero
    for place in values.indices { drawn[place] = values[place].draw(using: &random, step: steps[place]) }
    return Fault(kind, values: drawn)
  }

  /// Refuses what contradicts itself.
  ///
  /// - Parameter name: What errors call it.
  /// - Throws: `LiveLabError`, by the name, the field, what was found and what was expected.
  func check(named name: String) throws(LiveLabError) {
    if kind.isMoment, lasting.most > 0 {
      throw .badValue(
        field: "\(name), lasting", found: FaultText.time(lasting.most),
        expected: "no time: \(kind.rawValue) happens at one moment")
    }
    if !kind.isMoment, lasting.least <= 0 {
      throw .badValue(
        field: "\(name), lasting", found: FaultText.time(lasting.least),
        expected: "a time above 0, for which \(kind.rawValue) holds")
    }
    try extremes.least.check(named: name)
    try extremes.most.check(named: name)
  }
}
