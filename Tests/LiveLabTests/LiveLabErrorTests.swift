// SPDX-License-Identifier: GPL-3.0-or-later
@testable import LiveLab
import Testing

@Suite("Errors of the live lab")
struct LiveLabErrorTests {
  @Test("a bad value is named with what was found and what was expected")
  func sentence() {
    let error = LiveLabError.badValue(field: "loss", found: "1.5", expected: "a share from 0 to 1")
    #expect(error.description == "loss: found 1.5, expected a share from 0 to 1.")
  }
}
