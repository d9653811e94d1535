// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import Scenarios
import Testing

@testable import Archive

@Suite("The article on results lists the members that are written, and no others")
struct SchemaArticleTests {
  /// The first column of the table in a part of the article.
  private func documented(in part: String) throws -> Set<String> {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let path = root.appendingPathComponent("Sources/Reporting/Archive/Archive.docc/ResultsOnDisk.md").path
    let parts = try TextFile.read(path).components(separatedBy: "\n## ")
    let text = try #require(parts.first { $0.hasPrefix("\(part)\n") })
    return Set(
      text.split(separator: "\n").filter { $0.hasPrefix("| `") }.compactMap { line in
        line.split(separator: "`").dropFirst().first.map(String.init)
      })
  }

  /// The full names of what stands in a document, elements of arrays by `[]`.
  private func members(of value: JSONValue, at path: String = "", until closed: Set<String>) -> Set<String> {
    switch value {
    case .object(let members) where !closed.contains(path):
      return members.reduce(into: []) { names, member in
        let name = path.isEmpty ? member.key : "\(path).\(member.key)"
        names.formUnion(self.members(of: member.value, at: name, until: closed))
      }
    case .array(let values) where values.contains(where: { if case .object = $0 { true } else { false } }):
      return values.reduce(into: []) { $0.formUnion(members(of: $1, at: "\(path)[]", until: closed)) }
    default:
      return [path]
    }
  }

  @Test("result.json: a document with a measurement of every nature has the members of the table")
  func result() throws {
    let document = ResultDocument(
      slug: "quick", name: "Quick", kind: "blackjack-chart", digest: "0123abcd",
      thresholds: [HistoryFixture.judged(.undecided)], measurements: HistoryFixture.everyForm,
      data: ["cells": ["a": 1]], isComplete: false)
    #expect(members(of: document.json, until: ["data"]) == (try documented(in: "result.json")))
  }

  @Test("run.json: a record has the members of the table, and so has the one before it")
  func run() throws {
    let machine = RunRecord.Machine(host: "here", system: "Debian", architecture: "x86_64", cores: 2)
    let record = RunRecord(
      status: .complete, started: HistoryFixture.time(0), assay: "0.1.0", gsl: "2.8", command: "assay run", workers: 2,
      machine: machine)
    let documented = try documented(in: "run.json")
    #expect(members(of: RunFile(latest: record, previous: nil).json, until: []) == documented)
    #expect(members(of: record.json, until: []) == documented.subtracting(["schema", "previous"]))
  }

  @Test("the folder: every file that the folder may have stands in the table")
  func folder() throws {
    #expect(try documented(in: "The folder") == Set(RunFolder.Name.allCases.map(\.rawValue)))
  }

  @Test("the schemas are called what the article calls them")
  func schemas() throws {
    let document = HistoryFixture.document()
    #expect(document.text.contains("\"assay.result/1\""))
    #expect(Schema.result.text == "assay.result/1" && Schema.run.text == "assay.run/1")
  }
}
