// SPDX-License-Identifier: GPL-3.0-or-later

/// Gives the case a label; the report says what share of the cases had it.
///
/// Outside a property it does nothing.
///
/// - Parameters:
///   - text: The label; the same text twice in one case counts once.
///   - condition: Whether the case deserves it.
public func label(_ text: @autoclosure () -> String, when condition: Bool = true) {
  guard condition, let context = CaseContext.current else { return }
  let text = text()
  context.withRemarks { if !$0.labels.contains(text) { $0.labels.append(text) } }
}

/// Counts a value in a table of the report, such as who won or how long a list was.
///
/// Outside a property it does nothing.
///
/// - Parameters:
///   - table: What the values are values of.
///   - value: Every call counts, however often the case makes it.
public func classify(_ table: String, by value: @autoclosure () -> some CustomStringConvertible) {
  guard let context = CaseContext.current else { return }
  let text = value().description
  context.withRemarks { $0.values.append((table: table, value: text)) }
}

/// Claims that a share of the cases meets a condition, so that a test which tests nothing is noticed.
///
/// The claim is judged by a sequential test with a stated error. A case in which the call is not reached does not meet
/// the condition; one that makes the call several times meets it when one of them does. Outside a property it does
/// nothing.
///
/// - Parameters:
///   - name: What the cases are called that meet the condition.
///   - condition: Whether this one does.
///   - share: The smallest share of the passing cases, from 0 to 1.
public func cover(_ name: String, _ condition: Bool, atLeast share: Double) {
  guard let context = CaseContext.current else { return }
  // A share that is not a number can never be met.
  let share = share.isNaN ? 1 : min(max(share, 0), 1)
  context.withRemarks { remarks in
    if let known = remarks.covers.firstIndex(where: { $0.name == name }) {
      remarks.covers[known].isMet = remarks.covers[known].isMet || condition
      remarks.covers[known].atLeast = max(remarks.covers[known].atLeast, share)
    } else {
      remarks.covers.append((name: name, atLeast: share, isMet: condition))
    }
  }
}

/// Gives the case a score; a search by `SearchMode.target` looks for cases with higher ones.
///
/// Outside a property it does nothing.
///
/// - Parameters:
///   - score: How near the case comes to what is looked for; numbers that are not finite are not counted.
///   - label: Tells several scores apart; each is climbed towards on its own, and a case has the highest it was given.
public func target(_ score: Double, _ label: String = "score") {
  guard score.isFinite, let context = CaseContext.current else { return }
  context.withRemarks { remarks in
    if let known = remarks.scores.firstIndex(where: { $0.label == label }) {
      remarks.scores[known].score = max(remarks.scores[known].score, score)
    } else {
      remarks.scores.append((label: label, score: score))
    }
  }
}

/// Says something about the case that is shown if it turns out to be the counterexample, and made only then.
///
/// Outside a property it does nothing.
public func note(_ text: @autoclosure () -> String) {
  guard let context = CaseContext.current, context.keepsNotes else { return }
  let text = text()
  context.withRemarks { $0.notes.append(text) }
}
