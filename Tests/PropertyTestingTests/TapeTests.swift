// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import PropertyTesting

@Suite("A tape")
struct TapeTests {
  @Test("gives the same value when it is read back")
  func replay() throws {
    let generator = Gen.arrays(of: .integers(in: 0...1000), count: 0...10)
    var draws = try Draws(seed: 1)
    for _ in 0..<100 {
      draws.begin()
      let value = try draws.draw(generator)
      let tape = draws.tape
      draws.begin(reading: tape)
      #expect(try draws.draw(generator) == value)
      let (isFaithful, again) = (draws.isFaithfulReplay, draws.tape)
      #expect(isFaithful)
      #expect(again == tape)
    }
  }
}

@Suite("A search")
struct SearchTests {
  @Test("finds a list that reads differently backwards")
  func reverse() throws {
    let report = try search(Gen.arrays(of: Gen<Int>.integers())) { numbers in
      try claim(numbers.reversed() == numbers, "it reads differently backwards")
    }
    #expect(report.counterexample?.failure.message == "it reads differently backwards")
  }

  @Test("draws the parts of a tuple from left to right")
  func order() throws {
    let report = try search(zip(Gen.integers(in: 0...9), Gen.integers(in: 0...99)), Gen<Int8>.integers()) {
      pair, byte in
      try claim((0...9).contains(pair.0) && (0...99).contains(pair.1))
      try assume(byte != 3)
    }
    #expect(report.outcome == .held)
    #expect(report.passed == 100)
  }
}
