// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo

/// What became of a property's stored examples when they were tried again.
public struct ExampleRetrial: Sendable, Hashable {
  /// An example that fails still.
  public struct Failing: Sendable, Hashable {
    /// The case in its file.
    public let example: StoredExample
    /// What went wrong this time.
    public let failure: Failure
    /// The case's arguments, one description each.
    public let arguments: [String]

    /// The case as a counterexample, found at once and not shrunk again.
    public var counterexample: Counterexample {
      let tape = example.token.tape
      return Counterexample(
        arguments: arguments, failure: failure, tape: tape, original: tape, casesUntilFound: 1, evaluations: 1,
        notes: [], irrelevant: [], explainEvaluations: 0)
    }
  }

  /// Those that fail still.
  public private(set) var failing: [Failing] = []
  /// Those that pass now, whose files were removed.
  public private(set) var dropped: [StoredExample] = []
  /// Those that the generators can no longer make; their files were kept.
  public private(set) var stale: [StoredExample] = []
  /// The files that hold no example.
  public private(set) var damaged: [DamagedExample] = []

  /// What a person should know, a line each: the dropped, the stale and the damaged.
  public var remarks: [String] {
    dropped.map { "passes now, removed: \($0.path)" }
      + stale.map {
        "warning: stale: \($0.path): the generators of '\($0.token.property)' ask for other choices than when it was"
          + " stored, so it was not tried. Delete the file, and check the property anew."
      }
      + damaged.map { "warning: \($0)" }
  }
}

extension ExampleStore {
  /// Tries every stored example of a property again, and removes those that pass.
  ///
  /// - Parameters:
  ///   - property: Whose examples.
  ///   - judge: Runs a case again; the property itself when nothing is said.
  /// - Returns: What became of each.
  /// - Throws: `ExampleStoreError`, and what the judge throws.
  public func retry(
    _ property: Property, judge: ((ReplayToken) throws -> ReplayOutcome)? = nil
  ) throws -> ExampleRetrial {
    var retrial = ExampleRetrial()
    let contents = try contents(of: property.id)
    retrial.note(contents.damaged)
    for example in contents.examples {
      let outcome = try judge.map { try $0(example.token) } ?? property.replay(example.token)
      if outcome == .passed || outcome == .excluded { try remove(example) }
      retrial.note(outcome, of: example)
    }
    return retrial
  }
}

extension ExampleRetrial {
  fileprivate mutating func note(_ damaged: [DamagedExample]) { self.damaged += damaged }

  fileprivate mutating func note(_ outcome: ReplayOutcome, of example: StoredExample) {
    switch outcome {
    case .failed(let failure, let arguments):
      failing.append(Failing(example: example, failure: failure, arguments: arguments))
    case .passed, .excluded: dropped.append(example)
    case .stale: stale.append(example)
    }
  }
}

extension ExampleRetrial {
  /// The report of a check that a stored example ended; nil when none fails.
  public func report(about property: Property, settings: CheckSettings) -> CheckReport? {
    failing.first.map { first in
      CheckReport(
        .falsified(first.counterexample), CaseTally(), ending: .completed, coverage: [], warnings: [],
        settings: settings, argumentNames: property.argumentNames)
    }
  }
}
