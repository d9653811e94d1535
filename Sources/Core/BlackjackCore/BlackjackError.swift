// SPDX-License-Identifier: Apache-2.0
internal import CoreTables

/// An error in rules, a hand, a chart or a move.
public enum BlackjackError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A rule name has an unknown token.
  case unknownRule(token: String, name: String, suggestion: String?)
  /// A rule of real tables that is not supported.
  case unsupportedRule(token: String, meaning: String)
  /// A rule name has two tokens for the same rule.
  case repeatedRule(first: String, second: String, name: String)
  /// Two rules that contradict each other.
  case contradictoryRules(String, String, why: String)
  /// A number out of range.
  case outOfRange(what: String, found: String, expected: String)
  /// Cards that do not form a playable hand.
  case impossibleHand(text: String, why: String)
  /// The chart has no cell for this hand against this upcard.
  case noCell(hand: Hand, upcard: CardValue)
  /// The rules allow neither a chart cell's action nor its fallback.
  case noLegalAction(hand: Hand, upcard: CardValue, options: ActionSet)
  /// An action that the rules do not allow here.
  case illegalAction(Action, hand: Hand, options: ActionSet)
  /// A card or a decision that the round does not need now.
  case notAsked(offered: String, needed: String)
  /// The source of cards ran out in the middle of a round.
  case outOfCards(dealt: Int)
  /// An invalid chart file.
  case badChart(line: Int?, field: String, found: String, expected: String)

  /// One sentence: the problem, the value found, and how to correct it.
  public var description: String {
    switch self {
    case .unsupportedRule(let token, let meaning):
      "'\(token)' is not supported: \(meaning). Known: \(Rules.vocabulary)."
    case .unknownRule(let token, let name, let suggestion):
      "unknown rule '\(token)'\(name == token ? "" : " in '\(name)'")"
        + (suggestion.map { "; did you mean '\($0)'?" } ?? ".")
        + " Known: \(Rules.vocabulary)."
    case .repeatedRule(let first, let second, let name):
      "'\(first)' and '\(second)' in '\(name)' are about the same rule; keep one."
    case .contradictoryRules(let first, let second, let why):
      "'\(first)' contradicts '\(second)': \(why); leave one of them out."
    case .outOfRange(let what, let found, let expected):
      "\(what): found \(found), expected \(expected)."
    case .impossibleHand(let text, let why):
      "'\(text)' is no hand to play: \(why). Write cards as A, 2 to 10 (T, J, Q, K count ten), for example A,7."
    case .noCell(let hand, let upcard):
      "the chart has no cell for \(hand) against \(upcard)."
    case .noLegalAction(let hand, let upcard, let options):
      "the chart's answers for \(hand) against \(upcard) are not allowed here; allowed: \(Self.list(options))."
    case .illegalAction(let action, let hand, let options):
      "\(action.name) is not allowed with \(hand); allowed: \(Self.list(options))."
    case .notAsked(let offered, let needed):
      "the round was offered \(offered) when it waited for \(needed)."
    case .outOfCards(let dealt):
      "the source of cards ran out after \(dealt) cards, in the middle of a round."
    case .badChart(let line, let field, let found, let expected):
      "\(line.map { "line \($0), " } ?? "")\(field): found \(found), expected \(expected)."
    }
  }

  private static func list(_ options: ActionSet) -> String { options.actions.map(\.name).joined(separator: ", ") }

  /// Reads a table whose errors are those of a chart.
  static func chart<Value>(_ read: () throws(TableError) -> Value) throws(BlackjackError) -> Value {
    do throws(TableError) {
      return try read()
    } catch {
      throw .badChart(line: error.line, field: error.column, found: error.found, expected: error.expected)
    }
  }
}
