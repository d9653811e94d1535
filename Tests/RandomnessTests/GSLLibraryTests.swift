// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Randomness

@Suite("The GNU Scientific Library that is linked")
struct GSLLibraryTests {
  @Test("says its version")
  func version() {
    #expect(GSLLibrary.version.wholeMatch(of: /\d+\.\d+(\.\d+)?/) != nil)
  }

  @Test("every generator is tried, and draws what it always drew")
  func trials() {
    let trials = GSLLibrary.trials()
    #expect(trials.map(\.name) == GSLGenerator.names)
    for (name, trial) in trials { #expect(trial == .asKnown, "\(name)") }
  }

  @Test("the words known of the generators are the golden ones")
  func known() {
    #expect(GSLLibrary.firstWords == goldenWords.compactMapValues(\.first))
  }
}
