// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting
internal import Reporting

/// What testing one property came to.
struct PropertyResult {
  /// What came of it.
  enum Outcome {
    case tested(CheckReport)
    /// It could not be judged, and why.
    case broken(String)
  }

  /// How it counts.
  enum Status: String {
    case holds, fails, broken
  }

  let chosen: Catalogues.Chosen
  let outcome: Outcome
  /// The command that runs the failing case again.
  let replay: String?
  /// What became of stored examples, a line each.
  let remarks: [String]

  /// How it counts: what the generators cannot produce is no failure of the property.
  var status: Status {
    switch outcome {
    case .broken: .broken
    case .tested(let report):
      switch report.outcome {
      case .held: .holds
      case .exhausted: .broken
      case .falsified, .flaky, .insufficientCoverage: .fails
      }
    }
  }

  /// The result for people, with a line end behind it.
  var text: String {
    let body =
      switch outcome {
      case .tested(let report): report.text(for: chosen.property, replay: replay)
      case .broken(let problem): "\(chosen.property.id)  \(chosen.property.sentence)\nerror: \(problem)"
      }
    return ([body] + remarks.map { "  \($0)" }).joined(separator: "\n") + "\n"
  }

  /// The conclusion in a line.
  var summary: String {
    switch outcome {
    case .tested(let report): report.summary
    case .broken(let problem): problem
    }
  }

  /// The case that fails every time, or did once.
  var tape: Tape? {
    guard case .tested(let report) = outcome else { return nil }
    if case .flaky(let flake) = report.outcome { return flake.tape }
    return report.counterexample?.tape
  }

  /// How many cases passed.
  var passed: Int {
    if case .tested(let report) = outcome { report.passed } else { 0 }
  }

  /// The result for programs: the names are the same whatever came of it, as far as there is something to name.
  var json: JSONValue {
    var members = [JSONMember("status", .string(status.rawValue)), JSONMember("summary", .string(summary))]
    switch outcome {
    case .tested(let report):
      if case .object(let more) = JSONValue(report.plain(for: chosen.property, replay: replay)) { members += more }
      let token = tape.map { "\(ReplayToken(property: chosen.property.id, tape: $0))" }
      members.append(JSONMember("token", token.map(JSONValue.string) ?? .null))
    case .broken:
      members.append(JSONMember("property", .string(chosen.property.id)))
      members.append(JSONMember("sentence", .string(chosen.property.sentence)))
    }
    members.append(JSONMember("remarks", .array(remarks.map(JSONValue.string))))
    return .object(members)
  }
}

extension JSONValue {
  /// A report's plain data as JSON.
  init(_ plain: PlainValue) {
    self =
      switch plain {
      case .null: .null
      case .bool(let value): .bool(value)
      case .integer(let value): .integer(value)
      case .unsigned(let value): .unsigned(value)
      case .number(let value): .number(value)
      case .text(let value): .string(value)
      case .list(let values): .array(values.map { JSONValue($0) })
      case .record(let members): .object(members.map { JSONMember($0.name, JSONValue($0.value)) })
      }
  }
}
