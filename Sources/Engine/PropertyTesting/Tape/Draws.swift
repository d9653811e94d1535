// SPDX-License-Identifier: GPL-3.0-or-later
public import Randomness

/// Where a generator gets its decisions from, and the tape on which they are recorded.
///
/// The decisions are random at first; when a case is replayed or shrunk they are read from a tape, aligned by span, and
/// what the tape lacks is the simplest value.
public struct Draws: ~Copyable {
  /// What to decide where the tape read from has nothing to say.
  enum Gap: Sendable { case simplest, random }

  /// The longest tape: what needs more is given up as too large.
  static let capacity = 65_536

  var words: WordStream
  var mood = Mood()
  /// Where the next choice belongs.
  var nesting = Nesting()
  private(set) var recorded = TapeLog(capacity: Draws.capacity)
  /// Whether decisions are read from a tape.
  private(set) var isReplaying = false
  private var reader: TapeReader?
  private var gap = Gap.random
  /// Whether what is recorded differs from what was read.
  private var isAmended = false
  /// How often the recursive generator at work may still grow.
  var growthLeft = 0

  /// Creates a source of random decisions.
  ///
  /// - Parameters:
  ///   - generator: One of `GSLGenerator.names`.
  ///   - seed: Any 32 bits; 0 means the generator's default seed.
  /// - Throws: What `WordStream.init(named:seed:)` throws.
  public init(generator: String = GSLGenerator.defaultName, seed: UInt32) throws(RandomnessError) {
    words = try WordStream(named: generator, seed: seed)
  }

  /// Starts the stream of random decisions anew.
  public mutating func reseed(_ seed: UInt32) throws(RandomnessError) {
    try words.reseed(seed)
  }

  /// Forgets the last case and begins a random one.
  mutating func begin() {
    recorded.truncate(to: 0)
    nesting = Nesting()
    if isReplaying {
      isReplaying = false
      reader = nil
      gap = .random
      isAmended = false
    }
    mood.change(&words)
  }

  /// Forgets the last case and begins one that reads its decisions from a tape.
  mutating func begin(reading tape: Tape, gap: Gap = .simplest) {
    recorded.truncate(to: 0)
    nesting = Nesting()
    isReplaying = true
    reader = TapeReader(tape)
    self.gap = gap
    isAmended = false
    mood = Mood()
  }

  /// What has been decided since the case began.
  var tape: Tape { Tape(recorded.entries) }

  /// Whether the tape read was asked for choice by choice, with its bounds, and to its end.
  var isFaithfulReplay: Bool { !isAmended && reader?.isFaithful ?? false }

  // MARK: Spans

  /// Begins a span: what is drawn until `close` belongs together.
  @usableFromInline
  mutating func open(_ label: UInt64) throws {
    if isReplaying { reader?.open(label) }
    nesting.open()
    try record(.open(label))
  }

  /// Ends the span begun last.
  @usableFromInline
  mutating func close() throws {
    if isReplaying { reader?.close() }
    nesting.close()
    try record(.close)
  }

  /// How far the recording has come, for `retract(to:)`.
  @usableFromInline
  struct Checkpoint: Sendable {
    fileprivate let count: Int
    fileprivate let nesting: Nesting
  }

  @usableFromInline
  var checkpoint: Checkpoint { Checkpoint(count: recorded.count, nesting: nesting) }

  /// Takes back what was drawn since, because the generator does not want it.
  ///
  /// - Throws: `Discard` when the decisions come from a tape: what the generator refuses there is no case of its.
  @usableFromInline
  mutating func retract(to checkpoint: Checkpoint) throws {
    if isReplaying { throw Discard.filtered }
    recorded.truncate(to: checkpoint.count)
    nesting = checkpoint.nesting
  }

  /// Takes back what was drawn since, from a tape as well, because a collection goes on without this element.
  ///
  /// The collection must then correct its length by `amend`, so that what is recorded is what it could have drawn.
  mutating func drop(to checkpoint: Checkpoint) {
    if isReplaying {
      var unclosed = 0
      for index in checkpoint.count..<recorded.count {
        if recorded[index].tag == .open { unclosed += 1 }
        if recorded[index].tag == .close { unclosed -= 1 }
      }
      for _ in 0..<max(0, unclosed) { reader?.close() }
    }
    recorded.truncate(to: checkpoint.count)
    nesting = checkpoint.nesting
  }

  // MARK: Choices

  /// Decides on a number between two bounds and records it.
  ///
  /// - Parameters:
  ///   - domain: The bounds, the simplest value and the kind; its value is not looked at.
  ///   - random: Makes the decision when there is no tape to read it from.
  /// - Returns: What was decided.
  /// - Throws: `Discard.tooLarge` when the tape is full.
  @inline(__always)
  mutating func choose(_ domain: TapeEntry, random: (inout Draws) -> UInt64) throws -> UInt64 {
    var entry = domain
    if !isReplaying {
      entry.value = random(&self)
    } else if let value = read(domain) {
      entry.value = value
    } else {
      entry.value = random(&self)
    }
    try record(entry)
    return entry.value
  }

  /// What the tape says, or what stands for its silence; nil when that is a random decision.
  @inline(never)
  private mutating func read(_ domain: TapeEntry) -> UInt64? {
    reader?.next(domain) ?? (gap == .simplest ? domain.target : nil)
  }

  /// Where the next choice or mark will be recorded.
  var position: Int { recorded.count }

  /// Corrects a recorded choice, so that the tape says what the generator made of it.
  mutating func amend(_ position: Int, to value: UInt64) {
    if isReplaying, recorded[position].value != value { isAmended = true }
    recorded[position].value = value
  }

  @inline(__always)
  private mutating func record(_ entry: TapeEntry) throws {
    if !recorded.append(entry) { throw Discard.tooLarge }
  }
}
