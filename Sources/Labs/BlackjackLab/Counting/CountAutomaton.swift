// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// A table of the rules and a counter's chart, like `RoundAutomaton`, with additions for several hands and a count:
/// whether a position waits for a dealer's card, the stakes, and the decisions by the count.
///
/// Positions are offsets of rows of ten. Payoffs come first; they share the row of the first card, so that the next
/// round begins by itself. Splits and decisions by the count, from `onward` up to `limit`, have no row.
struct CountAutomaton: Sendable {
  /// The payoff, split or decision at a position below `limit`; `nil` for other offsets.
  let specials: [RoundMap.Future?]
  let next: [UInt16]
  let start: Int
  let onward: Int
  var limit: Int { specials.count }
  /// True if a row waits for a card of the dealer.
  let isDealers: [Bool]

  init(_ chart: CountedChart, rules: Rules) throws(BlackjackError) {
    let map = try RoundMap(chart, rules: rules)
    let order: [[Int]] = map.futures.indices.reduce(into: [[], [], []]) { order, number in
      switch map.futures[number] {
      case .payoff: order[0].append(number)
      case .onward, .decision: order[1].append(number)
      case .cards: order[2].append(number)
      }
    }
    onward = 10 * order[0].count
    let limit = onward + order[1].count
    var offsets = Array(repeating: 0, count: map.futures.count)
    for (index, number) in order[0].enumerated() { offsets[number] = 10 * index }
    for (index, number) in order[1].enumerated() { offsets[number] = onward + index }
    for (index, number) in order[2].enumerated() { offsets[number] = limit + 10 * index }
    var specials: [RoundMap.Future?] = Array(repeating: nil, count: limit)
    var (table, dealers): ([UInt16], [Bool]) = (Array(repeating: 0, count: limit), [])
    for number in order.joined() {
      switch map.futures[number] {
      case .decision(let counts, let positions):
        specials[offsets[number]] = .decision(counts: counts, positions: positions.map { offsets[$0] })
      case .payoff, .onward: specials[offsets[number]] = map.futures[number]
      case .cards(let isDealers, let children):
        table += children.map { UInt16(offsets[$0]) }
        dealers.append(isDealers)
      }
    }
    start = offsets[map.root]
    for index in 0..<onward { table[index] = table[start + index % 10] }
    (self.specials, next, isDealers) = (specials, table, dealers)
  }
}
