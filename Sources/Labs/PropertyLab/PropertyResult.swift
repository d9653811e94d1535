// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import PropertyTesting
internal import Reporting

/// The result of testing one property.
struct PropertyResult: Sendable {
  enum Outcome: Sendable {
    case tested(CheckReport)
    /// It could not be evaluated, and why.
    case broken(String)
  }

  enum Status: String, Hashable, Sendable {
    case holds
    /// A case failed, or hardly any was of the kind that matters.
    case fails
    /// It could not be evaluated.
    case broken
  }

  let chosen: Catalogues.Chosen
  let outcome: Outcome
  /// The command that runs the failing case again.
  let replay: String?
  /// What became of stored examples, a line each.
  let remarks: [String]

  var id: String { chosen.property.id }

  /// What the generators cannot produce is no failure of the property.
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

  /// For people, with a line end at the end.
  var text: String {
    let body =
      switch outcome {
      case .tested(let report): report.text(for: chosen.property, replay: replay)
      case .broken(let problem): "\(chosen.property.id)  \(chosen.property.sentence)\nerror: \(problem)"
      }
    return ([body] + remarks.map { "  \($0)" }).joined(separator: "\n") + "\n"
  }

  var summary: String {
    switch outcome {
    case .tested(let report): report.summary
    case .broken(let problem): problem
    }
  }

  /// The case that fails every time, or did once.
  var tape: Tape? {
    report?.flaky?.tape ?? report?.counterexample?.tape
  }

  var report: CheckReport? {
    if case .tested(let report) = outcome { report } else { nil }
  }

  /// Whether it held until an interruption.
  var wasCutShort: Bool { status == .holds && report?.ending == .interrupted }

  var passed: Int { report?.passed ?? 0 }

  /// For programs: the same keys for every outcome, as far as they apply. It leaves out what depends on the machine or
  /// on earlier runs: warnings about time, stored examples.
  var repeatableJSON: JSONValue {
    .object(
      members.map { member in
        member.key == "warnings" ? JSONMember("warnings", .array(lastingWarnings.map(JSONValue.string))) : member
      })
  }

  /// What is doubtful about the test, however fast the machine is.
  var lastingWarnings: [String] {
    (report?.warnings ?? []).filter { if case .slowGenerator = $0 { false } else { true } }.map(\.description)
  }

  /// As a test case for build servers, in the core's group; `origin` are lines that follow the report of one that does
  /// not hold, such as its seed.
  func testCase(origin: [String] = []) -> JUnitReport.Case {
    let details = text + origin.map { "  \($0)\n" }.joined()
    let outcome: JUnitReport.Outcome =
      switch status {
      case .holds: .passed
      case .fails: .failed(message: summary, details: details)
      case .broken: .broken(message: summary, details: details)
      }
    return JUnitReport.Case(
      name: "\(chosen.property.id): \(chosen.property.sentence)", group: chosen.core, outcome: outcome,
      output: remarks.joined(separator: "\n"))
  }

  /// The share of the cases drawn that were discarded; 0 where none was drawn.
  static func discardedShare(of reports: [CheckReport]) -> Double {
    let discarded = reports.reduce(0) { $0 + $1.discarded }
    let drawn = discarded + reports.reduce(0) { $0 + $1.passed }
    return drawn == 0 ? 0 : Double(discarded) / Double(drawn)
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
