// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo

/// A report as plain data, which a host turns into JSON or whatever it writes.
package indirect enum PlainValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int)
  case unsigned(UInt64)
  case number(Double)
  case text(String)
  case list([PlainValue])
  case record([Member])

  package struct Member: Sendable, Hashable {
    package let name: String
    package let value: PlainValue

    package init(_ name: String, _ value: PlainValue) {
      (self.name, self.value) = (name, value)
    }
  }
}

extension PlainValue: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral members: (String, PlainValue)...) {
    self = .record(members.map { Member($0.0, $0.1) })
  }

  static func texts(_ texts: [String]) -> PlainValue { .list(texts.map(PlainValue.text)) }
}

extension CheckReport {
  package func plain(for property: Property? = nil, replay: String? = nil) -> PlainValue {
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

  package var flaky: FlakyCase? {
    if case .flaky(let flake) = outcome { flake } else { nil }
  }

  package var outcomeName: String {
    switch outcome {
    case .held: "held"
    case .falsified: "falsified"
    case .flaky: "flaky"
    case .insufficientCoverage: "insufficientCoverage"
    case .exhausted: "exhausted"
    }
  }

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
