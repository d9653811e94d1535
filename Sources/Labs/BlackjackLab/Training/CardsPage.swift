// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Reporting
public import Scenarios

/// A page of strategy cards that works offline: the cards of all common rules, each computed exactly beforehand.
public struct CardsPage: Sendable {
  /// A choice on the page: its title, and its answers as tokens and in words, the default first.
  typealias Choice = (id: String, title: String, answers: [(token: String, words: String)])

  static let choices: [Choice] = [
    ("decks", "Decks", [("6d", "6"), ("1d", "1"), ("2d", "2"), ("8d", "8")]),
    ("soft17", "Soft 17", [("s17", "dealer stands"), ("h17", "dealer hits")]),
    ("das", "Double after split", [("das", "yes"), ("nodas", "no")]),
    ("surrender", "Surrender", [("", "none"), ("ls", "late"), ("es10", "early, against a ten only")]),
    ("hole", "Hole card", [("peek", "dealer peeks"), ("enhc", "none, all bets lost")]),
    ("aces", "Resplit aces", [("", "no"), ("rsa", "yes")]),
    (
      "doubling", "Doubling",
      [("doa", "any two cards"), ("d9", "hard 9 to 11"), ("d10", "hard 10 and 11"), ("d11", "hard 11")]
    ),
  ]

  /// The payoff of a natural changes no card, only the value of a round.
  static let payoff: Choice = (
    "payoff", "A natural pays", [("bj32", "3:2"), ("bj65", "6:5"), ("bj11", "1:1"), ("bj21", "2:1"), ("bj75", "7:5")]
  )

  /// The names of all rules; the answer of the last choice varies fastest.
  static let names: [String] = choices.reduce([""]) { names, choice in
    names.flatMap { name in
      choice.answers.map { $0.token.isEmpty ? name : name.isEmpty ? $0.token : "\(name)-\($0.token)" }
    }
  }

  /// A card: the symbols of its cells, a letter each, and the mean win of a round by it if naturals pay 3:2, in bets.
  struct Card: Codable, Hashable, Sendable {
    let cells: String
    let ev: Double
    /// The chance that a natural is paid.
    let paid: Double

    init(_ rules: Rules) throws {
      let chart = ExactAnalysis(rules: rules).chart.chart
      let analysis = try ExactAnalysis(rules: rules, following: chart)
      cells = try String(ChartCellKey.all.map { key in try CardsPage.letter(of: chart.cell(at: key)) })
      ev = analysis.gameValue
      paid = CardValue.allCases.reduce(0) { sum, upcard in
        sum + analysis.chance(.ten, .ace, against: upcard) * (1 - analysis.naturalChance(.ten, .ace, against: upcard))
      }
    }
  }

  let cards: [Card]

  /// Computes all cards; returns `nil` after an interruption.
  public init?(on context: RunContext) throws {
    cards = try context.results(of: Self.names, "cards") { try Card(Rules(name: $0)) }
    guard cards.count == Self.names.count else { return nil }
  }

  /// The number of cards.
  public var count: Int { cards.count }

  // MARK: Symbols

  /// Every possible content of a cell, by its letter.
  private static let symbols: KeyValuePairs<String, (symbol: String, meaning: String, action: Action)> = [
    "S": ("S", "stand", .stand), "H": ("H", "hit", .hit), "D": ("Dh", "double, else hit", .double),
    "d": ("Ds", "double, else stand", .double), "P": ("P", "split", .split),
    "R": ("Rh", "surrender, else hit", .surrender), "r": ("Rs", "surrender, else stand", .surrender),
    "p": ("Rp", "surrender, else split", .surrender),
  ]

  private static func letter(of cell: StrategyChart.Cell) throws -> Character {
    guard let letter = symbols.first(where: { $0.value.symbol == cell.symbol })?.key.first else {
      throw BlackjackError.outOfRange(what: "a cell", found: cell.symbol, expected: "one of the page's symbols")
    }
    return letter
  }

  // MARK: The page

  /// The page as one file without external resources; the card of the default rules is shown without the script, too.
  public var html: String {
    let escaped = { (text: String) in XMLText.escaped(text) }
    let selects = (Self.choices + [Self.payoff]).map { choice in
      let options = choice.answers.map { #"<option value="\#($0.token)">\#(escaped($0.words))</option>"# }
      return #"<label>\#(escaped(choice.title)) <select id="\#(choice.id)">\#(options.joined())</select></label>"#
    }
    let `default` = Array(cards.first?.cells ?? "")
    let tables = ChartRow.Kind.allCases.map { kind in
      let rows = ChartRow.all.filter { $0.kind == kind }.map { row in
        let cells = CardValue.chartOrder.map { Self.cell(`default`[ChartCellKey(row, against: $0).index]) }
        return #"<tr><th scope="row">\#(row.face)</th>\#(cells.joined())</tr>"#
      }
      let columns = CardValue.chartOrder.map { #"<th scope="col">\#($0)</th>"# }.joined()
      return #"<table id="\#(kind.rawValue)"><caption>\#(kind.heading)</caption>"#
        + #"<thead><tr><th scope="col"><span class="sr">Hand</span></th>\#(columns)</tr></thead>"#
        + "<tbody>\(rows.joined(separator: "\n"))</tbody></table>"
    }
    let legend = Self.symbols.map {
      #"<li><span class="key \#($0.value.action.name)">\#($0.value.symbol)</span> \#($0.value.meaning)</li>"#
    }
    let colours = Action.allCases.map {
      ".\($0.name) { \($0.colour.css) }"
    }
    return CardsTemplate.text
      .replacing("/*COLOURS*/", with: colours.joined(separator: "\n"))
      .replacing("<!--CHOICES-->", with: selects.joined(separator: "\n"))
      .replacing("<!--HARD-->", with: tables[0])
      .replacing("<!--OTHERS-->", with: tables[1] + "\n" + tables[2])
      .replacing("<!--LEGEND-->", with: legend.joined(separator: "\n"))
      .replacing("/*DATA*/", with: data.text)
  }

  private static func cell(_ letter: Character) -> String {
    guard let known = symbols.first(where: { $0.key == String(letter) })?.value else { return "<td></td>" }
    return
      #"<td class="\#(known.action.name)">\#(known.symbol.prefix(1))<small>\#(known.symbol.dropFirst())</small></td>"#
  }

  private var data: JSONValue {
    func texts(_ choice: Choice) -> JSONValue {
      ["id": .string(choice.id), "tokens": .array(choice.answers.map { .string($0.token) })]
    }
    let symbols = Self.symbols.map { letter, known in
      JSONMember(letter, .array([known.symbol, known.meaning, known.action.name].map { .string($0) }))
    }
    return [
      "choices": .array(Self.choices.map(texts)), "payoff": texts(Self.payoff),
      "pays": .array([1.5, 1.2, 1, 2, 1.4].map { .number($0) }), "symbols": .object(symbols),
      "cells": .array(cards.map { .string($0.cells) }), "ev": .array(cards.map { .fixed($0.ev, decimals: 8) }),
      "paid": .array(cards.map { .fixed($0.paid, decimals: 8) }),
    ]
  }
}

extension StrategyChart {
  fileprivate func cell(at key: ChartCellKey) throws(BlackjackError) -> Cell {
    guard let cell = self[key] else { throw .outOfRange(what: "\(key)", found: "nothing", expected: "a cell") }
    return cell
  }
}
