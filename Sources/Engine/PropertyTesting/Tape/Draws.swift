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
  private(set) var recorded: [TapeEntry] = []
  private var reader: TapeReader?
  private var gap = Gap.random
  private var depth = 0
  /// Whether what is recorded differs from what was drawn.
  private var isAmended = false

  /// Creates a source of random decisions.
  ///
  /// - Parameters:
  ///   - generator: One of `GSLGenerator.names`.
  ///   - seed: Any 32 bits; 0 means the generator's default seed.
  /// - Throws: What `WordStream.init(named:seed:)` throws.
  public init(generator: String = GSLGenerator.defaultName, seed: UInt32) throws(RandomnessError) {
    words = try WordStream(named: generator, seed: seed)
    recorded.reserveCapacity(256)
  }

  /// Starts the stream of random decisions anew.
  public mutating func reseed(_ seed: UInt32) throws(RandomnessError) {
    try words.reseed(seed)
  }

  /// Forgets the last case and begins a random one.
  mutating func begin() {
    recorded.removeAll(keepingCapacity: true)
    reader = nil
    gap = .random
    depth = 0
    isAmended = false
    mood.change(&words)
  }

  /// Forgets the last case and begins one that reads its decisions from a tape.
  mutating func begin(reading tape: Tape, gap: Gap = .simplest) {
    recorded.removeAll(keepingCapacity: true)
    reader = TapeReader(tape)
    self.gap = gap
    depth = 0
    isAmended = false
    mood = Mood()
  }

  /// What has been decided since the case began.
  var tape: Tape { Tape(recorded) }

  /// Whether decisions are read from a tape.
  @inline(__always)
  var isReplaying: Bool { reader != nil }

  /// Whether the tape read was asked for choice by choice, with its bounds, and to its end.
  var isFaithfulReplay: Bool { !isAmended && reader?.isFaithful ?? false }

  // MARK: Spans

  /// Begins a span: what is drawn until `close` belongs together.
  mutating func open(_ label: UInt64) throws {
    depth += 1
    reader?.open(label)
    try record(.open(label))
  }

  /// Ends the span begun last.
  mutating func close() throws {
    depth -= 1
    reader?.close()
    try record(.close)
  }

  /// How far the recording has come, for `retract(to:)`.
  struct Checkpoint: Sendable {
    fileprivate let count: Int
    fileprivate let depth: Int
  }

  var checkpoint: Checkpoint { Checkpoint(count: recorded.count, depth: depth) }

  /// Takes back what was drawn since, because the generator does not want it.
  ///
  /// - Throws: `Discard` when the decisions come from a tape: what the generator refuses there is no case of its.
  mutating func retract(to checkpoint: Checkpoint) throws {
    if isReplaying { throw Discard.filtered }
    recorded.removeSubrange(checkpoint.count...)
    depth = checkpoint.depth
  }

  /// Takes back what was drawn since, from a tape as well, because a collection goes on without this element.
  ///
  /// The collection must then correct its length by `amend`, so that what is recorded is what it could have drawn.
  mutating func drop(to checkpoint: Checkpoint) {
    while depth > checkpoint.depth {
      depth -= 1
      reader?.close()
    }
    recorded.removeSubrange(checkpoint.count...)
  }

  /// Gives another value to the choice that was recorded first after a checkpoint.
  mutating func amend(after checkpoint: Checkpoint, to value: UInt64) {
    guard recorded.indices.contains(checkpoint.count) else { return }
    if recorded[checkpoint.count].value != value { isAmended = true }
    recorded[checkpoint.count].value = value
  }

  // MARK: Choices

  /// Decides on a number between two bounds and records it.
  ///
  /// - Parameters:
  ///   - domain: The bounds, the simplest value and the kind; its value is not looked at.
  ///   - random: Makes the decision when there is no tape to read it from.
  @inline(__always)
  mutating func choose(_ domain: TapeEntry, random: (inout Draws) -> UInt64) throws -> UInt64 {
    var entry = domain
    if reader == nil {
      entry.value = random(&self)
    } else if let value = reader?.next(domain) {
      entry.value = value
    } else {
      entry.value = gap == .simplest ? domain.target : random(&self)
    }
    try record(entry)
    return entry.value
  }

  @inline(__always)
  private mutating func record(_ entry: TapeEntry) throws {
    if recorded.count >= Self.capacity { throw Discard.tooLarge }
    recorded.append(entry)
  }
}
