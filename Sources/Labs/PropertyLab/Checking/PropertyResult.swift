// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
package import PropertyTesting
package import Reporting

/// What testing one property came to.
package struct PropertyResult: Sendable {
  /// What came of it.
  package enum Outcome: Sendable {
    /// It was tested.
    case tested(CheckReport)
    /// It could not be judged, and why.
    case broken(String)
  }

  /// How it counts.
  package enum Status: String, Hashable, Sendable {
    /// No case failed.
    case holds
    /// A case failed, or hardly any was of the kind that matters.
    case fails
    /// It could not be judged.
    case broken
  }

  /// The property.
  package let chosen: Catalogues.Chosen
  /// What came of it.
  package let outcome: Outcome
  /// The command that runs the failing case again.
  package let replay: String?
  /// What became of stored examples, a line each.
  package let remarks: [String]

  /// How it counts: what the generators cannot produce is no failure of the property.
  package var status: Status {
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
  package var text: String {
    let body =
      switch outcome {
      case .tested(let report): report.text(for: chosen.property, replay: replay)
      case .broken(let problem): "\(chosen.property.id)  \(chosen.property.sentence)\nerror: \(problem)"
      }
    return ([body] + remarks.map { "  \($0)" }).joined(separator: "\n") + "\n"
  }

  /// The conclusion in a line.
  package var summary: String {
    switch outcome {
    case .tested(let report): report.summary
    case .broken(let problem): problem
    }
  }

  /// The case that fails every time, or did once.
  package var tape: Tape? {
    report?.flaky?.tape ?? report?.counterexample?.tape
  }

  /// What was found, if it could be tested at all.
  package var report: CheckReport? {
    if case .tested(let report) = outcome { report } else { nil }
  }

  /// Whether it held until an interruption, so that nobody knows what the rest would have shown.
  package var wasCutShort: Bool { status == .holds && report?.ending == .interrupted }

  /// How many cases passed.
  package var passed: Int { report?.passed ?? 0 }

  /// The result for programs: the names are the same whatever came of it, as far as there is something to name.
  package var json: JSONValue {
    .object(members + [JSONMember("remarks", .array(remarks.map(JSONValue.string)))])
  }

  /// The result without what depends on the machine or on earlier runs: no warning about time, no stored examples.
  package var repeatableJSON: JSONValue {
    .object(
      members.map { member in
        member.key == "warnings" ? JSONMember("warnings", .array(lastingWarnings.map(JSONValue.string))) : member
      })
  }

  /// What is doubtful about the test, however fast the machine is.
  package var lastingWarnings: [String] {
    (report?.warnings ?? []).filter { if case .slowGenerator = $0 { false } else { true } }.map(\.description)
  }

  private var members: [JSONMember] {
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
    return members
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
