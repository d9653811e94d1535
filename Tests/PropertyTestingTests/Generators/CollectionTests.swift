// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

@testable import PropertyTesting

@Suite("Generated collections")
struct CollectionTests {
  @Test("that must be distinct are as large as they can be, and never discarded for want of elements")
  func scarce() throws {
    var draws = try Draws(seed: 1)
    var sizes: Set<Int> = []
    for _ in 0..<200 {
      draws.begin()
      sizes.insert(try draws.draw(.distinctArrays(of: .booleans(), count: 0...9)).count)
    }
    #expect(sizes == [0, 1, 2])
  }

  @Test("that must be distinct and large discard the case when there are too few elements")
  func tooScarce() throws {
    var draws = try Draws(seed: 1)
    draws.begin()
    #expect(throws: Discard.filtered) { _ = try draws.draw(.distinctArrays(of: .booleans(), count: 3...9)) }
  }

  @Test("never show a refused element when a tape repeats one: the case is discarded")
  func repeated() throws {
    let generator = Gen<[Int]>.distinctArrays(of: .integers(in: 0...9), count: 2...2)
    var draws = try Draws(seed: 1)
    draws.begin()
    _ = try draws.draw(generator)
    var tape = draws.tape
    tape.entries[3].value = tape.entries[2].value
    draws.begin(reading: tape)
    #expect(throws: Discard.filtered) { _ = try draws.draw(generator) }
  }

  @Test("permutations shrink to the order given, and one step of a choice is one inversion")
  func permutations() throws {
    let generator = Gen<[Int]>.permutations(of: 0..<5)
    var draws = try Draws(seed: 2)
    draws.begin(reading: Tape())
    #expect(try draws.draw(generator) == [0, 1, 2, 3, 4])
    var tape = draws.tape
    tape.entries[2].value = 2
    draws.begin(reading: tape)
    #expect(try draws.draw(generator) == [0, 3, 1, 2, 4])
  }

  @Test("permutations reach every order, and the reverse order often")
  func orders() throws {
    var draws = try Draws(seed: 3)
    var orders: Set<[Int]> = []
    var reversed = 0
    for _ in 0..<2_000 {
      draws.begin()
      orders.insert(try draws.draw(.permutations(of: 1...4)))
      draws.begin()
      if try draws.draw(.permutations(of: 1...9)) == Array((1...9).reversed()) { reversed += 1 }
    }
    #expect(orders.count == 24)
    #expect(reversed > 20)
  }

  @Test("subsets that cannot be large enough say so")
  func subsets() throws {
    var draws = try Draws(seed: 4)
    draws.begin()
    #expect(throws: Discard.impossible("subsets(of:count:) needs 4 elements and has 3")) {
      _ = try draws.draw(.subsets(of: [1, 2, 3], count: 4...5))
    }
  }

  @Test("dates meet leap days and the ends of years")
  func dates() throws {
    var draws = try Draws(seed: 5)
    var seen: Set<Double> = []
    for _ in 0..<6_000 {
      draws.begin()
      seen.insert(try draws.draw(.dates(every: .seconds)).timeIntervalSince1970)
    }
    let curious: Set<Double> = [0, 951_782_400, 946_684_799, 2_147_483_648, 1_711_846_800]
    #expect(curious.subtracting(seen).isEmpty)
  }

  @Test("dates and durations shrink to the year 2000 and to zero")
  func simplest() throws {
    var draws = try Draws(seed: 6)
    draws.begin(reading: Tape())
    #expect(try draws.draw(.dates()).timeIntervalSince1970 == 946_684_800)
    draws.begin(reading: Tape())
    #expect(try draws.draw(.durations()) == .zero)
    draws.begin()
    let instant = Date(timeIntervalSince1970: 0.5)
    #expect(throws: Discard.self) { _ = try draws.draw(.dates(in: instant...instant, every: .days)) }
  }

  @Test("strings without symbols are empty, and impossible when they must not be")
  func noSymbols() throws {
    var draws = try Draws(seed: 7)
    draws.begin()
    #expect(try draws.draw(.strings(of: Alphabet(""))) == "")
    #expect(throws: Discard.self) { _ = try draws.draw(.strings(of: Alphabet(""), count: 1...3)) }
  }

  @Test("strings shrink to the first symbol of their alphabet, and mix everything when nothing is said")
  func strings() throws {
    var draws = try Draws(seed: 8)
    draws.begin(reading: Tape())
    #expect(try draws.draw(.strings(count: 3...8)) == "aaa")
    var all = ""
    for _ in 0..<3_000 {
      draws.begin()
      all += try draws.draw(.strings())
    }
    let expected = Set("az09 \0\n\"<\u{202E}\u{301}א中👨".unicodeScalars)
    #expect(expected.subtracting(all.unicodeScalars).isEmpty)
  }
}
