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

  var json: JSONValue {
    var members = [
      JSONMember("id", .string(chosen.property.id)), JSONMember("sentence", .string(chosen.property.sentence)),
      JSONMember("status", .string(status.rawValue)), JSONMember("summary", .string(summary)),
      JSONMember("passed", .integer(passed)),
    ]
    if case .tested(let report) = outcome {
      members += report.jsonMembers
      if let found = report.counterexample {
        members.append(JSONMember("counterexample", found.json(named: chosen.property, replay: replay)))
      }
    }
    members.append(JSONMember("remarks", .array(remarks.map(JSONValue.string))))
    return .object(members)
  }
}

extension CheckReport {
  fileprivate var jsonMembers: [JSONMember] {
    func counts(_ counts: [Count]) -> JSONValue {
      .object(counts.map { JSONMember($0.name, .integer($0.count)) })
    }
    return [
      JSONMember("discarded", .integer(discarded)),
      JSONMember("labels", counts(labels)),
      JSONMember("tables", .object(tables.map { JSONMember($0.name, counts($0.rows)) })),
      JSONMember(
        "coverage",
        .array(
          coverage.map {
            [
              "name": .string($0.name), "atLeast": .number($0.atLeast), "hits": .integer($0.hits),
              "cases": .integer($0.cases), "verdict": .string($0.verdict.rawValue),
            ]
          })),
      JSONMember("best", .object(best.map { JSONMember($0.label, .number($0.score)) })),
      JSONMember("warnings", .array(warnings.map { .string("\($0)") })),
    ]
  }
}

extension Counterexample {
  fileprivate func json(named property: Property, replay: String?) -> JSONValue {
    [
      "arguments": .array(property.named(arguments).map(JSONValue.string)),
      "failure": .string(failure.message),
      "origin": .string(failure.origin),
      "irrelevant": .array(irrelevant.map(JSONValue.string)),
      "notes": .array(notes.map(JSONValue.string)),
      "casesUntilFound": .integer(casesUntilFound),
      "evaluations": .integer(evaluations),
      "token": .string("\(ReplayToken(property: property.id, tape: tape))"),
      "replay": replay.map(JSONValue.string) ?? .null,
    ]
  }
}
