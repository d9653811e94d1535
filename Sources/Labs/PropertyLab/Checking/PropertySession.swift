// SPDX-License-Identifier: GPL-3.0-or-later
package import PropertyTesting

/// Tests properties one after the other: stored examples first where that is wanted, then new cases, and stores what
/// fails.
package struct PropertySession {
  /// Where they are tested.
  package let bench: PropertyBench
  /// How much, and how.
  package let settings: CheckSettings
  private let store: ExampleStore?
  private let retriesExamples: Bool
  private let replayOptions: [String]

  /// Gets ready to test properties.
  ///
  /// - Parameters:
  ///   - bench: where they are tested.
  ///   - settings: how much, and how.
  ///   - store: where failing cases are stored; `nil` to store nothing.
  ///   - retriesExamples: whether stored examples are tried first. Then what comes out depends on what earlier runs
  ///     found, and not on the property and the settings alone.
  ///   - replayOptions: the words that commands to run a case again end with, for example `--case-limit 2s`; none of
  ///     them needs quotes in a shell.
  package init(
    bench: PropertyBench, settings: CheckSettings, store: ExampleStore?, retriesExamples: Bool = true,
    replayOptions: [String] = []
  ) {
    (self.bench, self.settings, self.store) = (bench, settings, store)
    (self.retriesExamples, self.replayOptions) = (retriesExamples, replayOptions)
  }

  /// Tests a property; what is wrong with it or its examples is part of the result.
  ///
  /// - Parameters:
  ///   - chosen: the property.
  ///   - time: how long it may take; `nil` when only the number of cases counts.
  /// - Returns: what came of it.
  package func result(of chosen: Catalogues.Chosen, within time: Duration? = nil) -> PropertyResult {
    var remarks: [String] = []
    do {
      let retrial = try retriesExamples ? store?.retry(chosen.property) { try bench.replay($0, of: chosen) } : nil
      remarks += retrial?.remarks ?? []
      var settings = settings
      settings.timeLimit = time
      if let retrial, let report = retrial.report(about: chosen.property, settings: settings) {
        remarks += retrial.failing.map { "fails still: \($0.example.path)" }
        return tested(report, chosen, remarks)
      }
      let report = try bench.check(chosen, settings)
      if let found = report.counterexample {
        remarks += stored { try store?.save(found, of: chosen.property) }
      }
      return tested(report, chosen, remarks)
    } catch let error as WorkerError {
      if case .hung(_, let limit, let token?) = error {
        let failure = Failure("it did not end within \(limit)", origin: "hang")
        remarks += stored {
          try store?.save(token, sentence: chosen.property.sentence, arguments: [], failure: failure)
        }
      }
      return PropertyResult(chosen: chosen, outcome: .broken("\(error)"), replay: nil, remarks: remarks)
    } catch {
      return PropertyResult(chosen: chosen, outcome: .broken("\(error)"), replay: nil, remarks: remarks)
    }
  }

  /// The command that runs a case again.
  private func replay(_ tape: Tape, of chosen: Catalogues.Chosen) -> String {
    let token = ReplayToken(property: chosen.property.id, tape: tape)
    let subject = chosen.subject.map { ["--subject", $0] } ?? []
    return (["assay", "properties", "replay", "\(token)"] + subject + replayOptions).joined(separator: " ")
  }

  private func tested(_ report: CheckReport, _ chosen: Catalogues.Chosen, _ remarks: [String]) -> PropertyResult {
    let bare = PropertyResult(chosen: chosen, outcome: .tested(report), replay: nil, remarks: remarks)
    guard let tape = bare.tape else { return bare }
    return PropertyResult(
      chosen: chosen, outcome: .tested(report), replay: replay(tape, of: chosen), remarks: remarks)
  }

  /// A failure that cannot be stored is a failure all the same: its token is in the report.
  private func stored(_ save: () throws -> StoredExample?) -> [String] {
    do {
      return try save().map { ["stored: \($0.path)"] } ?? []
    } catch {
      return ["warning: \(error)"]
    }
  }
}
