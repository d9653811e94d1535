// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import CoreTables
internal import Foundation
internal import Reporting
internal import Scenarios

/// A value given by a known name or read from a file.
struct Named<Value: Hashable & Sendable>: Hashable, Sendable {
  let text: String
  let value: Value
}

typealias NamedCount = Named<CountingSystem>
/// Indices of a published list or from a file.
typealias NamedIndices = Named<[PlayIndex]>

extension NamedCount {
  static var `default`: Self { Self(text: "hi-lo", value: .hiLo) }
  var system: CountingSystem { value }
}

extension NamedIndices {
  static var none: Self { Self(text: "none", value: []) }
  var indices: [PlayIndex] { value }
}

extension ValueType {
  /// A known name, or the path of a .csv file with the given columns.
  private static func named<Content>(
    _ name: String, _ names: [String], columns: String, known: @escaping @Sendable (String) -> Content?,
    parse: @escaping @Sendable (_ csv: String, _ name: String) throws -> Content
  ) -> Self where Value == Named<Content> {
    let expected = "\(names.joined(separator: ", ")), or a .csv file of \(columns)"
    return Self(
      name, expected: expected, words: names, schema: ["type": "string"],
      read: { field throws(ReportingError) in
        let text = try field.string(expected: expected)
        if let value = known(text) { return Named(text: text, value: value) }
        guard text.hasSuffix(".csv") else {
          throw field.bad(expected: expected + Spelling.hint(for: text, among: names))
        }
        return Named(text: text, value: try read(text, of: field, parse))
      }, write: { .string($0.text) })
  }

  /// Reads a file whose path is relative to the scenario or, in an option, to the working directory.
  private static func read<Content>(
    _ path: String, of field: ScenarioField, _ parse: (_ csv: String, _ name: String) throws -> Content
  ) throws(ReportingError) -> Content {
    let file = URL(fileURLWithPath: path, relativeTo: field.isOption ? nil : URL(fileURLWithPath: field.file))
    let text = try TextFile.read(field.isOption ? path : file.standardizedFileURL.path)
    do {
      return try parse(text, file.deletingPathExtension().lastPathComponent)
    } catch BlackjackError.badChart(let line, let name, let found, let expected) {
      throw .badValue(file: path, line: line ?? 1, field: name, found: found, expected: expected)
    } catch let error as TableError {
      throw .badValue(
        file: path, line: error.line ?? 1, field: error.column, found: error.found, expected: error.expected)
    } catch {
      throw .refused(file: path, line: 1, field: field.path, problem: "\(error)")
    }
  }
}

extension ValueType where Value == NamedCount {
  static var count: Self {
    named(
      "count", CountingSystem.all.map(\.name), columns: "card,tag",
      known: { text in CountingSystem.all.first { $0.name == text } },
      parse: { csv, name in try CountingSystem(csv: csv, name: name) })
  }
}

extension ValueType where Value == NamedIndices {
  static var indices: Self {
    named(
      "indices", ["none"] + PublishedIndices.names, columns: "kind,player,dealer,below,above,index",
      known: { $0 == "none" ? [] : PublishedIndices.list($0) },
      parse: { csv, _ in try PublishedIndices.read(csv: csv) })
  }
}

extension ValueType where Value == BetRamp {
  /// Bets by count: `0:1 1:2 2:4 3:8`.
  static var ramp: Self {
    let expected = "bets in units by count, such as 0:1 1:2 2:4 3:8, where the first bet also holds for lower counts"
    return Self(
      "ramp", expected: expected, isList: true,
      schema: ["anyOf": .array([["type": "string"], ["type": "array", "items": ["type": "string"]]])],
      read: { field throws(ReportingError) in
        var steps: [(from: Double, bet: Int)] = []
        for member in field.members {
          for part in try member.string(expected: expected).split(whereSeparator: { $0 == " " || $0 == "," }) {
            let halves = part.split(separator: ":")
            guard halves.count == 2, let from = Double(halves[0]), abs(from) <= 100,
              let bet = WholeNumber.parse(halves[1])
            else { throw member.bad(expected: expected) }
            steps.append((from, bet))
          }
        }
        do throws(BlackjackError) {
          return try BetRamp(steps)
        } catch {
          throw .refused(file: field.file, line: field.line, field: field.path, problem: error.description)
        }
      },
      write: { ramp in .array(ramp.steps.map { .string("\(NumberFormat.shortest($0.from)):\($0.bet)") }) })
  }
}

/// The counter's hands by the count before a round.
struct HandsByCount: Hashable, Sendable, ExpressibleByIntegerLiteral {
  /// The steps, ascending; the first, which has no count, also holds for all lower counts.
  let steps: [(from: Double, hands: Int)]

  init(integerLiteral hands: Int) { steps = [(-.infinity, hands)] }

  /// `nil` for other than 1 to 7 hands, and for counts that do not ascend.
  init?(_ hands: Int, then more: [(from: Double, hands: Int)] = []) {
    steps = [(-.infinity, hands)] + more
    guard steps.allSatisfy({ 1...7 ~= $0.hands }), zip(steps, steps.dropFirst()).allSatisfy({ $0.from < $1.from })
    else { return nil }
  }

  var maximum: Int { steps.map(\.hands).max() ?? 1 }

  func number(at count: Double) -> Int { steps.last { $0.from <= count }?.hands ?? 1 }

  var inWords: String {
    let more = steps.dropFirst().map { ", \($0.hands) from \(NumberFormat.shortest($0.from))" }
    return NumberFormat.counted(steps[0].hands, "hand") + more.joined()
  }

  static func == (one: Self, other: Self) -> Bool { one.written == other.written }

  func hash(into hasher: inout Hasher) { hasher.combine(written) }

  /// As it is typed.
  var text: String { written.joined(separator: " ") }

  fileprivate var written: [String] {
    steps.map { $0.from.isFinite ? "\(NumberFormat.shortest($0.from)):\($0.hands)" : "\($0.hands)" }
  }
}

extension ValueType where Value == HandsByCount {
  /// A number of hands, or hands by count: `1 2:2`.
  static var hands: Self {
    let expected =
      "1 to 7 hands, or hands by count such as 1 2:2: 1, and 2 from the count 2, counts whole and ascending"
    return Self(
      "hands", expected: expected, isList: true,
      schema: ["anyOf": .array([["type": .array(["integer", "string"])], ["type": "array"]])],
      read: { field throws(ReportingError) in
        var parts: [Substring] = []
        for member in field.members {
          parts += try member.string(expected: expected).split { $0 == " " || $0 == "," }
        }
        let steps = parts.dropFirst().compactMap { part -> (from: Double, hands: Int)? in
          let halves = part.split(separator: ":", omittingEmptySubsequences: false)
          guard halves.count == 2, let from = Int(halves[0]), -100...100 ~= from, let hands = Int(halves[1]) else {
            return nil
          }
          return (Double(from), hands)
        }
        guard let first = parts.first.flatMap({ WholeNumber.parse($0) }), steps.count == parts.count - 1,
          let hands = HandsByCount(first, then: steps)
        else { throw field.bad(expected: expected) }
        return hands
      }, write: { $0.steps.count == 1 ? .integer($0.maximum) : .array($0.written.map { .string($0) }) })
  }
}

/// Published indices of Hi-Lo for several decks and S17.
enum PublishedIndices {
  /// The lists: Schlesinger's Illustrious 18 and Fab 4 (1986) as most pages have them;
  /// mhluska/blackjack-simulator@8d15151; BJA3, Cacarulo and a full table from possibly-wrong/blackjack@a1f7dbb; a
  /// simulated set from AttackingOrDefending/Blackjack-Strategy-Simulator@e1b2994.
  static let names = ["classic", "mhluska", "bja3", "cacarulo", "full", "simulated"]

  /// A line per play: kind, hand, dealer, the actions below and from the index on, and the index of each list.
  private static let table = """
    insurance any A S S 3 3 - - - 3
    hard 16 10 H S 0 0 0 0 0 1
    hard 15 10 H S 4 4 4 4 4 5
    pair 10 5 S P 5 5 5 5 5 5
    pair 10 6 S P 4 4 5 4 5 5
    hard 10 10 H D 4 4 4 - 4 4
    hard 12 3 H S 2 2 2 2 2 2
    hard 12 2 H S 3 3 4 3 4 4
    hard 11 A H D 1 1 1 1 1 1
    hard 9 2 H D 1 1 1 1 1 1
    hard 10 A H D 4 4 4 3 4 4
    hard 9 7 H D 3 3 4 3 4 4
    hard 16 9 H S 5 5 5 4 5 5
    hard 13 2 H S -1 -1 -1 -1 -1 0
    hard 12 4 H S 0 0 0 0 0 1
    hard 12 5 H S -2 -2 -1 - -1 -1
    hard 12 6 H S -1 -1 -1 - -1 0
    hard 13 3 H S -2 -2 -2 - -2 -1
    hard 8 5 H D - - - 4 4 4
    hard 8 6 H D - - - 2 2 2
    soft 19 5 S D - - - 1 2 1
    soft 19 6 S D - - - 1 1 1
    hard 14 10 H R 3 3 - - - 3
    hard 15 10 H R 0 0 - - - 0
    hard 15 9 H R 2 2 - - - 3
    hard 15 A H R 1 1 - - - 2
    """

  /// All plays of the table, each with its index in every list.
  static let plays: [(play: PlayIndex, published: [Double?])] = table.split(separator: "\n").map { line in
    let words = line.split(separator: " ").map(String.init)
    let published = words[5...].map(Double.init)
    return (play(words, at: published.compactMap(\.self).first ?? 0), published)
  }

  private static func play(_ words: [String], at index: Double) -> PlayIndex {
    guard let row = row(words[0], words[1]), let upcard = CardValue(words[2]), let below = Action(letter: words[3]),
      let above = Action(letter: words[4])
    else { return PlayIndex(nil, at: index) }
    return PlayIndex(ChartCellKey(row, against: upcard), below: below, above: above, at: index)
  }

  static func row(_ kind: String, _ player: String) -> ChartRow? {
    switch kind {
    case "hard": Int(player).flatMap(ChartRow.hard)
    case "soft": Int(player).flatMap(ChartRow.soft)
    case "pair": CardValue(player).map(ChartRow.pair)
    default: nil
    }
  }

  /// The list of a name, with its surrenders.
  static func list(_ name: String) -> [PlayIndex]? {
    names.firstIndex(of: name).map { position in
      plays.compactMap { play, published in
        published[position].map { PlayIndex(play.key, below: play.below, above: play.above, at: $0) }
      }
    }
  }

  /// Reads indices from a table with the columns kind, player, dealer, below, above and index, which need no heading;
  /// insurance is a line `insurance,,A,,,3`.
  static func read(csv: String) throws(TableError) -> [PlayIndex] {
    let columns = ["kind", "player", "dealer", "below", "above", "index"]
    return try TextTable(csv, file: "", defaultHeading: columns).columns(columns).map { line throws(TableError) in
      let (kind, player, dealer, below, above) = (line[0], line[1], line[2], line[3], line[4])
      let index = try line[5].number(in: -100...100)
      if kind.text == "insurance" { return PlayIndex(nil, at: index) }
      guard let row = row(kind.text, player.text) else {
        throw TableError(
          file: "", line: player.line, column: "player", found: "'\(kind.text) \(player.text)'",
          expected: "hard 5 to 19, soft 13 to 20, or pair 2 to 10 or A")
      }
      guard let upcard = CardValue(dealer.text) else { throw dealer.bad("2 to 10 or A") }
      guard let lower = Action(letter: below.text) else { throw below.bad("one of H, S, D, P, R") }
      guard let upper = Action(letter: above.text), upper != lower else {
        throw above.bad("one of H, S, D, P, R, and another than below")
      }
      return PlayIndex(ChartCellKey(row, against: upcard), below: lower, above: upper, at: index)
    }
  }

  static func csv(_ indices: [(play: PlayIndex, more: [String])], more titles: [String] = []) -> String {
    ([["kind", "player", "dealer", "below", "above", "index"] + titles]
      + indices.map { play, more in
        guard let key = play.key else {
          return ["insurance", "", "A", "", "", NumberFormat.shortest(play.index)] + more
        }
        return [
          key.row.kind.rawValue, key.row.label, key.upcard.description, String(play.below.letter),
          String(play.above.letter), NumberFormat.shortest(play.index),
        ] + more
      }).map(CSV.line).joined()
  }
}
