// SPDX-License-Identifier: GPL-3.0-or-later

extension Shrinker {
  /// Goes on the way that the last round of passes went, by steps that grow as long as they succeed.
  ///
  /// Numbers that hold each other up, such as two with a bounded ratio, come down only a little in each round. Where
  /// the round led from is on the same way as where it may lead to.
  /// Source: the pattern move of Hooke and Jeeves, "Direct search", Journal of the ACM 8 (1961).
  mutating func extrapolate(from before: Tape) {
    guard let way = way(from: before) else { return }
    var step = way.map(\.longest).min() ?? 0
    var isFirst = true
    let count = layout.entries.count
    while step > 0, layout.entries.count == count {
      let length = isFirst ? 1 : step
      let values = way.map { ($0.index, $0.value(in: layout, after: length)) }
      if values.contains(where: { $0.1 == nil }) || !consider(values: values.map { ($0.0, $0.1 ?? 0) }) {
        if isFirst { return }
        step /= 2
      }
      isFirst = false
    }
  }

  /// How every number changed since another case, if nothing else did.
  private func way(from before: Tape) -> [NumberStep]? {
    let (old, new) = (before.entries, layout.entries)
    guard old.count == new.count else { return nil }
    var way: [NumberStep] = []
    for index in new.indices where old[index] != new[index] {
      guard new[index].tag == .integer, old[index].hasDomain(of: new[index]) else { return nil }
      way.append(NumberStep(index: index, from: old[index], to: new[index]))
    }
    return way.isEmpty ? nil : way
  }
}

/// How a number on the tape changed.
private struct NumberStep: Sendable {
  let index: Int
  private let size: UInt64
  private let goesUp: Bool
  /// How often the step can be taken within the bounds of the number.
  let longest: UInt64

  init(index: Int, from old: TapeEntry, to new: TapeEntry) {
    self.index = index
    goesUp = new.value > old.value
    size = goesUp ? new.value - old.value : old.value - new.value
    longest = (goesUp ? new.upper - new.value : new.value - new.lower) / size
  }

  /// The number after some steps; nil when it is out of bounds.
  func value(in layout: TapeLayout, after steps: UInt64) -> UInt64? {
    let (now, (distance, isTooFar)) = (layout.entries[index], size.multipliedReportingOverflow(by: steps))
    let room = goesUp ? now.upper - now.value : now.value - now.lower
    guard !isTooFar, distance <= room else { return nil }
    return goesUp ? now.value + distance : now.value - distance
  }
}
