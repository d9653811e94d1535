// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

@Suite("assay doctor")
struct DoctorCommandTests {
  @Test("finds everything needed on the test machine, draws from every generator, and writes nothing")
  func healthy() throws {
    let folder = try TemporaryFolder()
    let process = try AssayProcess("doctor", in: folder.url)
    #expect(process.status == 0)
    #expect(process.output.contains(/\ngenerators +ok +all \d\d start and draw the expected numbers\n/))
    #expect(process.output.contains(/\ngsl +ok +\d+\.\d+/))
    #expect(process.output.contains(/\nsqlite +ok +3\.\d+\.\d+/))
    #expect(process.output.contains("Everything needed is available."))
    #expect(try folder.names() == [])
  }

  @Test("reports how to install optional programs, and passes without them")
  func optional() throws {
    let process = try AssayProcess("doctor --format json", environment: ["PATH": "/nowhere"])
    #expect(process.status == 0)
    let document = try process.json()
    #expect(document["healthy"] as? Bool == true)
    let findings = try #require(document["findings"] as? [[String: String]])
    for name in ["rsvg-convert", "chromium", "swift"] {
      let finding = try #require(findings.first { $0["name"] == name })
      #expect(finding["state"] == "optional" && finding["cure"]?.isEmpty == false)
    }
    #expect(findings.first { $0["name"] == "rsvg-convert" }?["cure"] == "apt-get install librsvg2-bin")
  }

  @Test("fails if results cannot be written, with the action that fixes it")
  func readOnly() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
    let process = try AssayProcess("doctor --runs \(folder.url.path)/runs")
    #expect(process.status == 1)
    #expect(process.output.contains(/\nresults +missing +cannot write [^;]*is\s+read-only/))
    #expect(process.output.contains("- To fix results: make it writable, or give runs another place with --runs\n"))
    #expect(process.output.contains("To fix: results."))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
  }

  @Test("reports a file that is not a history, and does not change it")
  func history() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("not a database at all", as: "h.sqlite")
    let process = try AssayProcess("doctor --history \(path)")
    #expect(process.status == 1)
    #expect(process.output.contains(/it\s+is\s+not\s+an\s+Assay\s+history/))
    #expect(process.output.contains("To fix: history."))
    #expect(try folder.names() == ["h.sqlite"])
  }
}
