// SPDX-License-Identifier: GPL-3.0-or-later
import LiveLab
import Testing

@Suite("The clients that a session can run")
struct LiveSubjectsTests {
  @Test("the client that ships comes first, and every other is called live-")
  func names() {
    let names = LiveSubjects.all.map(\.name)
    #expect(names.first == "production" && Set(names).count == names.count)
    #expect(names.dropFirst().allSatisfy { $0.hasPrefix("live-") })
    #expect(LiveSubjects.all.allSatisfy { !$0.fault.isEmpty })
  }

  @Test("each of the sixteen known families of faults has a variant")
  func families() {
    #expect(Set(LiveSubjects.broken.flatMap(\.families)) == Set(1...16))
  }

  @Test("a name finds its client")
  func found() throws {
    #expect(try LiveSubjects.named("live-never-resets").families == [2])
    #expect(try LiveSubjects.named("production").families.isEmpty)
  }

  @Test("a misspelt name is told the nearest one")
  func misspelt() {
    #expect(
      throws: LiveLabError.badValue(
        field: "subject", found: "'live-never-reset'", expected: "'live-never-resets'?")
    ) { try LiveSubjects.named("live-never-reset") }
  }

  @Test("a name like no other is told all of them")
  func unknown() {
    #expect {
      try LiveSubjects.named("zzzzzzzzzzzzzzzzzz")
    } throws: { error in
      "\(error)".contains("one of production, live-replaced-design, live-resets-on-open")
    }
  }
}
