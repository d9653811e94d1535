// SPDX-License-Identifier: GPL-3.0-or-later
package import Randomness

/// Where a generator gets its decisions from, and the tape on which they are recorded.
///
/// The decisions are random at first; when a case is replayed or shrunk they are read from a tape, aligned by span, and
/// what the tape lacks is the simplest value.
public struct Draws: ~Copyable {
  /// The decision where the tape that is read has no entry.
  enum Gap: Sendable { case simplest, random }

  /// The longest tape: what needs more is given up as too large.
  static let capacity = 65_536

  var words: WordStream
  var profile = GenerationProfile()
  /// Where the next choice belongs.
  var nesting = Nesting()
  private(set) var recorded = TapeLog()
  /// Reads the tape of a case that is replayed or shrunk; nil where the decisions are random.
  private var reader: TapeReader?
  private var gap = Gap.random
  /// Whether what is recorded differs from what was read.
  private var isAmended = false
  /// How often the recursive generator at work may still grow.
  var growthLeft = 0
  /// Which of the given values come in this case; none at first.
  var givenTurn = Int.max
  /// The most values that any generator has been given, as far as cases have asked for them.
  private(set) var mostGiven = 0
  /// Where the body finds these draws while it runs.
  var context: CaseContext?
  /// Where the case is written down, and in which slot.
  var journal: (file: TapeJournal, slot: Int)?
  /// Whether the arguments were as on the tape that is read, once the body draws.
  private var wasFaithful: Bool?

  package init(generator: String = GSLGenerator.defaultName, seed: UInt32) throws(RandomnessError) {
    words = try WordStream(named: generator, seed: seed)
  }

  package mutating func reseed(_ seed: UInt32) throws(RandomnessError) {
    try words.reseed(seed)
  }

  mutating func begin() {
    recorded.truncate(to: 0)
    nesting = Nesting()
    wasFaithful = nil
    reader = nil
    profile.change(&words)
  }

  mutating func begin(reading tape: Tape, gap: Gap = .simplest) {
    recorded.truncate(to: 0)
    nesting = Nesting()
    wasFaithful = nil
    reader = TapeReader(tape)
    self.gap = gap
    isAmended = false
    profile = GenerationProfile()
  }

  var tape: Tape { Tape(recorded.entries) }

  @inline(__always)
  var isReplaying: Bool { if case .some = reader { true } else { false } }

  /// Whether the arguments on the tape read were asked for choice by choice, with their bounds, and to their end.
  var isFaithfulReplay: Bool { wasFaithful ?? (!isAmended && reader?.isFaithful ?? false) }

  // MARK: Spans

  /// Begins a span: what is drawn until `close` belongs together.
  @usableFromInline
  mutating func open(_ label: UInt64) throws {
    reader?.open(label)
    nesting.open()
    try record(.open(label))
  }

  @usableFromInline
  mutating func close() throws {
    reader?.close()
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
  @usableFromInline
  mutating func retract(to checkpoint: Checkpoint) throws {
    // What a body draws more than the tape has may be drawn again, as in the case that the tape was made for.
    let isFree = wasFaithful != nil && gap == .random && reader?.hasMore == false
    if isReplaying, !isFree { throw Discard.filtered }
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

  // MARK: In the body

  /// Whether the body has drawn something.
  var isInBody: Bool { wasFaithful != nil }

  /// Draws a value for the body: all of these stand in a span of their own behind the arguments.
  mutating func drawInBody<Value>(_ generator: Gen<Value>) throws -> Value {
    if !isInBody {
      wasFaithful = isFaithfulReplay
      try open(SpanKind.body.rawValue)
    }
    let value = try generator.make(&self)
    if let journal { journal.file.willEvaluate(self, in: journal.slot) }
    return value
  }

  /// Ends the span of what the body has drawn, and all that an error has left open in it.
  mutating func closeBody() {
    guard isInBody else { return }
    while nesting.isOpen, (try? close()) != nil {}
  }

  /// Keeps what the tape has for a body that runs elsewhere.
  mutating func adoptRest() {
    guard let rest = reader?.rest else { return }
    for entry in rest where (try? record(entry)) == nil { return }
  }

  // MARK: Choices

  /// Decides on a number between two bounds and records it.
  @inline(__always)
  mutating func choose(_ domain: TapeEntry, random: (inout Draws) -> UInt64) throws -> UInt64 {
    var entry = domain
    if isReplaying, let value = read(domain) {
      entry.value = value
    } else {
      entry.value = random(&self)
    }
    try record(entry)
    return entry.value
  }

  /// The entry of the tape there, or the simplest value; nil when a gap asks for a random decision.
  @inline(never)
  private mutating func read(_ domain: TapeEntry) -> UInt64? {
    reader?.next(domain) ?? (gap == .simplest ? domain.target : nil)
  }

  var position: Int { recorded.count }

  /// Corrects a recorded choice, so that the tape has what the generator made of it.
  mutating func amend(_ position: Int, to value: UInt64) {
    if isReplaying, recorded[position].value != value { isAmended = true }
    recorded[position].value = value
  }

  @inline(__always)
  private mutating func record(_ entry: TapeEntry) throws {
    if !recorded.append(entry) { throw Discard.tooLarge }
  }

  /// Decides on a number between two bounds, edges and repetitions more often than chance.
  mutating func integer(_ domain: TapeEntry, edges: [UInt64] = []) throws -> UInt64 {
    if domain.lower == domain.upper { return try choose(domain) { _ in domain.lower } }
    return try choose(domain) { draws in draws.randomInteger(domain, edges: edges) }
  }

  /// Decides on a number below a bound, all of them equally often.
  mutating func uniform(_ domain: TapeEntry) throws -> UInt64 {
    try choose(domain) { draws in domain.lower &+ draws.below(domain.upper &- domain.lower) }
  }

  /// Decides how many elements the collection has whose span was begun last: any number of the range from 0 on equally
  /// often, but for wide ranges, of which few elements are drawn more often because cases of hundreds take their time.
  @usableFromInline
  mutating func length(_ range: ClosedRange<Int>) throws -> Int {
    let (lower, upper) = (UInt64(max(0, range.lowerBound)), UInt64(max(0, range.upperBound)))
    let domain = TapeEntry(tag: .length, lower: lower, upper: upper, target: lower)
    nesting.enterCollection()
    return Int(
      try choose(domain) { draws in
        let room = draws.profile.most(upper &- lower)
        let count = draws.below(room)
        return lower &+ (draws.profile.isLong ? max(count, draws.below(room)) : count)
      })
  }

  /// Decides which of several generators draws: the first is the simplest.
  @usableFromInline
  mutating func branch(_ count: Int) throws -> Int {
    let domain = TapeEntry.index(below: count, .branch)
    if profile.isSwarming { return Int(try choose(domain) { draws in draws.featuredBranch(count) }) }
    return Int(try uniform(domain))
  }

  /// Decides which of some given values is taken, from 1 on; 0 for a drawn one.
  @usableFromInline
  mutating func given(of count: Int) throws -> Int {
    mostGiven = max(mostGiven, count)
    let domain = TapeEntry(tag: .given, upper: UInt64(count))
    return Int(try choose(domain) { draws in draws.givenTurn < count ? UInt64(draws.givenTurn + 1) : 0 })
  }

  mutating func word(towards target: UInt32 = 0) throws -> UInt32 {
    let domain = TapeEntry(tag: .word, upper: UInt64(UInt32.max), target: UInt64(target))
    return UInt32(truncatingIfNeeded: try choose(domain) { draws in UInt64(draws.words.next()) })
  }

  // MARK: Random decisions

  /// Of 256 choices, how many repeat an earlier one, or come next to it, where the next choice belongs.
  var echoes: UInt32 {
    if nesting.isInCollection { return profile.echoesWithin }
    return nesting.hasCollection ? profile.echoesAfter : profile.echoesOutside
  }

  mutating func randomInteger(_ domain: TapeEntry, edges: [UInt64]) -> UInt64 {
    let dice = words.next()
    let chance = dice & 255
    if chance < profile.edges { return edge(of: domain, dice >> 8, edges) }
    if profile.isOrdered, nesting.isInCollection, let next = next(in: domain, dice >> 8) { return next }
    if chance < profile.edges + echoes, let echo = echo(of: domain, dice >> 8) { return echo }
    let width = domain.upper &- domain.lower
    if width > profile.window { return near(domain, dice >> 8) }
    if width < 4096 { return domain.lower &+ UInt64(words.below(UInt32(truncatingIfNeeded: width) + 1)) }
    return dice & 0x300 == 0 ? domain.lower &+ below(width) : magnitude(domain, dice >> 10)
  }

  /// An extreme or a simple value, or one of the constants given to the generator.
  private func edge(of domain: TapeEntry, _ dice: UInt32, _ edges: [UInt64]) -> UInt64 {
    let pick = Int((UInt64(dice & 0xff_ffff) &* (UInt64(edges.count) + 7)) >> 24)
    switch pick {
    case 0: return domain.lower
    case 1: return domain.upper
    case 2: return domain.target
    case 3: return domain.clamped(domain.target &+ 1)
    case 4: return domain.target > domain.lower ? domain.target &- 1 : domain.lower
    case 5: return domain.lower &+ 1
    case 6: return domain.upper &- 1
    default: return domain.clamped(edges[pick - 7])
    }
  }

  /// A value close to the simplest one.
  private mutating func near(_ domain: TapeEntry, _ dice: UInt32) -> UInt64 {
    let distance = UInt64(((dice & 0xffff) * UInt32(truncatingIfNeeded: profile.window + 1)) >> 16)
    let upward = dice >> 16 & 1 == 0
    let isAbove = upward ? distance <= domain.upper &- domain.target : distance > domain.target &- domain.lower
    return domain.clamped(isAbove ? domain.target &+ distance : domain.target &- distance)
  }

  /// An earlier choice of the same domain, or its neighbour; nil when there is none near the place searched.
  func echo(of domain: TapeEntry, _ dice: UInt32) -> UInt64? {
    guard !recorded.isEmpty else { return nil }
    // What comes last before a key to look up is another such key, more often than not.
    let isRecent = dice >> 16 & 15 < (nesting.hasCollection && !nesting.isInCollection ? 1 : 4)
    let start = isRecent ? recorded.count - 1 : Int((UInt64(dice & 0xffff) * UInt64(recorded.count)) >> 16)
    guard let index = nearest(to: start, of: domain) else { return nil }
    let earlier = recorded[index].value
    switch dice >> 20 {
    case 0...2 where earlier < domain.upper: return earlier &+ 1
    case 3...5 where earlier > domain.lower: return earlier &- 1
    default: return earlier
    }
  }

  /// A value a little beyond the last of the same domain; nil for one element in eight, and where there is none.
  private func next(in domain: TapeEntry, _ dice: UInt32) -> UInt64? {
    guard dice & 7 != 0, !recorded.isEmpty, let index = nearest(to: recorded.count - 1, of: domain) else { return nil }
    let earlier = recorded[index].value
    let step = UInt64(dice >> 8 & 3) + 1
    if profile.descends { return earlier &- domain.lower >= step ? earlier &- step : nil }
    return domain.upper &- earlier >= step ? earlier &+ step : nil
  }

  /// The place of a choice of a domain, searched backwards and then forwards, not far.
  private func nearest(to start: Int, of domain: TapeEntry) -> Int? {
    let reach = 24
    var index = start
    while index >= 0, index > start - reach {
      if recorded[index].hasDomain(of: domain) { return index }
      index -= 1
    }
    index = start + 1
    while index < recorded.count, index < start + reach {
      if recorded[index].hasDomain(of: domain) { return index }
      index += 1
    }
    return nil
  }

  /// A value whose distance from the target has a random number of bits, so that small and huge ones both occur.
  private mutating func magnitude(_ domain: TapeEntry, _ dice: UInt32) -> UInt64 {
    let room = max(domain.upper &- domain.target, domain.target &- domain.lower)
    let bits = UInt32(UInt64.bitWidth - room.leadingZeroBitCount)
    let length = words.below(bits) + 1
    let distance = wide() >> UInt64(64 - length)
    let upward = dice & 1 == 0
    if upward, distance <= domain.upper &- domain.target { return domain.target &+ distance }
    if distance <= domain.target &- domain.lower { return domain.target &- distance }
    if distance <= domain.upper &- domain.target { return domain.target &+ distance }
    return domain.lower &+ below(domain.upper &- domain.lower)
  }

  mutating func wide() -> UInt64 { UInt64(words.next()) << 32 | UInt64(words.next()) }

  /// A number from 0 to a bound, that one included, exactly uniform.
  mutating func below(_ bound: UInt64) -> UInt64 {
    if bound < UInt64(UInt32.max) { return UInt64(words.below(UInt32(truncatingIfNeeded: bound) + 1)) }
    if bound == .max { return wide() }
    let count = bound + 1
    var product = wide().multipliedFullWidth(by: count)
    if product.low < count {
      let threshold = (0 &- count) % count
      while product.low < threshold { product = wide().multipliedFullWidth(by: count) }
    }
    return product.high
  }
}

/// How deep in spans a draw is, and whether one of them is a collection.
struct Nesting: Sendable {
  private var depth = 0
  /// The depth in the outermost collection; the largest number outside of all.
  private var collection = Int.max

  var isInCollection: Bool { collection != .max }
  /// Whether a collection has begun, ended or not.
  private(set) var hasCollection = false
  var isOpen: Bool { depth > 0 }

  @inline(__always)
  mutating func open() { depth &+= 1 }

  @inline(__always)
  mutating func close() {
    depth &-= 1
    if depth < collection { collection = .max }
  }

  /// Notes that the span begun last, and not yet ended, is a collection.
  @inline(__always)
  mutating func enterCollection() {
    collection = min(collection, depth)
    hasCollection = true
  }
}

/// The decisions of one case so far, in memory that is allocated once and used for every case.
///
/// Pages that no case reaches are never touched, so that the full length costs address space only.
@safe
struct TapeLog: ~Copyable {
  private let base: UnsafeMutablePointer<TapeEntry>
  private(set) var count = 0

  init() {
    unsafe base = .allocate(capacity: Draws.capacity)
  }

  deinit {
    unsafe base.deallocate()
  }

  var entries: [TapeEntry] { unsafe Array(UnsafeBufferPointer(start: base, count: count)) }

  var isEmpty: Bool { count == 0 }

  subscript(_ index: Int) -> TapeEntry {
    @inline(__always) get {
      precondition(index >= 0 && index < count, "no such entry")
      return unsafe base[index]
    }
    @inline(__always) set {
      precondition(index >= 0 && index < count, "no such entry")
      unsafe base[index] = newValue
    }
  }

  /// Adds an entry; `false` when it is full.
  @inline(__always)
  mutating func append(_ entry: TapeEntry) -> Bool {
    if count == Draws.capacity { return false }
    unsafe (base + count).initialize(to: entry)
    count &+= 1
    return true
  }

  @unsafe @inline(__always)
  func copy(to memory: UnsafeMutableRawPointer) {
    unsafe memory.copyMemory(from: base, byteCount: count * MemoryLayout<TapeEntry>.stride)
  }

  /// Forgets all entries from an index on, up to the count. An entry owns nothing, so there is nothing to destroy.
  @inline(__always)
  mutating func truncate(to index: Int) {
    count = index
  }
}

/// Why a case was given up without a verdict.
public enum Discard: Error, Sendable, Hashable, Codable {
  /// The property's `assume` did not hold.
  case assumption
  /// A generator's `filter` refused too many values in a row.
  case filtered
  /// The case needed more choices than a tape holds.
  case tooLarge
  /// The generator has nothing to make at all, for the reason given.
  case impossible(String)
}

/// How one case is drawn: how often a choice repeats an earlier one, and how often it is an edge of its range.
///
/// Faults that need two equal values, or many extreme ones, are rare among independent draws. Every case is therefore
/// drawn with a profile of its own, so that each of these meets plain cases, repetitive ones and extreme ones.
/// Source of the idea: Groce et al., "Swarm testing", ISSTA 2012.
///
/// What is drawn besides a collection (the key to look up, to insert, to delete) repeats one of its elements in most
/// cases: of a wide range it would never be among them by chance. The elements themselves differ in half of the cases:
/// repeated ones make a tree, a heap or a table of twenty keys as small as one of five. In three cases of eight most
/// elements are a little above, or below, the one before: sorted input gives structures a shape that shuffled input
/// hardly ever gives them.
///
/// Collections are as long as their ranges allow, all lengths equally often: of 0 to 20 elements a fifth have 0 to 3
/// anyway, and profiles for short ones, tried for up to 5 cases in 8, took more cases for every kind of subject, small
/// search trees included, and up to twice as many for structures that balance themselves or grow. Three cases in
/// sixteen have the longer of two lengths.
struct GenerationProfile: Sendable {
  /// Of 256 choices, how many are an edge of their range.
  private(set) var edges: UInt32 = 16
  /// Of 256 choices in a collection, how many repeat an earlier one, or come next to it.
  private(set) var echoesWithin: UInt32 = 0
  /// Of 256 choices in no collection, how many repeat an earlier one, or come next to it.
  private(set) var echoesOutside: UInt32 = 0
  /// The same where a collection was drawn before.
  private(set) var echoesAfter: UInt32 = 0
  /// Whether the elements of collections mostly ascend, or descend.
  private(set) var isOrdered = false
  private(set) var descends = false
  /// Whether collections are long more often than short.
  private(set) var isLong = false
  /// Whether every case has some alternatives switched off.
  var isSwarming = false
  var features = FeatureMask()

  /// How many elements a collection of a wide range may have beyond the fewest allowed.
  private(set) var spread = UInt64.max
  /// How far wide integers may be from the simplest value.
  private(set) var window = UInt64.max

  mutating func change(_ words: inout WordStream) {
    let word = words.next()
    switch word & 3 {
    case 0, 1: echoesWithin = 0
    case 2: echoesWithin = 96
    default: echoesWithin = 192
    }
    switch word >> 2 & 3 {
    case 0: (echoesOutside, echoesAfter) = (0, 96)
    case 1: (echoesOutside, echoesAfter) = (96, 160)
    case 2: (echoesOutside, echoesAfter) = (192, 192)
    default: (echoesOutside, echoesAfter) = (216, 216)
    }
    edges = word >> 4 & 1 == 0 ? 12 : 40
    switch word >> 5 & 7 {
    case 0: window = 3
    case 1: window = 8
    default: window = .max
    }
    switch word >> 8 & 3 {
    case 0: spread = 8
    case 1: spread = 32
    default: spread = .max
    }
    isOrdered = word >> 12 & 15 < 6
    descends = word >> 16 & 1 == 1
    isLong = word >> 17 & 15 < 3
    if isSwarming { features.change(words.next()) }
  }

  /// How many elements beyond the fewest a collection may have.
  @inline(__always)
  func most(_ room: UInt64) -> UInt64 { room <= 32 ? room : min(room, spread) }
}

/// Which alternatives are switched off in one case.
///
/// A fault that needs many of one command and none of another is rare when every command is as likely as the others all
/// the time. With a random half of them switched off per case, each such combination gets its share.
/// Source: Groce, Zhang, Eide, Chen and Regehr, "Swarm testing", ISSTA 2012.
struct FeatureMask: Sendable {
  private var key: UInt64 = 0
  private var isPlain = true
  /// The numbers of alternatives met in this case, in the order in which they were met: what is the same in every
  /// process.
  private var counts: [Int] = []

  /// Begins a case: one in four has everything switched on.
  mutating func change(_ word: UInt32) {
    isPlain = word & 3 == 0
    key = UInt64(word >> 2)
    counts.removeAll(keepingCapacity: true)
  }

  /// Which of up to 64 alternatives are on, as bits; never none.
  mutating func alternatives(of count: Int) -> UInt64 {
    let all = UInt64.max >> UInt64(64 - count)
    if isPlain { return all }
    let place = counts.firstIndex(of: count) ?? counts.count
    if place == counts.count { counts.append(count) }
    let on = mixed((key ^ UInt64(place) << 32) &+ 0x9e37_79b9_7f4a_7c15) & all
    return on == 0 ? all : on
  }
}

extension Draws {
  /// A random alternative among those that are on in this case.
  mutating func featuredBranch(_ count: Int) -> UInt64 {
    // A case that has grown large may need the alternative that ends a recursion.
    guard recorded.count < 2048, count <= 64 else { return UInt64(words.below(UInt32(truncatingIfNeeded: count))) }
    // Alternatives of one number share their switches: a span's label differs from process to process.
    var on = profile.features.alternatives(of: count)
    for _ in 0..<words.below(UInt32(on.nonzeroBitCount)) { on &= on - 1 }
    return UInt64(on.trailingZeroBitCount)
  }
}
