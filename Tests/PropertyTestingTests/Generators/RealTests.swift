// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import PropertyTesting

@Suite("The order of real numbers")
struct RealOrderTests {
  @Test("has a place for every number, and gives the number back")
  func bijection() throws {
    var draws = try Draws(seed: 1)
    for _ in 0..<20_000 {
      let number = Double(bitPattern: draws.wide())
      let place = RealOrder.place(of: number)
      let back = RealOrder.number(at: place)
      #expect(back.bitPattern == number.bitPattern || (back.isNaN && number.isNaN))
      #expect(place <= (number.isFinite ? RealOrder.lastFinite : RealOrder.last))
    }
  }

  @Test("gives every place a number, which has that place or an earlier one")
  func places() throws {
    var draws = try Draws(seed: 2)
    for _ in 0..<20_000 {
      let place = draws.below(RealOrder.last)
      let again = RealOrder.place(of: RealOrder.number(at: place))
      #expect(again <= place || RealOrder.number(at: place).isNaN)
      #expect(RealOrder.number(at: again).bitPattern == RealOrder.number(at: place).bitPattern)
    }
  }

  @Test("runs from zero over integers and short fractions to long ones, extremes and NaN")
  func order() {
    let numbers: [Double] = [
      0, -0.0, 1, -1, 2, 3, -3, 1_000_000, 1.5, 1.25, 1.75, 1.1, 0.5, 0.75, 2.5, 2.25, 3.5, 0.25, 4.5, 1e-10, 1e18,
      1e300,
      .infinity, -.infinity, .nan,
    ]
    #expect(numbers.map(RealOrder.place) == numbers.map(RealOrder.place).sorted())
  }

  @Test(
    "offers simpler numbers: 2 for 2.5, 3 for 3.1, 5 for -5",
    arguments: [(2.5, 2.0), (3.1, 3), (-5, 5), (1e300, 5e299)])
  func simplifications(_ number: Double, _ simpler: Double) {
    let place = RealOrder.place(of: number)
    let offered = RealOrder.simplifications(of: place)
    #expect(offered.contains(RealOrder.place(of: simpler)))
    #expect(offered.allSatisfy { $0 < place })
  }
}

@Suite("Real numbers")
struct RealTests {
  @Test(
    "shrink towards the simplest of their range",
    arguments: [
      (-1e9...1e9, 0), (10.5...20.5, 11), (-20.5 ... -10.5, -11), (0.3...0.31, 0.3125 - 0.0078125), (0.3...0.6, 0.5),
      (2.6...2.7, 2.625), (1e20...1e30, 1e20), (-7.75 ... -7.5, -7.5),
    ] as [(ClosedRange<Double>, Double)])
  func simplest(_ range: ClosedRange<Double>, _ expected: Double) throws {
    var draws = try Draws(seed: 1)
    draws.begin(reading: Tape())
    #expect(try draws.draw(.doubles(in: range)) == expected)
  }

  @Test("are often nasty, often whole, and of all sizes")
  func variety() throws {
    var draws = try Draws(seed: 4)
    var numbers: [Double] = []
    for _ in 0..<4_000 {
      draws.begin()
      numbers.append(try draws.draw(.doubles()))
    }
    let nasty: [Double] = [0, 1, -1, 0.1, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .pi, Double(1).nextUp]
    for number in nasty { #expect(numbers.contains(number), "\(number)") }
    #expect(numbers.contains { $0 == 0 && $0.sign == .minus })
    #expect(numbers.count { $0 == $0.rounded() } > 1_000)
    #expect(numbers.count { abs($0) > 1e100 } > 100)
    #expect(numbers.count { $0 != $0.rounded() && abs($0) < 1000 } > 400)
  }

  @Test("spread over the whole of a small range")
  func spread() throws {
    var draws = try Draws(seed: 5)
    var tenths: Set<Int> = []
    for _ in 0..<500 {
      draws.begin()
      tenths.insert(Int(try draws.draw(.doubles(in: 0...1)) * 10))
    }
    #expect(tenths == Set(0...10))
  }

  @Test("include infinities and NaN only when asked for")
  func nonFinite() throws {
    var draws = try Draws(seed: 6)
    var kinds: Set<String> = []
    for _ in 0..<2_000 {
      draws.begin()
      let number = try draws.draw(.doubles(in: 0...9, allowing: [.nan, .infinity]))
      if !number.isFinite { kinds.insert("\(number)") }
      draws.begin()
      #expect(try draws.draw(.doubles()).isFinite)
    }
    #expect(kinds == ["nan", "inf", "-inf"])
  }

  @Test("come from constants of the code on trial")
  func constants() throws {
    var draws = try Draws(seed: 7)
    var isSeen = false
    for _ in 0..<3_000 where !isSeen {
      draws.begin()
      isSeen = try draws.draw(.doubles(constants: [451.7])) == 451.7
    }
    #expect(isSeen)
  }
}

@Suite("Integers of 128 bits")
struct WideIntegerTests {
  @Test("are near zero, near the ends and anywhere")
  func variety() throws {
    var draws = try Draws(seed: 8)
    var numbers: [Int128] = []
    for _ in 0..<2_000 {
      draws.begin()
      numbers.append(try draws.draw(.integers(constants: [1 << 90 + 7])))
    }
    let expected: [Int128] = [0, -1, 1, .max, .min, 1 << 90 + 7]
    for number in expected { #expect(numbers.contains(number), "\(number)") }
    #expect(numbers.count { $0.magnitude >> 64 == 0 } > 400)
    #expect(numbers.count { $0.magnitude >> 100 != 0 } > 100)
  }

  @Test("shrink towards what they are told to")
  func target() throws {
    var draws = try Draws(seed: 9)
    draws.begin(reading: Tape())
    #expect(try draws.draw(.integers(in: -100...(1 << 100), towards: Int128(1) << 99)) == 1 << 99)
    draws.begin(reading: Tape())
    #expect(try draws.draw(.integers(in: Int128.min...(-12))) == -12)
  }
}
