// SPDX-License-Identifier: GPL-3.0-or-later
import MonteCarlo
import Reporting
import Scenarios
import Testing

@testable import PropertyLab

@Suite("Properties in a report")
struct PropertySectionsTests {
  @Test("a share that is not all never reads as all, nor one that is something as nothing")
  func hairs() {
    #expect(PropertySections.percent(0.9999) == "99.99%" && PropertySections.percent(0.0001) == "0.01%")
    #expect(PropertySections.percent(1) == "100.0%" && PropertySections.percent(0) == "0.0%")
  }

  private func result(_ yaml: String) throws -> ScenarioResult {
    try scenario(yaml).plan.run(on: ScenarioBench(workers: 1))
  }

  @Test("after a table of all, what fails comes first and in full, then what could not be judged, then the rest")
  func order() throws {
    let result = try result("properties: [specimen.holds, specimen.empty, specimen.fails]\ncases: 100")
    let blocks = try #require(result.sections.first).blocks
    let kinds = blocks.map { block in
      switch block {
      case .paragraph: "paragraph"
      case .part(let title, let judgement, _): "\(title.prefix(14)) \(judgement?.rawValue ?? "none")"
      case .table(let table): "table of \(table.table.rows.count)"
      case .details(let summary, _): "behind \(summary.prefix(14))"
      default: "other"
      }
    }
    #expect(
      kinds == [
        "paragraph", "paragraph", "table of 3", "specimen.fails fails", "specimen.empty undecided",
        "behind specimen.holds",
      ])
  }

  @Test("a counterexample is shown with its arguments, its failure, what does not matter and its replay command")
  func counterexample() throws {
    let result = try result("properties: specimen.fails\ncases: 1000")
    let tables = result.blocks.compactMap { if case .table(let table) = $0 { table } else { nil } }
    let arguments = try #require(tables.first { $0.caption == "The simplest case for which it fails" })
    #expect(arguments.table.rows == [["numbers", "[501]"]])
    let codes = result.blocks.compactMap { if case .code(let text, _) = $0 { text } else { nil } }
    #expect(codes.count == 1)
    #expect(codes.first?.hasPrefix("assay properties replay specimen.fails:1:") == true)
    let paragraphs = result.blocks.compactMap { if case .paragraph(let text) = $0 { text } else { nil } }
    #expect(paragraphs.contains { $0.hasPrefix("It fails with: one is above 500 (at ") })
    #expect(paragraphs.contains { $0.contains("seed 1, search uniform, 1,000 cases wanted") })
  }

  @Test("the table of all says of each what is claimed, its cases and what came of them")
  func overview() throws {
    let result = try result("properties: [specimen.holds, specimen.fails, specimen.empty]\ncases: 1000")
    let tables = result.blocks.compactMap { if case .table(let table) = $0 { table } else { nil } }
    let rows = try #require(tables.first { $0.caption.hasPrefix("Every property") }).table.rows
    #expect(rows.map(\.last) == ["FAILS", "not judged", "holds"])
    #expect(
      rows.last == ["specimen.holds", "A list is as long as its reverse", "1,000", "0.0%", "none claimed", "holds"])
  }

  @Test("broken subjects have a table a core, and what nothing notices is said first")
  func faults() throws {
    let result = try result("properties: specimen.fails\ncases: 10\nfaults: true")
    let section = try #require(result.sections.last)
    #expect(section.id == "broken-subjects")
    guard case .paragraph(let first)? = section.blocks.first, case .table(let table)? = section.blocks.dropFirst().first
    else {
      Issue.record("a paragraph and a table should come first")
      return
    }
    #expect(first.hasSuffix("caught 0 of 1; nothing notices specimen-broken."))
    #expect(table.table.rows == [["specimen-broken", "Nothing holds.", "nothing", "", ""]])
  }
}
