// SPDX-License-Identifier: GPL-3.0-or-later
import ClubLab
import Testing

@Suite("Errors of the club laboratory")
struct ClubLabErrorTests {
  @Test("an error names the value, what was found, and what was expected")
  func description() {
    let error = ClubLabError.badShape(field: "members", found: "0", expected: "a number from 1")
    #expect(error.description == "members: found 0, expected a number from 1.")
  }
}
