// SPDX-License-Identifier: Apache-2.0
import Foundation
import ProfileCore
import Testing

@Suite("Three-way merges")
struct MergeTests {
  struct Witnesses: Decodable {
    let cases: [Case]
    let nodeDiff3: [NodeCase]
    enum CodingKeys: String, CodingKey {
      case cases
      case nodeDiff3 = "node_diff3"
    }
  }

  struct Case: Decodable {
    let name: String
    let base, mine, theirs: [String]
    let gitConflict, diff3Conflict: Bool
    let gitResult, diff3Result: [String]?
    enum CodingKeys: String, CodingKey {
      case name, base, mine, theirs
      case gitConflict = "git_conflict"
      case diff3Conflict = "diff3_conflict"
      case gitResult = "git_result"
      case diff3Result = "diff3_result"
    }

    var merge: ThreeWayMerge<String> { ThreeWayMerge(base: base, mine: mine, theirs: theirs) }
  }

  struct NodeCase: Decodable {
    struct Region: Decodable { let ok, mine, base, theirs: [String]? }
    let name: String
    let base, mine, theirs: [String]
    let regions: [Region]
  }

  private static func witnesses() throws -> Witnesses {
    let url = try #require(Bundle.module.url(forResource: "Fixtures/three_way_merge", withExtension: "json"))
    return try JSONDecoder().decode(Witnesses.self, from: Data(contentsOf: url))
  }

  @Test("equal git's in all 160 cases, in conflicts and results")
  func git() throws {
    let cases = try Self.witnesses().cases
    #expect(cases.count == 160)
    for one in cases {
      #expect((one.merge.conflicts > 0) == one.gitConflict, "\(one.name)")
      #expect(one.merge.merged == one.gitResult, "\(one.name)")
    }
  }

  @Test("differ from GNU diff3 only for equal changes of both sides, which it calls conflicts")
  func diff3() throws {
    let differing = try Self.witnesses().cases.filter {
      ($0.merge.conflicts > 0) != $0.diff3Conflict
        || $0.diff3Result.map { [result = $0.merge.merged] in $0 != result } ?? false
    }
    #expect(differing.count == 8)
    for one in differing {
      #expect(one.diff3Conflict && !one.gitConflict, "\(one.name)")
    }
  }

  @Test("have the regions of node-diff3")
  func regions() throws {
    let cases = try Self.witnesses().nodeDiff3
    #expect(cases.count == 4)
    for one in cases {
      let wanted = one.regions.map { region -> ThreeWayMerge<String>.Region in
        region.ok.map { .merged($0) }
          ?? .conflict(mine: region.mine ?? [], base: region.base ?? [], theirs: region.theirs ?? [])
      }
      #expect(ThreeWayMerge(base: one.base, mine: one.mine, theirs: one.theirs).regions == wanted, "\(one.name)")
    }
  }

  @Test("by words join changes of both sides to one line, on which a merge by lines conflicts")
  func words() {
    let (base, mine, theirs) = ("I ride in Basel.", "I often ride in Basel.", "I ride in Bern.")
    #expect(ThreeWayMerge(base: base, mine: mine, theirs: theirs).conflicts == 1)
    let merge = ThreeWayMerge(base: base, mine: mine, theirs: theirs, by: .words)
    #expect(merge.text() == "I often ride in Bern.")
  }

  @Test("by words never join parts of an address, a number or a date")
  func valuesByWords() {
    for (base, mine, theirs) in [
      ("ann@example.org", "ann@example.com", "ann.b@example.org"), ("1.5 km", "2.5 km", "1.75 km"),
      ("on 12. March 2024", "on 13. March 2024", "on 12. April 2024"),
    ] {
      #expect(ThreeWayMerge(base: base, mine: mine, theirs: theirs, by: .words).conflicts == 1, "\(mine)")
    }
    let merge = ThreeWayMerge(
      base: "Call 12. I ride in Basel.", mine: "Call 13. I ride in Basel.", theirs: "Call 12. I ride in Bern.",
      by: .words)
    #expect(merge.conflicts == 1)
  }

  @Test("compare bytes, so that a change of the normal form alone is a change")
  func normalForms() {
    let (composed, decomposed) = ("caf\u{E9}\nx\n", "cafe\u{301}\nx\n")
    func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
    #expect(
      bytes(ThreeWayMerge(base: composed, mine: decomposed, theirs: composed).text()) == bytes(decomposed))
    #expect(ThreeWayMerge(base: composed, mine: decomposed, theirs: "caf\u{E9}\ny\n").conflicts == 1)
    #expect(
      ThreeWayMerge(base: ["\u{E9}"], mine: ["e\u{301}"], theirs: ["\u{E9}"]).merged.map { bytes($0[0]) }
        == bytes("e\u{301}"))
  }

  @Test("mark conflicts with the line ends of the text")
  func lineEnds() {
    func text(_ base: String, _ mine: String, _ theirs: String) -> String {
      ThreeWayMerge(base: base, mine: mine, theirs: theirs).divided.text()
    }
    #expect(
      text("a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\n", "a\r\nX\r\nc\r\n")
        == "a\r\n<<<<<<< mine\r\nB\r\n=======\r\nX\r\n>>>>>>> theirs\r\nc\r\n")
    // U+2028 ends no line; a CR does where no line ends with LF.
    #expect(
      text("a\u{2028}b\nc\n", "a\u{2028}B\nc\n", "a\u{2028}X\nc\n")
        == "<<<<<<< mine\na\u{2028}B\n=======\na\u{2028}X\n>>>>>>> theirs\nc\n")
    #expect(text("a\rb\rc\r", "A\rb\rc\r", "a\rb\rC\r") == "A\rb\rC\r")
    #expect(text("a\r", "b\r", "c\r") == "<<<<<<< mine\rb\r=======\rc\r>>>>>>> theirs\r")
  }

  @Test("leave lines that both sides share out of a conflict, and join conflicts up to three lines apart, as git does")
  func divided() {
    func text(_ base: String, _ mine: String, _ theirs: String) -> String {
      ThreeWayMerge(base: base, mine: mine, theirs: theirs).divided.text(mine: "m", theirs: "t")
    }
    #expect(text("1\n", "a\nx\n", "a\ny\n") == "a\n<<<<<<< m\nx\n=======\ny\n>>>>>>> t\n")
    let whole = ThreeWayMerge(base: "1\n", mine: "a\nx\n", theirs: "a\ny\n")
    #expect(whole.text(base: "b") == "<<<<<<< mine\na\nx\n||||||| b\n1\n=======\na\ny\n>>>>>>> theirs\n")
    #expect(
      text("1\na\nb\nc\n2\n", "x\na\nb\nc\nx\n", "y\na\nb\nc\ny\n")
        == "<<<<<<< m\nx\na\nb\nc\nx\n=======\ny\na\nb\nc\ny\n>>>>>>> t\n")
    #expect(
      ThreeWayMerge(base: "1\na\nb\nc\nd\n2\n", mine: "x\na\nb\nc\nd\nx\n", theirs: "y\na\nb\nc\nd\ny\n").divided
        .conflicts == 2)
  }

  struct GitMerge: Decodable {
    let base, mine, theirs, merged: String
    let conflicts: Int
  }

  @Test("print what git merge-file prints for 400 random texts")
  func gitTexts() throws {
    let url = try #require(Bundle.module.url(forResource: "Fixtures/git_merge_file", withExtension: "json"))
    let cases = try JSONDecoder().decode([GitMerge].self, from: Data(contentsOf: url))
    #expect(cases.count == 400)
    for one in cases {
      let merge = ThreeWayMerge(base: one.base, mine: one.mine, theirs: one.theirs).divided
      #expect(merge.text() == one.merged && merge.conflicts == one.conflicts, "\(one.base.debugDescription)")
    }
  }

  @Test("mark conflicts as git does, and add no line end at the end of a text")
  func marked() {
    let merge = ThreeWayMerge(base: "a\nb", mine: "a\nc", theirs: "a\nd")
    #expect(merge.text(base: "base") == "a\n<<<<<<< mine\nc\n||||||| base\nb\n=======\nd\n>>>>>>> theirs\n")
    #expect(ThreeWayMerge(base: "a\nb\nc", mine: "a\nb\nc", theirs: "x\nb\nc").text() == "x\nb\nc")
  }

  @Test("of a megabyte of different lines end, with both sides in one conflict")
  func large() {
    func text(_ word: String) -> String {
      (0..<20_000).map { "\(word) \($0 % 977), and more than forty characters\n" }.joined()
    }
    let (mine, theirs) = (text("mine"), text("theirs"))
    #expect(mine.utf8.count > 800_000)
    let merge = ThreeWayMerge(base: text("base"), mine: mine, theirs: theirs)
    #expect(
      merge.regions == [
        .conflict(
          mine: lines(mine), base: lines(text("base")), theirs: lines(theirs))
      ])
  }

  private func lines(_ text: String) -> [String] { text.split(separator: "\n").map { $0 + "\n" } }
}
