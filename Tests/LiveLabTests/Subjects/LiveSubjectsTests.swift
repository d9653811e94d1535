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

  @Test("a misspelt name is told the nearest one, and all of them")
  func misspelt() {
    #expect {
      try LiveSubjects.named("live-never-reset")
    } throws: { error in
      let start = "subject: found 'live-never-reset' (did you mean 'live-never-resets'?), expected one of production, "
      return "\(error)".hasPrefix(start)
    }
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
