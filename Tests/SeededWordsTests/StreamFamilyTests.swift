// SPDX-License-Identifier: Apache-2.0
import SeededWords
import Testing

@Suite("The seeds of a run")
struct StreamFamilyTests {
  @Test("over 2^20 blocks of four experiments no two seeds are equal, and none is 0")
  func distinct() throws {
    let family = try StreamFamily(rootSeed: 1, experiments: ["deal", "play", "split", "insure"])
    var seen = [UInt64](repeating: 0, count: 1 << 26)
    seen[0] = 1
    var repeats = 0
    for ordinal in 0..<4 {
      for block in 0..<(1 << 18) {
        let seed = try family.seed(ordinal: ordinal, block: block)
        let bit = UInt64(1) << UInt64(seed & 63)
        if seen[Int(seed >> 6)] & bit != 0 { repeats += 1 }
        seen[Int(seed >> 6)] |= bit
      }
    }
    #expect(repeats == 0)
  }

  @Test("different root seeds give different seeds")
  func rootSeeds() throws {
    let seeds = try (0..<64).map { try StreamFamily(rootSeed: 1 << $0, experiments: ["a"]).seed(ordinal: 0, block: 0) }
    #expect(Set(seeds).count == 64)
  }

  @Test("neighbouring blocks' seeds differ in half their bits")
  func avalanche() throws {
    let family = try StreamFamily(rootSeed: 77, experiments: ["a"])
    let flips = try (0..<10_000).reduce(0) { sum, block in
      try sum + (family.seed(ordinal: 0, block: block) ^ family.seed(ordinal: 0, block: block + 1)).nonzeroBitCount
    }
    // 320 000 bits flip with a standard deviation of 283; five of them either way.
    #expect(abs(flips - 160_000) < 1415)
  }

  @Test("known seeds never change")
  func golden() throws {
    let family = try StreamFamily(rootSeed: 20_250_601, experiments: ["hard 16", "soft 18", "pair 8"])
    let seeds = try (0..<3).map { ordinal in try (0..<3).map { try family.seed(ordinal: ordinal, block: $0) } }
    #expect(seeds == goldenSeeds)
  }

  @Test("a name and its ordinal give the same seed")
  func names() throws {
    let family = try StreamFamily(rootSeed: 5, experiments: ["a", "b", "c"])
    #expect(try family.seed(experiment: "c", block: 9) == family.seed(ordinal: 2, block: 9))
  }

  @Test(
    "the more experiments, the fewer blocks each",
    arguments: [(1, 4_294_967_295), (2, 2_147_483_647), (3, 1_073_741_823), (330, 8_388_607), (65536, 65535)])
  func capacity(experiments: Int, blocks: Int) throws {
    let family = try StreamFamily(rootSeed: 1, experiments: (0..<experiments).map { "\($0)" })
    #expect(family.blocksPerExperiment == blocks)
    _ = try family.seed(ordinal: experiments - 1, block: blocks - 1)
    #expect(throws: RandomnessError.blockOutOfRange(block: blocks, blocksPerExperiment: blocks)) {
      try family.seed(ordinal: 0, block: blocks)
    }
  }

  @Test("experiments without a name of their own, unknown ones and negative blocks are refused")
  func refusals() throws {
    #expect(throws: RandomnessError.noExperiments) { try StreamFamily(rootSeed: 1, experiments: []) }
    #expect(throws: RandomnessError.duplicateExperiment(name: "a")) {
      try StreamFamily(rootSeed: 1, experiments: ["a", "b", "a"])
    }
    let family = try StreamFamily(rootSeed: 1, experiments: ["a"])
    #expect(throws: RandomnessError.unknownExperiment(name: "z", known: ["a"])) {
      try family.seed(experiment: "z", block: 0)
    }
    #expect(throws: RandomnessError.experimentOutOfRange(ordinal: 1, count: 1)) {
      try family.seed(ordinal: 1, block: 0)
    }
    #expect(throws: RandomnessError.blockOutOfRange(block: -1, blocksPerExperiment: 4_294_967_295)) {
      try family.seed(ordinal: 0, block: -1)
    }
  }
}

/// Three experiments of root seed 20250601, three blocks each.
private let goldenSeeds: [[UInt32]] = [
  [1_886_282_784, 3_354_677_148, 1_286_381_511], [2_569_934_661, 3_590_042_692, 3_806_962_126],
  [2_944_937_349, 2_358_132_542, 2_742_968_003],
]
