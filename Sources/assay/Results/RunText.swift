// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import Foundation
internal import Reporting
internal import Scenarios

extension RecordedRun {
  /// When it began: `2026-11-21 12:00:00`, in UTC.
  var startedText: String {
    RunRecord.text(of: started).replacing("T", with: " ").replacing("Z", with: "")
  }

  /// The seconds on the wall; nothing where it did not end.
  var secondsText: String { seconds.map { NumberFormat.fixed($0, decimals: 2) } ?? "" }

  /// What it came to: the judgement, and the status unless it is complete.
  var outcomeText: String { status == .complete ? judgement.rawValue : "\(judgement.rawValue), \(status.rawValue)" }

  /// For a heading: `run 12, quick, 2026-11-21 12:00:00 UTC`.
  var heading: String { "run \(id), \(slug), \(startedText) UTC" }

  /// All about it but what it found.
  var json: JSONValue {
    [
      "id": .integer(Int(id)), "slug": .string(slug), "name": .string(name), "kind": .string(kind),
      "digest": .string(digest), "judgement": .string(judgement.rawValue), "status": .string(status.rawValue),
      "started": .string(RunRecord.text(of: started)), "seconds": seconds.map { .number($0) } ?? .null,
      "version": .string(version), "gsl": .string(gsl),
      "machine": [
        "host": .string(machine.host), "system": .string(machine.system),
        "architecture": .string(machine.architecture), "cores": .integer(machine.cores),
      ],
      "workers": .integer(workers), "folder": .string(folder), "command": .string(command),
    ]
  }
}
