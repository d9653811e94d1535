// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import BlackjackLab
internal import Reporting
internal import Scenarios

/// The trainer's screens as lines of text, for any width from 40 columns.
struct TrainingScreen {
  let width: Int
  let style: TerminalStyle
  /// True if signs beyond ASCII are shown.
  let hasSigns: Bool

  /// Signs beyond ASCII need a UTF-8 locale.
  static func hasSigns(_ environment: [String: String]) -> Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    return locale.lowercased().replacing("-", with: "").contains("utf8")
  }

  // MARK: Parts

  private func coloured(_ text: String, _ code: Int) -> String {
    style.isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  private func wrapped(_ text: String) -> [String] { TerminalText.lines(of: text, width: width) }

  /// A text on the left and one on the right; the left one is cut if both do not fit.
  private func line(_ left: String, _ right: String) -> String {
    let room = max(0, width - right.count - 1)
    return left.prefix(room) + String(repeating: " ", count: max(1, width - min(left.count, room) - right.count))
      + right
  }

  /// Red suits are outlines, black ones filled, so that they differ without colours; letters in ASCII.
  private func sign(of suit: Suit) -> String {
    switch suit {
    case .spades: hasSigns ? "♠" : "S"
    case .hearts: hasSigns ? "♡" : "H"
    case .diamonds: hasSigns ? "♢" : "D"
    case .clubs: hasSigns ? "♣" : "C"
    }
  }

  private func name(of card: Card) -> String { card.rank.symbol + sign(of: card.suit) }

  /// Cards side by side, five lines.
  private func picture(of cards: [Card]) -> [String] {
    let edges = hasSigns ? ("┌─────┐", "│", "└─────┘") : ("+-----+", "|", "+-----+")
    func padded(_ text: String, left: Bool) -> String {
      let space = String(repeating: " ", count: 5 - text.count)
      return left ? text + space : space + text
    }
    let pictures = cards.map { card in
      [padded(card.rank.symbol, left: true), "  \(sign(of: card.suit))  ", padded(card.rank.symbol, left: false)].map {
        edges.1 + ([.hearts, .diamonds].contains(card.suit) ? coloured($0, 31) : $0) + edges.1
      }
    }
    func row(_ parts: [String]) -> String { "  " + parts.joined(separator: " ") }
    return [row(cards.map { _ in edges.0 })] + (0..<3).map { line in row(pictures.map { $0[line] }) }
      + [row(cards.map { _ in edges.2 })]
  }

  // MARK: Screens

  func menu(_ modes: [TrainingMode], rules: Rules) -> [String] {
    [style.bold("Blackjack trainer"), ""] + wrapped(rules.inWords + ".") + [""]
      + zip(1..., modes).map { number, mode in "  \(number)  \(mode.title), \(mode.defaultQuestions) questions" }
      + ["", "  q  leave"]
  }

  /// A question, or the answer to one.
  func session(
    _ session: TrainingSession, title: String, hint: String = ""
  ) -> [String] {
    let cost = NumberFormat.fixed(session.summary.cost, decimals: 3)
    let head =
      [style.bold(line(title, "\(session.asked)/\(session.plan.questions)"))]
      + wrapped("streak \(session.statistics.streak), mistakes cost \(cost) bets")
    switch session.state {
    case .active(let question):
      let keys = question.options.actions.map { "\($0.key) \($0.name)" }.joined(separator: "  ")
      return head + table(question) + wrapped(keys) + ["? chart  q leave"] + wrapped(hint)
    case .feedback(let feedback), .failedToRecord(let feedback):
      return head + table(feedback.question) + verdict(feedback) + ["", "any key: on  ? chart  q leave"]
    case .ready, .completed: return head
    }
  }

  private func table(_ question: TrainingQuestion) -> [String] {
    let hand = Hand(question.first.value, question.second.value)
    return ["", "Dealer \(question.upcard.value)"] + picture(of: [question.upcard]) + ["You \(hand)"]
      + picture(of: [question.first, question.second]) + [""]
  }

  private func verdict(_ feedback: TrainingFeedback) -> [String] {
    guard !feedback.isRight else {
      return [coloured("\(hasSigns ? "✓" : "+") Right: \(feedback.right.name).", 32)] + wrapped(feedback.why)
    }
    let cost = NumberFormat.fixed(feedback.cost, decimals: 4)
    let text = "Wrong: \(feedback.answer.name) costs \(cost) bets. Right: \(feedback.right.name)."
    return wrapped("\(hasSigns ? "✗" : "x") " + text).map { coloured($0, 31) } + wrapped(feedback.why)
  }

  /// The table of the chart that contains a cell, with the cell marked.
  func chart(_ chart: TrainingChart, marking key: ChartCellKey) -> [String] {
    let rows = ChartRow.all.filter { $0.kind == key.row.kind }
    func label(_ row: ChartRow) -> String { String(repeating: " ", count: max(0, 5 - row.face.count)) + row.face }
    let cells = rows.map { row in
      CardValue.chartOrder.map { upcard -> String in
        let one = ChartCellKey(row, against: upcard)
        let text = chart.chart[one]?.symbol ?? "?"
        let padded = text + String(repeating: " ", count: max(0, 2 - text.count))
        guard one == key else { return " " + padded }
        return ">" + (style.isColoured ? coloured(padded, 7) : padded)
      }.joined()
    }
    let heads = CardValue.chartOrder.map { upcard in
      upcard.description.count == 2 ? " \(upcard)" : " \(upcard) "
    }.joined()
    return [style.bold("\(key.row) against \(key.upcard) is marked"), "", ("     " + heads).withoutTrailingSpaces]
      + zip(rows, cells).map { (label($0) + $1).withoutTrailingSpaces }
      + ["", "any key: back to the question"]
  }

  // MARK: Lines

  /// A question in a line.
  func line(_ question: TrainingQuestion, number: Int, of count: Int) -> String {
    let keys = question.options.actions.map { String($0.key) }.joined(separator: " ")
    let hand = Hand(question.first.value, question.second.value)
    return "\(number)/\(count): \(name(of: question.first)) \(name(of: question.second)) (\(hand)) "
      + "against \(name(of: question.upcard)) [\(keys)]"
  }

  func line(_ feedback: TrainingFeedback) -> String {
    feedback.isRight
      ? "right: \(feedback.right.name)"
      : "wrong: \(feedback.answer.name) costs \(NumberFormat.fixed(feedback.cost, decimals: 4)) bets; right: "
        + "\(feedback.right.name). \(feedback.why)"
  }

  func summary(_ summary: TrainingSummary, title: String, seed: UInt64) -> String {
    guard let accuracy = summary.answers.accuracy else { return "\(title): no question was answered.\n" }
    func percent(_ share: Double, steps: Double = 1000) -> String {
      NumberFormat.percent((share * steps).rounded() / steps)
    }
    func interval(_ answers: AnswerCount) -> String {
      answers.interval.map { "\(percent($0.lowerBound, steps: 100)) to \(percent($0.upperBound, steps: 100))" } ?? ""
    }
    let answers = summary.answers
    let range = answers.interval == nil ? "" : " (\(interval(answers)) at 95% confidence)"
    let seconds = summary.duration.components.seconds
    let head = [
      "\(title), seed \(seed)", "",
      "\(answers.right) of \(answers.questions) right, \(percent(accuracy))\(range); longest streak "
        + "\(summary.longestStreak); \(seconds / 60) min \(seconds % 60) s.",
      "All mistakes together cost \(NumberFormat.fixed(summary.cost, decimals: 4)) bets.",
    ]
    let categories = Table(
      ["hand v dealer"], numbers: ["right", "share"], ["at 95%"],
      rows: summary.categories.map { category, answers in
        ["\(category.hand.rawValue) v \(category.dealer.rawValue)", "\(answers.right)/\(answers.questions)"]
          + [percent(answers.accuracy ?? 0, steps: 100), interval(answers)]
      })
    let costly = Table(
      ["costliest cells"], numbers: ["mistakes", "bets"],
      rows: summary.costliest.map {
        [$0.cell.description, "\($0.mistakes)", NumberFormat.fixed($0.cost, decimals: 4)]
      })
    return (head.flatMap { wrapped($0) } + ["", categories.text(width: width)]).joined(separator: "\n")
      + (summary.costliest.isEmpty ? "" : "\n" + costly.text(width: width))
  }
}

extension Action {
  /// The key of the action: h, s, d, p, r.
  var key: Character { Character(letter.lowercased()) }
}

extension TrainingMode {
  var title: String {
    switch self {
    case .quick: "Quick practice"
    case .dealer(let group): "Dealer \(group.rawValue), \(group.upcards.map(\.description).joined(separator: " "))"
    case .hand(let kind): "Hands: \(kind == .pair ? "pairs" : kind.rawValue)"
    case .absolutes: "Absolutes"
    }
  }
}
