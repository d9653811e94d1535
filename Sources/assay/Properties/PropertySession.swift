// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting

/// Tests properties one after the other: stored examples first, then new cases, and stores what fails.
struct PropertySession {
  let bench: PropertyBench
  let store: ExampleStore?
  let settings: CheckSettings
  let isolation: IsolationOptions

  /// Tests a property; what is wrong with it or its examples is part of the result.
  ///
  /// - Parameters:
  ///   - chosen: the property.
  ///   - time: how long it may take; `nil` when only the number of cases counts.
  /// - Returns: what came of it.
  func result(of chosen: Catalogues.Chosen, within time: Duration?) -> PropertyResult {
    var remarks: [String] = []
    do {
      let retrial = try store?.retry(chosen.property) { try bench.replay($0, of: chosen) }
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
  func replay(_ tape: Tape, of chosen: Catalogues.Chosen) -> String {
    let token = ReplayToken(property: chosen.property.id, tape: tape)
    var echo = CommandLineEcho("assay", "properties", "replay", "\(token)")
    if let subject = chosen.subject { echo.add("--subject", subject) }
    isolation.add(to: &echo)
    return echo.line
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
