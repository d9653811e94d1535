// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import PropertyTesting
internal import Reporting
internal import Scenarios

struct PropertyResult: Sendable {
  enum Outcome: Sendable {
    case tested(CheckReport)
    /// No case could be drawn, or a case did not end, with the reason.
    case undecided(String)
  }

  let chosen: Catalogues.Chosen
  let outcome: Outcome
  /// The last words of the command to run a case again, such as `--case-limit 2s`.
  let replayOptions: [String]
  /// Remarks on stored examples, a line each.
  let remarks: [String]
  /// The duration.
  var seconds = 0.0

  var id: String { chosen.property.id }

  /// A property fails if a case failed, or if too few were of a covered kind. If the generators produce no cases, or
  /// not in time, that is no failure: the property is undecided.
  var verdict: Verdict {
    switch outcome {
    case .undecided: .undecided
    case .tested(let report):
      switch report.outcome {
      case .held: report.isHeld || report.ending == .interrupted ? .holds : .undecided
      case .exhausted, .generatorFailed: .undecided
      case .falsified, .flaky, .insufficientCoverage: .fails
      }
    }
  }

  /// The result for people, with a final line end.
  var text: String {
    let body =
      switch outcome {
      case .tested(let report): report.text(for: chosen.property, replay: replay)
      case .undecided(let problem): "\(chosen.property.id)  \(chosen.property.sentence)\nerror: \(problem)"
      }
    return ([body] + remarks.map { "  \($0)" }).joined(separator: "\n") + "\n"
  }

  var summary: String {
    switch outcome {
    case .tested(let report): report.summary
    case .undecided(let problem): problem
    }
  }

  /// The command that runs a case again.
  func replay(_ choices: ChoiceSequence) -> String {
    chosen.replayCommand(ReplayToken(property: id, choices: choices), replayOptions)
  }

  var report: CheckReport? {
    if case .tested(let report) = outcome { report } else { nil }
  }

  /// True if it held until an interruption.
  var wasCutShort: Bool { verdict == .holds && report?.ending == .interrupted }

  var passed: Int { report?.passed ?? 0 }

  /// The result for programs: the same keys for every outcome, as far as they apply. It omits data that depends on the
  /// machine or on earlier runs: warnings about time, stored examples.
  var repeatableJSON: JSONValue {
    .object(
      members.map { member in
        guard member.key == "warnings" else { return member }
        return JSONMember("warnings", .strings(report?.repeatableWarnings.map(\.description) ?? []))
      })
  }

  /// The test case for build servers, in the core's group; `origin` are lines after the report of one that does not
  /// hold, such as its seed.
  func testCase(origin: [String] = []) -> JUnitReport.Case {
    let details = text + origin.map { "  \($0)\n" }.joined()
    let outcome: JUnitReport.Outcome =
      switch verdict {
      case .holds, .unasked: .passed
      case .fails: .failed(message: summary, details: details)
      case .undecided: .undecided(message: summary, details: details)
      }
    return JUnitReport.Case(
      name: "\(chosen.property.id): \(chosen.property.sentence)", group: chosen.core, outcome: outcome,
      output: remarks.joined(separator: "\n"), seconds: seconds,
      location: JUnitReport.Place(file: chosen.property.file, line: chosen.property.line))
  }

  /// The share of the drawn cases that were discarded; 0 if none was drawn.
  static func discardedShare(of reports: [CheckReport]) -> Double {
    let discarded = reports.reduce(0) { $0 + $1.discarded }
    let drawn = discarded + reports.reduce(0) { $0 + $1.passed }
    return drawn == 0 ? 0 : Double(discarded) / Double(drawn)
  }

  private var members: [JSONMember] {
    let members = [
      JSONMember("property", .string(chosen.property.id)), JSONMember("sentence", .string(chosen.property.sentence)),
      JSONMember("verdict", .string(verdict.rawValue)), JSONMember("summary", .string(summary)),
    ]
    guard case .tested(let report) = outcome else { return members }
    let token = report.choices.map { JSONValue.string("\(ReplayToken(property: id, choices: $0))") }
    return members + report.members(replay: report.choices.map(replay)) + [JSONMember("token", token ?? .null)]
  }
}

extension CheckReport {
  fileprivate func members(replay: String?) -> [JSONMember] {
    func arguments(_ values: [String]) -> JSONValue {
      .array(
        values.enumerated().map {
          ["name": .string(argumentName($0.offset, of: argumentNames)), "value": .string($0.element)]
        })
    }
    let outcomeName =
      switch outcome {
      case .held: "held"
      case .falsified: "falsified"
      case .flaky: "flaky"
      case .insufficientCoverage: "insufficientCoverage"
      case .exhausted: "exhausted"
      case .generatorFailed: "generatorFailed"
      }
    let found: [JSONValue] = counterexamples.map {
      [
        "arguments": arguments($0.arguments), "message": .string($0.failure.text),
        "origin": .string($0.failure.origin), "notes": .strings($0.notes), "irrelevant": .strings($0.irrelevant),
        "casesUntilFound": .integer($0.casesUntilFound), "evaluations": .integer($0.evaluations),
        "explainEvaluations": .integer($0.explainEvaluations), "shrunk": .bool($0.isShrunk),
      ]
    }
    let flake: JSONValue? = flaky.map {
      [
        "arguments": arguments($0.arguments), "message": .string($0.first.text), "origin": .string($0.first.origin),
        "again": .string($0.again), "casesUntilFound": .integer($0.casesUntilFound),
        "redrawn": $0.redrawn.map(arguments) ?? .null,
      ]
    }
    let discarded = Dictionary(discards.map { ($0.key.name, $0.value) }) { $0 + $1 }.sorted { $0.key < $1.key }
    return [
      JSONMember("outcome", .string(outcomeName)),
      JSONMember("ending", .string(ending.rawValue)),
      JSONMember("discards", .object(discarded.map { JSONMember($0.key, .integer($0.value)) })),
      JSONMember("labels", .array(labels.map(\.json))),
      JSONMember(
        "tables", .array(tables.map { ["name": .string($0.name), "rows": .array($0.rows.map(\.json))] })),
      JSONMember("coverage", .array(coverage.map(\.json))),
      JSONMember("best", .array(best.map { ["label": .string($0.label), "score": .number($0.score)] })),
      JSONMember("warnings", .strings(warnings.map(\.description))),
      JSONMember("counterexample", found.first ?? .null),
      JSONMember("flaky", flake ?? .null),
      JSONMember("replay", replay.map(JSONValue.string) ?? .null),
    ] + (others.isEmpty ? [] : [JSONMember("others", .array(Array(found.dropFirst())))])
      + (guidance.map { [JSONMember("guided", $0.json(seed: settings.seed))] } ?? [])
  }
}

extension CheckReport.Count {
  fileprivate var json: JSONValue { ["name": .string(name), "count": .integer(count)] }
}

extension GuidanceFinding {
  fileprivate func json(seed: UInt64) -> JSONValue {
    if let obstacle { return ["obstacle": .string(obstacle)] }
    return [
      "edges": .integer(edges), "new": .integer(new), "tried": .integer(tried),
      "kept": kept.map { .integer($0.count) } ?? .null, "seed": .string("\(seed)"),
    ]
  }
}

extension CoverageFinding {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "atLeast": .number(atLeast), "hits": .integer(hits), "cases": .integer(cases),
      "verdict": .string(verdict.rawValue), "decidedAfter": decidedAfter.map(JSONValue.integer) ?? .null,
      "confidence": .number(confidence),
    ]
  }
}

extension JSONValue {
  fileprivate static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
}
