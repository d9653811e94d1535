// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo

extension CheckReport {
  /// The report for programs.
  ///
  /// - Parameters:
  ///   - property: What was tested; nil for none.
  ///   - replay: A command or token that runs the counterexample again; nil for none.
  /// - Returns: A record that has the same names for every outcome.
  public func plain(for property: Property? = nil, replay: String? = nil) -> PlainValue {
    [
      "property": property.map { .text($0.id) } ?? .null,
      "sentence": property.map { .text($0.sentence) } ?? .null,
      "outcome": .text(outcomeName),
      "ending": .text(ending.rawValue),
      "seed": .unsigned(settings.seed),
      "generator": .text(settings.generator),
      "search": .text(settings.search.rawValue),
      "cases": .integer(settings.cases),
      "passed": .integer(passed),
      "discards": plainDiscards,
      "labels": Self.plain(labels),
      "tables": .list(tables.map { ["name": .text($0.name), "rows": Self.plain($0.rows)] }),
      "coverage": .list(coverage.map(\.plain)),
      "best": .list(best.map { ["label": .text($0.label), "score": .number($0.score)] }),
      "warnings": .texts(warnings.map(\.description)),
      "counterexample": counterexample.map { $0.plain(ArgumentNames(argumentNames)) } ?? .null,
      "flaky": flaky.map { $0.plain(ArgumentNames(argumentNames)) } ?? .null,
      "replay": replay.map(PlainValue.text) ?? .null,
    ]
  }

  /// The case that did not fail every time, if there is one.
  public var flaky: FlakyCase? {
    if case .flaky(let flake) = outcome { flake } else { nil }
  }

  /// The conclusion in one word, for programs.
  public var outcomeName: String {
    switch outcome {
    case .held: "held"
    case .falsified: "falsified"
    case .flaky: "flaky"
    case .insufficientCoverage: "insufficientCoverage"
    case .exhausted: "exhausted"
    }
  }

  /// The discarded cases by kind of reason.
  private var plainDiscards: PlainValue {
    let counts = Dictionary(discards.map { ($0.key.name, $0.value) }) { $0 + $1 }
    return .record(counts.sorted { $0.key < $1.key }.map { PlainValue.Member($0.key, .integer($0.value)) })
  }

  private static func plain(_ counts: [Count]) -> PlainValue {
    .list(counts.map { ["name": .text($0.name), "count": .integer($0.count)] })
  }
}

extension CoverageFinding {
  fileprivate var plain: PlainValue {
    [
      "name": .text(name), "atLeast": .number(atLeast), "hits": .integer(hits), "cases": .integer(cases),
      "verdict": .text(verdict.rawValue), "decidedAfter": decidedAfter.map(PlainValue.integer) ?? .null,
      "confidence": .number(confidence),
    ]
  }
}

extension Counterexample {
  fileprivate func plain(_ names: ArgumentNames) -> PlainValue {
    [
      "arguments": names.plain(arguments), "message": .text(failure.message), "origin": .text(failure.origin),
      "notes": .texts(notes), "irrelevant": .texts(irrelevant), "casesUntilFound": .integer(casesUntilFound),
      "evaluations": .integer(evaluations), "explainEvaluations": .integer(explainEvaluations),
    ]
  }
}

extension FlakyCase {
  fileprivate func plain(_ names: ArgumentNames) -> PlainValue {
    [
      "arguments": names.plain(arguments), "message": .text(first.message), "origin": .text(first.origin),
      "again": .text(again), "casesUntilFound": .integer(casesUntilFound),
    ]
  }

  /// What became of it when it was run again, in a few words.
  var again: String {
    switch second {
    case .passed: "passed"
    case .failed(let failure): "failed: \(failure.message), at \(failure.origin)"
    case .discarded(let reason): "discarded \(reason.reason)"
    case .declined: "not run"
    }
  }
}

extension ArgumentNames {
  fileprivate func plain(_ arguments: [String]) -> PlainValue {
    .list(arguments.enumerated().map { ["name": .text(self[$0.offset]), "value": .text($0.element)] })
  }
}
