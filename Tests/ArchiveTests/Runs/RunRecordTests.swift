// SPDX-License-Identifier: GPL-3.0-or-later
import Archive
import Foundation
import Reporting
import Testing

@Suite("The record of a run")
struct RunRecordTests {
  private let record = RunRecord(
    status: .interrupted, started: Date(timeIntervalSince1970: 1_795_000_000),
    ended: Date(timeIntervalSince1970: 1_795_000_090), wallSeconds: 89.75, cpuSeconds: 170.5, assay: "0.1.0",
    gsl: "2.7.1", command: "assay run 'a b.yaml'", workers: 2, process: 4711,
    machine: .init(host: "büro", system: "Debian GNU/Linux 12", architecture: "x86_64", cores: 2), error: "",
    remarks: ["One.", "Two."], files: ["run.json"])

  private func file(_ text: String) throws -> RunFile {
    let place = try Workplace()
    defer { place.remove() }
    try AtomicFile.write(text, to: place.path("run.json"))
    return try RunFile(contentsOf: place.path("run.json"))
  }

  @Test("reads back as it was written, with the record of an earlier complete run beside it")
  func roundTrip() throws {
    var complete = record
    complete.status = .complete
    for one in [
      RunFile(latest: record, previous: nil), RunFile(latest: record, previous: complete),
      RunFile(latest: complete, previous: nil),
    ] {
      #expect(try file(one.json.text) == one)
    }
    #expect(RunFile(latest: record, previous: complete).completed == complete)
    #expect(RunFile(latest: record, previous: nil).completed == nil)
  }

  @Test("has its dates in UTC, to the second")
  func dates() {
    let text = RunFile(latest: record, previous: nil).json.text
    #expect(text.contains("\"started\": \"2026-11-18T11:06:40Z\""))
    #expect(text.contains("\"ended\": \"2026-11-18T11:08:10Z\""))
    #expect(text.hasPrefix("{\n  \"schema\": \"assay.run/1\",\n"))
  }

  @Test("of a run under way has no end yet, and may have members of a later version")
  func underWay() throws {
    let started = RunRecord(
      status: .incomplete, started: Date(timeIntervalSince1970: 0), assay: "0.1.0", gsl: "2", command: "assay",
      workers: 1,
      machine: .init(host: "", system: "", architecture: "", cores: 1))
    let text = RunFile(latest: started, previous: nil).json.text
    #expect(text.contains("\"ended\": null"))
    #expect(try file(text.replacing("\"gsl\"", with: "\"moon\": {}, \"gsl\"")).latest == started)
  }

  @Test("that is damaged says where")
  func damaged() throws {
    let text = RunFile(latest: record, previous: nil).json.text
    for (old, new, message) in [
      ("2026-11-18T11:06:40Z", "yesterday", "started: found 'yesterday', expected a date such as"),
      ("\"interrupted\"", "\"asleep\"", "status: found 'asleep', expected one of incomplete, interrupted, complete"),
      ("\"cores\": 2", "\"cores\": \"two\"", "machine.cores: found 'two', expected a whole number"),
      ("\"previous\": null", "\"previous\": 3", "previous: found 3, expected an object"),
    ] {
      #expect(text.contains(old))
      let error = #expect(throws: ArchiveError.self) { try file(text.replacing(old, with: new)) }
      #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }
  }
}
