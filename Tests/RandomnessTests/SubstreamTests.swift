// SPDX-License-Identifier: GPL-3.0-or-later
import Randomness
import TestSupport
import Testing

@Suite("A substream belongs to a sample, a name and an index")
struct SubstreamTests {
  /// A stream that stands at a sample of a run.
  private func sample(_ number: Int, rootSeed: UInt64 = 1, generator: String = "mt19937") throws -> RandomStream {
    var stream = try RandomStream(named: generator, seed: 9)
    stream.begin(sample: number, rootSeed: rootSeed)
    return stream
  }

  private func words(_ stream: consuming RandomStream, _ count: Int = 8) -> [UInt32] {
    (0..<count).map { _ in stream.word() }
  }

  @Test("it is the same whatever was drawn before, and where the sample's own stream was seeded")
  func ofTheSample() throws {
    var one = try sample(17)
    let first = words(one.substream("machine", 3))
    for _ in 0..<100 { _ = one.gaussian() }
    #expect(words(one.substream("machine", 3)) == first)
    var other = try RandomStream(seed: 4711)
    other.begin(sample: 17, rootSeed: 1)
    #expect(words(other.substream("machine", 3)) == first)
  }

  @Test("it does not move the stream that it is made from")
  func apart() throws {
    var one = try sample(17)
    var other = try sample(17)
    _ = one.substream("machine", 3).problem
    #expect((0..<50).map { _ in one.word() } == (0..<50).map { _ in other.word() })
  }

  @Test("another name, index, sample, root seed or parent gives another stream")
  func distinct() throws {
    let one = try sample(17)
    var all = [words(one.substream("machine")), words(one.substream("machine").substream("machine"))]
    for name in ["", "a", "b", "ab", "ba", "machine ", "machine\u{0}"] { all.append(words(one.substream(name))) }
    for index in [-1, 1, 2, Int.min, Int.max] { all.append(words(one.substream("machine", index))) }
    for number in [16, 18, 1 << 32 + 17] { all.append(words(try sample(number).substream("machine"))) }
    all.append(words(try sample(17, rootSeed: 2).substream("machine")))
    all.append(words(try sample(17)))
    #expect(Set(all).count == all.count)
  }

  @Test("of one name, no two of a hundred thousand samples have the same seed")
  func seeds() throws {
    // Two words of taus2 are another pair for another seed.
    var words: Set<[UInt32]> = []
    var stream = try RandomStream(named: "taus2", seed: 9)
    for number in 0..<100_000 {
      stream.begin(sample: number, rootSeed: 1)
      var machine = stream.substream("machine", 3)
      words.insert([machine.word(), machine.word()])
    }
    #expect(words.count == 100_000)
  }

  @Test(
    "streams of one sample, and the same one of neighbouring samples, are uniform together and not correlated",
    arguments: ["mt19937", "taus2", "ranlux"])
  func independent(generator: String) throws {
    var stream = try RandomStream(named: generator, seed: 9)
    var pairs = [[Double]](repeating: [], count: 4)
    for number in 0..<20_000 {
      stream.begin(sample: number, rootSeed: 1)
      var first = stream.substream("machine", 0)
      var second = stream.substream("machine", 1)
      var third = stream.substream("repair", 0)
      var below = first.substream("machine")
      for (position, one) in [first.uniform(), second.uniform(), third.uniform(), below.uniform()].enumerated() {
        pairs[position].append(one)
      }
    }
    for one in pairs { #expect(KolmogorovSmirnovTest(sample: one) { $0 }.pValue > level) }
    func cells(_ one: ArraySlice<Double>, _ other: ArraySlice<Double>) -> Double {
      let numbers = zip(one, other).map { Int($0 * 8) * 8 + Int($1 * 8) }
      return ChiSquareTest(
        observed: histogram(of: numbers, cells: 64), probabilities: Array(repeating: 1 / 64.0, count: 64)
      ).pValue
    }
    for first in 0..<4 {
      for second in 0..<first { #expect(cells(pairs[first][...], pairs[second][...]) > level, "\(first), \(second)") }
      #expect(cells(pairs[first].dropFirst(), pairs[first].dropLast()) > level, "a sample and the next")
      #expect(cells(pairs[first].dropFirst(), pairs[(first + 1) % 4].dropLast()) > level, "another name of the next")
    }
  }

  @Test("the test of independence can fail: the same stream under two names, or one that is a step ahead")
  func dependent() throws {
    var stream = try RandomStream(seed: 9)
    let numbers = (0..<20_000).map { number in
      stream.begin(sample: number / 2, rootSeed: 1)
      var one = stream.substream("machine")
      return Int(one.uniform() * 8)
    }
    let cells = stride(from: 0, to: 20_000, by: 2).map { numbers[$0] * 8 + numbers[$0 + 1] }
    #expect(
      ChiSquareTest(
        observed: histogram(of: cells, cells: 64), probabilities: Array(repeating: 1 / 64.0, count: 64)
      ).pValue < level)
  }

  @Test("an array of substreams is drawn from in place, each as the substream of its index")
  func array() throws {
    let one = try sample(17)
    var machines = one.substreams("machine", count: 3)
    #expect(machines.count == 3 && one.substreams("machine", count: -1).count == 0)
    for index in 0..<3 {
      var alone = one.substream("machine", index)
      for _ in 0..<5 { #expect(machines[index].exponential(mean: 2) == alone.exponential(mean: 2)) }
    }
  }

  /// Generators that give the same numbers for most seeds, and so for most blocks, too.
  private static let poor: Set = ["slatec", "uni", "uni32"]

  @Test(
    "every generator of GSL that tells seeds apart has substreams",
    arguments: GSLGenerator.names.filter { !poor.contains($0) })
  func generators(_ name: String) throws {
    let one = try sample(3, generator: name)
    #expect(Set((0..<50).map { words(one.substream("machine", $0), 4) }).count == 50)
  }

  @Test("an impossible parameter of a substream is the problem of the sample")
  func problem() throws {
    let one = try sample(17)
    var machine = one.substream("machine", 3).substream("repair")
    _ = machine.weibull(shape: -1, scale: 2)
    #expect(one.problem?.description == "weibull: shape is -1.0, expected a number above 0.")
  }

  @Test("known draws never change")
  func golden() throws {
    let found = words(try sample(17).substream("machine", 3), 3)
    #expect(found == goldenWords)
  }
}

private let goldenWords: [UInt32] = [907_454_365, 2_605_691_557, 2_817_768_678]
