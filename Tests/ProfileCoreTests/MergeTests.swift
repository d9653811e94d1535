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
