// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

@Suite("assay run, end to end")
struct RunCommandTests {
  private func scenario(low: String, high: String) -> String {
    """
    name: The trainer's chart
    kind: blackjack-play
    rules: 6d-s17-das-spl1
    method: exact
    expectations:
      ev: {low: \(low), high: \(high)}

    """
  }

  @Test("a scenario whose expectation holds ends with 0, one whose does not with 1 and the command")
  func verdicts() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    _ = try folder.write(scenario(low: "-0.0046", high: "-0.0045"), as: "good.yaml")
    _ = try folder.write(scenario(low: "0", high: "1"), as: "bad.yaml")
    let good = try AssayProcess("run good.yaml", in: folder.url)
    #expect(good.status == 0)
    #expect(good.output.contains("HOLDS: 1 of 1 expectations."))
    let bad = try AssayProcess("run good.yaml bad.yaml --jobs 1", in: folder.url)
    #expect(bad.status == 1)
    #expect(bad.output.contains("FAILS: 1 of 2 expectations."))
    #expect(bad.remarks.hasSuffix("reproduce: assay run good.yaml bad.yaml --jobs 1 --out Results/runs\n"))
  }

  @Test("assay run without a name runs every file in Scenarios/")
  func folder() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    #expect(try AssayProcess("run", in: folder.url).status == 2)
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("Scenarios"), withIntermediateDirectories: true)
    _ = try folder.write(scenario(low: "-1", high: "0"), as: "Scenarios/b.yaml")
    _ = try folder.write(scenario(low: "-1", high: "1"), as: "Scenarios/a.yaml")
    let process = try AssayProcess("run --format csv", in: folder.url)
    #expect(process.status == 0)
    #expect(process.output.split(separator: "\n").count == 3)
    #expect(process.remarks.hasPrefix("assay run Scenarios/a.yaml Scenarios/b.yaml"))
  }

  @Test("a bad scenario stops everything before the first one runs")
  func bad() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    _ = try folder.write(scenario(low: "-1", high: "0"), as: "a.yaml")
    _ = try folder.write(scenario(low: "-1", high: "0").replacingOccurrences(of: "rules", with: "rule"), as: "b.yaml")
    let process = try AssayProcess("run a.yaml b.yaml", in: folder.url)
    #expect(process.status == 2)
    #expect(process.remarks.contains("error: b.yaml:3: rule: unknown key; did you mean 'rules'?"))
    #expect(process.output.isEmpty)
    #expect(try AssayProcess("run nowhere.yaml", in: folder.url).status == 2)
  }
}
