// SPDX-License-Identifier: Apache-2.0
@testable import PropertyTesting
import Testing

@Suite("Random decisions")
struct RandomDecisionTests {
  private func pairs(_ count: Int, _ generator: Gen<Int>) throws -> [(Int, Int)] {
    var draws = ChoiceSource(seed: 1)
    return try (0..<count).map { _ in
      draws.begin()
      return (try draws.draw(generator), try draws.draw(generator))
    }
  }

  @Test("give equal or neighbouring numbers of a thousand far more often than by chance")
  func echoes() throws {
    let pairs = try pairs(10_000, .integers(in: 1...1000))
    #expect(pairs.count { $0 == $1 } > 1000)
    #expect(pairs.count { abs($0 - $1) == 1 } > 100)
  }

  @Test("give both bounds, zero and its neighbours, and numbers of every size")
  func edges() throws {
    let numbers = try pairs(10_000, .integers(in: -1_000_000...2_000_000)).flatMap { [$0, $1] }
    for edge in [-1_000_000, -999_999, -1, 0, 1, 1_999_999, 2_000_000] {
      #expect(numbers.count { $0 == edge } > 20, "\(edge)")
    }
    #expect(numbers.count { abs($0) > 100_000 } > 2000)
    #expect(numbers.count { (2...100).contains(abs($0)) } > 2000)
  }

  @Test("stay within ranges on either side of zero", arguments: [-9 ... -5, 5...9, -2...3, 0...0, -1...100])
  func bounds(range: ClosedRange<Int>) throws {
    let numbers = try pairs(2000, .integers(in: range)).flatMap { [$0, $1] }
    #expect(numbers.allSatisfy(range.contains))
    #expect(Set(numbers).count >= min(range.count, 100))
  }

  @Test("make collections of every length, all equally often")
  func lengths() throws {
    let lengths = try drawnLengths(10_000, 2...20)
    for length in 2...20 {
      let count = lengths.count { $0 == length }
      #expect((420...640).contains(count), "\(length): \(count)")
    }
    #expect(Set(lengths) == Set(2...20))
  }

  @Test("make collections of a wide range large and, more often than by chance, small")
  func wideLengths() throws {
    let lengths = try drawnLengths(10_000, 0...1000)
    #expect(lengths.allSatisfy { (0...1000).contains($0) })
    #expect(lengths.count { $0 <= 8 } > 2500)
    #expect(lengths.count { $0 <= 32 } > 4800)
    #expect(lengths.count { $0 > 500 } > 2000)
  }

  @Test("draw a key that a list of distinct keys contains, in a large share of the cases")
  func members() throws {
    let keys = Gen<Int>.integers(in: -1_000_000...1_000_000)
    let cases = try zip(Gen.arrays(of: keys, count: 20), keys).samples(4000)
    let varied = cases.filter { Set($0.0).count > 14 }
    #expect(varied.count > 1200)
    #expect(varied.count { $0.0.contains($0.1) } > varied.count / 3)
    #expect(varied.count { !$0.0.contains($0.1) } > varied.count / 6)
  }

  @Test("choose among a hundred thousand constants, the last ones included")
  func manyConstants() throws {
    let constants = (0..<100_000).map { 1_000_000_000 + $0 }
    let generator = Gen<Int>.integers(in: 0...2_000_000_000, constants: constants)
    let chosen = try generator.samples(20_000).map { $0 - 1_000_000_000 }
    #expect(chosen.count { (0..<50_000).contains($0) } > 200)
    #expect(chosen.count { (50_000..<100_000).contains($0) } > 200)
  }

  private func drawnLengths(_ cases: Int, _ range: ClosedRange<Int>) throws -> [Int] {
    try Gen.arrays(of: Gen<Int>.integers(in: 0...9), count: range).samples(cases).map(\.count)
  }
}

@Suite("Nesting")
struct NestingTests {
  @Test("is restored after a draw that a filter refused")
  func rewound() throws {
    var draws = ChoiceSource(seed: 1)
    let lists = Gen.arrays(of: Gen<Int>.integers(in: 0...9), count: 0...5).filter { $0.count > 3 }
    for _ in 0..<100 {
      draws.begin()
      _ = try draws.draw(lists)
      let isInCollection = draws.nesting.isInCollection
      #expect(!isInCollection)
    }
  }
}
