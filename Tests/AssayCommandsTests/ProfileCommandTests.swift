// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

@Suite("Commands of profile")
struct ProfileCommandTests {
  @Test("a merge prints git's text and ends with 1 if there are conflicts")
  func merge() throws {
    let folder = try TemporaryFolder(["o": "a\nb\nc\n", "m": "A\nb\nc\n", "t": "a\nb\nC\n", "x": "B\nb\nc\n"])
    let clean = try AssayProcess("profile merge o m t", in: folder.url)
    #expect(clean.status == 0 && clean.output == "A\nb\nC\n")
    let run = try AssayProcess("profile merge o m x", in: folder.url)
    #expect(run.status == 1 && run.output == "<<<<<<< m\nA\n=======\nB\n>>>>>>> x\nb\nc\n")
    #expect(run.remarks.contains("1 conflict."))
    #expect(try AssayProcess("profile merge o m none", in: folder.url).status == 2)
    #expect(try AssayProcess("profile merge o m t --by word", in: folder.url).status == 2)
  }

  @Test("a search finds the path of a setting despite typing errors, or reports that none matches")
  func find() throws {
    let run = try AssayProcess("profile find flat pasword")
    #expect(run.status == 0 && run.output.contains("Profile > Change password"))
    let json = try AssayProcess("profile find flat lock --system 17 --format json").output
    #expect(!json.contains("lock-app"))
    #expect(try AssayProcess("profile find flat lock --system seventeen").status == 2)
  }

  @Test("a map that breaks a rule ends with 1, an inconsistent map with 2")
  func check() throws {
    #expect(try AssayProcess("profile check flat").status == 0)
    let run = try AssayProcess("profile check nested")
    #expect(run.status == 1 && run.output.contains("deeper than"))
    let folder = try TemporaryFolder(["m": "name: a\ntabs: [b]\nscreens:\n  - {id: a, name: A}\n"])
    let wrong = try AssayProcess("profile check m", in: folder.url)
    #expect(wrong.status == 2 && wrong.remarks.contains("m:1: tabs: found 'b', expected one of a"))
  }
}
