// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import BlackjackCore
internal import BlackjackLab
internal import CGSL
internal import Foundation
internal import GSLDistributions
internal import PropertyTesting
internal import Randomness

/// Writes random words as experiments draw them, for test batteries that read standard input: see `scripts/randomness`.
@main
struct RandomStreams: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "random-streams",
    abstract: "Writes 32-bit words endlessly, in the machine's byte order, until its reader closes the pipe.",
    discussion: StreamKind.allCases.map { "\($0.rawValue): \($0.meaning)" }.joined(separator: "\n"))

  @Argument(help: "Which stream.")
  var kind: StreamKind

  @Option(help: "The root seed.")
  var seed: UInt64 = 1

  @Option(help: "GSL's name of the generator.")
  var generator = GSLGenerator.defaultName

  @Option(help: "The words that a block draws; small numbers test the beginnings of blocks.")
  var words = 1024

  @Option(help: "The rules of the game whose shoe `cards` draws from, such as 6d, 8d or inf.")
  var rules = "6d"

  func run() throws {
    guard words > 0 else { throw ValidationError("--words: found \(words), expected a number from 1.") }
    switch kind {
    case .bare: try writeBare()
    case .cards: try writeCards()
    case .choices: try writeChoices()
    default: try write(lanes: kind.lanes(seed: seed))
    }
  }

  private func writeBare() throws {
    var stream = try WordStream(named: generator, seed: UInt32(truncatingIfNeeded: seed))
    while true { try Output.write((0..<words).map { _ in stream.next() }) }
  }

  /// Writes block after block of each lane, with the words of the lanes in turns.
  private func write(lanes: [Lane]) throws {
    let families = try lanes.map { try StreamFamily(rootSeed: $0.seed, experiments: Lane.experiments) }
    var stream = try WordStream(named: generator, seed: 1)
    for step in 0... {
      var mixed = [UInt32](repeating: 0, count: words * lanes.count)
      for (index, lane) in lanes.enumerated() {
        try stream.reseed(families[index].seed(ordinal: lane.experiment, block: step * kind.stride + lane.block))
        for word in 0..<words { mixed[word * lanes.count + index] = stream.next() }
      }
      try Output.write(mixed)
    }
  }

  /// Writes cards as blocks of a game draw them, several from a word, converted to bits: a number of cards are the
  /// digits of a number whose last 48 bits are uniform, because numbers beyond the last multiple of 2^48 are rejected.
  private func writeCards() throws {
    let streams = try StreamFamily(rootSeed: seed, experiments: Lane.experiments)
    var feed = try CardFeed(rules: Rules(name: rules), generator: generator, seed: 1)
    let base = UInt64(feed.shoeSize)
    var (digits, power) = (1, base)
    while power <= (1 << 62) / base { (digits, power) = (digits + 1, power * base) }
    let limit = (power >> 48) << 48
    for block in 0... {
      try feed.reseed(streams.seed(ordinal: 0, block: block))
      var halves: [UInt16] = []
      var (number, count, drawn) = (UInt64(0), 0, 0)
      while drawn < words {
        for card in unsafe Array(feed.nextBatch()) {
          (number, count) = (number * base + UInt64(card), count + 1)
          guard count == digits else { continue }
          if number < limit { for shift in [0, 16, 32] { halves.append(UInt16(truncatingIfNeeded: number >> shift)) } }
          (number, count) = (0, 0)
        }
        drawn += CardFeed.wordsPerRefill
      }
      try Output.write(halves)
    }
  }

  /// Writes words as a property draws them: case after case of a check, recorded in the choice sequence.
  private func writeChoices() throws {
    guard generator == MersenneTwister.name else {
      throw ValidationError("--generator: found \(generator), but properties draw with \(MersenneTwister.name) only.")
    }
    let recorded = Gen<[UInt32]> { draws in
      try unsafe draws.withGSLGenerator { rng in
        (0..<256).map { _ in unsafe UInt32(truncatingIfNeeded: gsl_rng_get(rng)) }
      }
    }
    let settings = CheckSettings(cases: CheckSettings.maxCases, seed: seed)
    _ = try search(recorded, settings: settings) { words in try Output.write(words) }
  }
}

/// The source of a lane's words: an experiment's blocks under a root seed, from a block on.
struct Lane {
  var seed: UInt64
  var experiment = 0
  var block = 0

  static let experiments = (0..<8).map { "experiment \($0)" }
}

enum StreamKind: String, CaseIterable, ExpressibleByArgument {
  case bare, blocks, workers, seeds, experiments, diagonal, cards, choices, collision

  var meaning: String {
    switch self {
    case .bare: "the generator alone, from one seed"
    case .blocks: "block after block"
    case .workers: "eight neighbouring blocks at once, word by word"
    case .seeds: "the same block of eight neighbouring root seeds, word by word"
    case .experiments: "the same block of eight experiments, word by word"
    case .diagonal: "block k of the seed and block k + 1 of the seed before, word by word"
    case .cards: "cards, several to a word, block after block"
    case .choices: "the words of a property's choices, case after case"
    case .collision: "two blocks of one seed, word by word: a fault that a test must find"
    }
  }

  /// The number of blocks of an experiment that its lanes take at a time.
  var stride: Int { self == .workers ? 8 : 1 }

  func lanes(seed: UInt64) -> [Lane] {
    switch self {
    case .workers: (0..<8).map { Lane(seed: seed, block: $0) }
    case .seeds: (0..<8).map { Lane(seed: seed &+ $0) }
    case .experiments: (0..<8).map { Lane(seed: seed, experiment: $0) }
    case .diagonal: [Lane(seed: seed), Lane(seed: seed &- 1, block: 1)]
    case .collision: [Lane(seed: seed), Lane(seed: seed)]
    case .bare, .blocks, .cards, .choices: [Lane(seed: seed)]
    }
  }
}

enum Output {
  /// Writes words to standard output; a reader that closes the pipe ends the process.
  static func write<Word: FixedWidthInteger>(_ words: [Word]) throws {
    let data = unsafe words.withUnsafeBytes { unsafe Data($0) }
    try FileHandle.standardOutput.write(contentsOf: data)
  }
}
