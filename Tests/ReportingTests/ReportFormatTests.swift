// SPDX-License-Identifier: GPL-3.0-or-later
import Reporting
import Testing

@Suite("A format is named, or follows from the ending of a file")
struct ReportFormatTests {
  @Test("every format reads back from its name and from its endings", arguments: ReportFormat.allCases)
  func roundTrip(format: ReportFormat) throws {
    #expect(try ReportFormat(named: format.rawValue.uppercased()) == format)
    for ending in format.extensions { #expect(try ReportFormat(ofFile: "a/b.c.\(ending)") == format) }
  }

  @Test("an unknown name or ending lists the known ones")
  func unknown() {
    let name = #expect(throws: ReportingError.self) { try ReportFormat(named: "markdwon") }
    #expect(name?.description.contains("(did you mean 'markdown'?)") == true)
    let ending = #expect(throws: ReportingError.self) { try ReportFormat(ofFile: "chart.pdf") }
    #expect(ending?.description.contains("a file ending in .txt, .md, .csv, .json, .svg") == true)
  }

  @Test("a word far from every known one gets no suggestion")
  func spelling() {
    #expect(Spelling.nearest(to: "confidnce", among: ["confidence", "rules"]) == "confidence")
    #expect(Spelling.nearest(to: "seeds", among: ["seed", "rules"]) == "seed")
    #expect(Spelling.nearest(to: "xylophone", among: ["seed", "rules"]) == nil)
    #expect(Spelling.nearest(to: "", among: ["ab"]) == nil)
  }
}
