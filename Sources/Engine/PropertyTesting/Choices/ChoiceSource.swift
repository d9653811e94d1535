// SPDX-License-Identifier: Apache-2.0
internal import SeededWords

/// The source of a generator's decisions, and the choice sequence on which they are recorded.
///
/// The decisions are random at first; when a case is replayed or shrunk they are read from a choice sequence, aligned
/// by span, and missing decisions are the simplest values.
public struct ChoiceSource: ~Copyable {
  /// The decision if the choice sequence that is read has no entry.
  enum Gap: Sendable { case simplest, random }

  /// The largest number of entries of a choice sequence: larger cases are discarded.
  static let capacity = 65_536
  /// The largest depth of spans: deeper cases are discarded before they overflow the stack of a thread.
  static let depth = 500
  /// The number of the first cases of a check in which integers of a whole type and sizes are limited.
  static let growingCases = 10

  var words: MersenneTwister
  var profile = GenerationProfile()
  /// The position of the next choice in the spans.
  var nesting = Nesting()
  private(set) var recorded = ChoiceLog()
  /// Reads the choice sequence of a case that is replayed or shrunk; `nil` for random decisions.
  private var reader: ChoiceReader?
  private var gap = Gap.random
  /// True if the recording differs from the choice sequence that was read.
  private var isAmended = false
  /// The number of times that the active recursive generator may still grow.
  var growthLeft = 0
  /// The number of cases drawn before this one in its check, from which sizes follow; beyond all of them by default.
  var caseNumber = Int.max
  /// The place of a derived generator that draws.
  var derivation = DerivationContext()
  /// The index of the given values to use in this case; none by default.
  var givenTurn = Int.max
  /// The largest number of given values of a generator, over the generators that cases have used.
  private(set) var maxGiven = 0
  /// The context through which the body finds these draws while it runs.
  var context: CaseContext?
  /// True if the arguments were those of the choice sequence that is read, once the body draws.
  private var wasFaithful: Bool?

  package init(seed: UInt32) { words = MersenneTwister(seed: seed) }

  package mutating func reseed(_ seed: UInt32) { words.reseed(seed) }

  mutating func begin() {
    recorded.truncate(to: 0)
    nesting = Nesting()
    wasFaithful = nil
    reader = nil
    profile.change(&words)
  }

  mutating func begin(reading choices: ChoiceSequence, gap: Gap = .simplest) {
    recorded.truncate(to: 0)
    nesting = Nesting()
    wasFaithful = nil
    reader = ChoiceReader(choices)
    self.gap = gap
    isAmended = false
    profile = GenerationProfile()
  }

  var choices: ChoiceSequence { ChoiceSequence(recorded.entries) }

  /// The slot of a journal for all further recording of these draws; `nil` if the journal has no free slot.
  @inline(__always)
  mutating func slot(in journal: ChoiceJournal) -> Int? {
    if recorded.journal !== journal {
      guard let slot = journal.takeNext() else { return nil }
      recorded = ChoiceLog(in: journal, slot)
    }
    return recorded.slot
  }

  @inline(__always)
  var isReplaying: Bool { if case .some = reader { true } else { false } }

  /// True if the generators asked for exactly the arguments in the choice sequence that is read, with their bounds, to
  /// the end.
  var isFaithfulReplay: Bool { wasFaithful ?? (!isAmended && reader?.isFaithful ?? false) }

  // MARK: Spans

  /// Begins a span for all draws until `close`.
  @usableFromInline
  mutating func open(_ label: UInt64) throws {
    if nesting.depth >= Self.depth { throw Discard.tooLarge }
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

  /// The state of the recording, for `rewind(to:)`.
  @usableFromInline
  struct Checkpoint: Sendable {
    fileprivate let count: Int
    fileprivate let nesting: Nesting
  }

  @usableFromInline
  var checkpoint: Checkpoint { Checkpoint(count: recorded.count, nesting: nesting) }

  /// Removes the draws since a checkpoint, because the generator refuses them.
  @usableFromInline
  mutating func rewind(to checkpoint: Checkpoint) throws {
    // Draws of a body beyond the choice sequence may be drawn again, as in the case that the choice sequence was made
    // for.
    let isFree = wasFaithful != nil && gap == .random && reader?.hasMore == false
    if isReplaying, !isFree { throw Discard.filtered }
    recorded.truncate(to: checkpoint.count)
    nesting = checkpoint.nesting
  }

  /// Removes the draws since a checkpoint, also those of a choice sequence, because a collection continues without this
  /// element.
  ///
  /// The collection must then correct its length by `amend`, so that the recording is one that it could have drawn.
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

  /// True if the body has drawn a value.
  var isInBody: Bool { wasFaithful != nil }

  /// Draws a value for the body: all of these are in a separate span behind the arguments.
  mutating func drawInBody<Value>(_ generator: Gen<Value>) throws -> Value {
    if !isInBody {
      wasFaithful = isFaithfulReplay
      try open(SpanKind.body.rawValue)
    }
    let value = try generator.make(&self)
    if let journal = recorded.journal { journal.holds(recorded.count, in: recorded.slot) }
    return value
  }

  /// Ends the span of the body's draws, and all spans in it that an error has left open.
  mutating func closeBody() {
    guard isInBody else { return }
    while nesting.isOpen, (try? close()) != nil {}
  }

  /// Keeps the rest of the choice sequence for a body that runs elsewhere.
  mutating func adoptRest() {
    guard let rest = reader?.rest else { return }
    for entry in rest where (try? record(entry)) == nil { return }
  }

  // MARK: Choices

  /// Chooses a number between two bounds and records it.
  @inline(__always)
  mutating func choose(_ domain: ChoiceEntry, random: (inout ChoiceSource) -> UInt64) throws -> UInt64 {
    var entry = domain
    if isReplaying, let value = read(domain) {
      entry.value = value
    } else {
      entry.value = random(&self)
    }
    try record(entry)
    return entry.value
  }

  /// The value of the choice sequence's next entry, or the simplest value; `nil` if a gap requires a random decision.
  @inline(never)
  private mutating func read(_ domain: ChoiceEntry) -> UInt64? {
    reader?.next(domain) ?? (gap == .simplest ? domain.target : nil)
  }

  var position: Int { recorded.count }

  /// Corrects a recorded choice, so that the choice sequence has the value that the generator uses.
  mutating func overwrite(at position: Int, to value: UInt64) {
    if isReplaying, recorded[position].value != value { isAmended = true }
    recorded[position].value = value
  }

  @inline(__always)
  private mutating func record(_ entry: ChoiceEntry) throws {
    if !recorded.append(entry) { throw Discard.tooLarge }
  }

  /// Chooses a number between two bounds, with edge values and repetitions more frequent than by chance.
  mutating func integer(_ domain: ChoiceEntry, edges: [UInt64] = [], grows: Bool = false) throws -> UInt64 {
    if domain.lower == domain.upper { return try choose(domain) { _ in domain.lower } }
    return try choose(domain) { draws in
      let number = draws.randomInteger(domain, edges: edges)
      guard grows, draws.caseNumber < Self.growingCases, !edges.contains(number) else { return number }
      return draws.grown(number, from: domain.target)
    }
  }

  /// Allows all sizes for the rest of the case, because small ones are refused.
  @usableFromInline
  mutating func endGrowth() { caseNumber = .max }

  /// A number with only as many low bits of its distance from the simplest one as the case may have: 6 in the first
  /// case of a check, 12 in the second, and all of 64 from the eleventh on.
  ///
  /// A number is reduced after it is drawn, so that all other draws are the same as without.
  func grown(_ number: UInt64, from target: UInt64, below: Int = 0) -> UInt64 {
    let bits = caseNumber < Self.growingCases ? (caseNumber + 1) * 6 - below : UInt64.bitWidth
    if bits >= UInt64.bitWidth { return number }
    let mask: UInt64 = bits <= 0 ? 0 : 1 << UInt64(bits) - 1
    return number >= target ? target &+ (number &- target) & mask : target &- (target &- number) & mask
  }

  /// Chooses a number of a domain uniformly.
  mutating func uniform(_ domain: ChoiceEntry) throws -> UInt64 {
    try choose(domain) { draws in domain.lower &+ draws.below(domain.upper &- domain.lower) }
  }

  /// Chooses the number of elements of the collection whose span was begun last, from the numbers of the range that are
  /// 0 or more: uniformly, or for wide ranges up to the profile's spread, because large cases take long.
  @usableFromInline
  mutating func length(_ range: ClosedRange<Int>) throws -> Int {
    let (lower, upper) = (UInt64(max(0, range.lowerBound)), UInt64(max(0, range.upperBound)))
    let domain = ChoiceEntry(tag: .length, lower: lower, upper: upper, target: lower)
    nesting.enterCollection()
    return Int(
      try choose(domain) { draws in
        let room = draws.profile.maximum(upper &- lower)
        let count = draws.below(room)
        return lower &+ (draws.profile.isLong ? max(count, draws.below(room)) : count)
      })
  }

  /// Chooses which of several generators draws; the first is the simplest.
  @usableFromInline
  mutating func branch(_ count: Int) throws -> Int { try branch(count, isFeatured: profile.isSwarming) }

  /// Chooses one of several alternatives: all are equally likely, or only those enabled in this case.
  mutating func branch(_ count: Int, isFeatured: Bool) throws -> Int {
    let domain = ChoiceEntry.index(below: count, .branch)
    if isFeatured { return Int(try choose(domain) { draws in draws.featuredBranch(count) }) }
    return Int(try uniform(domain))
  }

  /// Chooses one of the given values, from 1; 0 for a drawn value.
  @usableFromInline
  mutating func given(of count: Int) throws -> Int {
    maxGiven = max(maxGiven, count)
    let domain = ChoiceEntry(tag: .given, upper: UInt64(count))
    return Int(try choose(domain) { draws in draws.givenTurn < count ? UInt64(draws.givenTurn + 1) : 0 })
  }

  /// Chooses a raw word, for a generator of another library.
  package mutating func word(towards target: UInt32 = 0) throws -> UInt32 {
    let domain = ChoiceEntry(tag: .word, upper: UInt64(UInt32.max), target: UInt64(target))
    return UInt32(truncatingIfNeeded: try choose(domain) { draws in UInt64(draws.words.next()) })
  }

  /// Runs code that chooses raw words, in one span.
  package mutating func drawingWords<Result>(_ body: (inout ChoiceSource) throws -> Result) throws -> Result {
    try open(SpanKind.words.rawValue)
    let result = try body(&self)
    try close()
    return result
  }

  // MARK: Random decisions

  /// The number of choices in 256 that repeat an earlier one, or are next to it, at the current position.
  var echoes: UInt32 {
    if nesting.isInCollection { return profile.echoesWithin }
    return nesting.hasCollection ? profile.echoesAfter : profile.echoesOutside
  }

  mutating func randomInteger(_ domain: ChoiceEntry, edges: [UInt64]) -> UInt64 {
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

  /// An extreme or a simple value, or one of the generator's constants.
  private func edge(of domain: ChoiceEntry, _ dice: UInt32, _ edges: [UInt64]) -> UInt64 {
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
  private mutating func near(_ domain: ChoiceEntry, _ dice: UInt32) -> UInt64 {
    let distance = UInt64(((dice & 0xffff) * UInt32(truncatingIfNeeded: profile.window + 1)) >> 16)
    let upward = dice >> 16 & 1 == 0
    let isAbove = upward ? distance <= domain.upper &- domain.target : distance > domain.target &- domain.lower
    return domain.clamped(isAbove ? domain.target &+ distance : domain.target &- distance)
  }

  /// An earlier choice of the same domain, or its neighbour; `nil` if none is near the searched position.
  func echo(of domain: ChoiceEntry, _ dice: UInt32) -> UInt64? {
    guard !recorded.isEmpty else { return nil }
    // The last choice before a key to look up is usually another such key.
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

  /// A value slightly beyond the last one of the same domain; `nil` for one element in eight, and if there is none.
  private func next(in domain: ChoiceEntry, _ dice: UInt32) -> UInt64? {
    guard dice & 7 != 0, !recorded.isEmpty, let index = nearest(to: recorded.count - 1, of: domain) else { return nil }
    let earlier = recorded[index].value
    let step = UInt64(dice >> 8 & 3) + 1
    if profile.descends { return earlier &- domain.lower >= step ? earlier &- step : nil }
    return domain.upper &- earlier >= step ? earlier &+ step : nil
  }

  /// The index of a choice of a domain, within a short distance backwards and then forwards.
  private func nearest(to start: Int, of domain: ChoiceEntry) -> Int? {
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
  private mutating func magnitude(_ domain: ChoiceEntry, _ dice: UInt32) -> UInt64 {
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

  /// An exactly uniform number from 0 to a bound, inclusive.
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

/// The depth of spans at a draw, and whether one of them is a collection.
struct Nesting: Sendable {
  private(set) var depth = 0
  /// The depth of the outermost collection; `Int.max` outside of collections.
  private var collection = Int.max

  var isInCollection: Bool { collection != .max }
  /// True if a collection has begun, even if it has ended.
  private(set) var hasCollection = false
  var isOpen: Bool { depth > 0 }

  @inline(__always)
  mutating func open() { depth &+= 1 }

  @inline(__always)
  mutating func close() {
    depth &-= 1
    if depth < collection { collection = .max }
  }

  /// Records that the span begun last, and not yet ended, is a collection.
  @inline(__always)
  mutating func enterCollection() {
    collection = min(collection, depth)
    hasCollection = true
  }
}

/// The decisions of one case so far, in memory that is allocated once and reused for every case.
///
/// Unused pages are never touched, so the full length costs only address space. The memory may belong to a slot in a
/// journal, so that a case is in the journal without a copy.
@safe
struct ChoiceLog: ~Copyable {
  private let base: UnsafeMutablePointer<ChoiceEntry>
  let journal: ChoiceJournal?
  let slot: Int
  private(set) var count = 0

  init() {
    unsafe base = .allocate(capacity: ChoiceSource.capacity)
    (journal, slot) = (nil, 0)
  }

  init(in journal: ChoiceJournal, _ slot: Int) {
    unsafe base = journal.choiceMemory(of: slot)
    (self.journal, self.slot) = (journal, slot)
  }

  deinit {
    if let journal { journal.release(slot) } else { unsafe base.deallocate() }
  }

  var entries: [ChoiceEntry] { unsafe Array(UnsafeBufferPointer(start: base, count: count)) }

  var isEmpty: Bool { count == 0 }

  subscript(_ index: Int) -> ChoiceEntry {
    @inline(__always) get {
      precondition(index >= 0 && index < count, "no such entry")
      return unsafe base[index]
    }
    @inline(__always) set {
      precondition(index >= 0 && index < count, "no such entry")
      unsafe base[index] = newValue
    }
  }

  /// Adds an entry; `false` if the log is full.
  @inline(__always)
  mutating func append(_ entry: ChoiceEntry) -> Bool {
    if count == ChoiceSource.capacity { return false }
    unsafe (base + count).initialize(to: entry)
    count &+= 1
    return true
  }

  /// Removes all entries from an index on. Entries own nothing, so nothing is destroyed.
  @inline(__always)
  mutating func truncate(to index: Int) {
    count = index
  }
}

/// The reason why a case was discarded without a verdict.
public enum Discard: Error, Sendable, Hashable, Codable {
  /// The property's `assume` did not hold.
  case assumption
  /// A generator's `filter` refused too many consecutive values.
  case filtered
  /// The case needed more choices than a choice sequence can hold.
  case tooLarge
  /// The generator cannot produce any value, for the given reason.
  case impossible(String)
}

/// The profile by which one case is drawn: the frequencies of repeated and of extreme choices.
///
/// Faults that need two equal values, or many extreme ones, are rare among independent draws. Every case therefore has
/// its own profile, so that each fault meets plain cases, repetitive ones and extreme ones. Source of the idea: Groce
/// et al., "Swarm testing", ISSTA 2012.
///
/// Values drawn outside of a collection (a key to look up, to insert, to delete) repeat one of its elements in most
/// cases: in a wide range they would never match by chance. The elements themselves are distinct in half of the cases:
/// repeated ones make a tree, a heap or a table of twenty keys as small as one of five. In three cases of eight most
/// elements are slightly above, or below, their predecessor: sorted input gives structures shapes that shuffled input
/// hardly ever gives.
///
/// All lengths of collections are equally likely: of 0 to 20 elements a fifth have 0 to 3 anyway. Profiles for short
/// ones, tried for up to 5 cases in 8, needed more cases for every kind of subject, small search trees included, and up
/// to twice as many for self-balancing and growing structures. Three cases in sixteen use the longer of two lengths.
struct GenerationProfile: Sendable {
  /// The number of choices in 256 that are an edge of their range.
  private(set) var edges: UInt32 = 16
  /// The number of choices in 256 within a collection that repeat an earlier one, or are next to it.
  private(set) var echoesWithin: UInt32 = 0
  /// The number of choices in 256 outside of collections that repeat an earlier one, or are next to it.
  private(set) var echoesOutside: UInt32 = 0
  /// The same after a collection was drawn.
  private(set) var echoesAfter: UInt32 = 0
  /// True if the elements of collections mostly ascend, or descend.
  private(set) var isOrdered = false
  private(set) var descends = false
  /// True if long collections are more frequent than short ones.
  private(set) var isLong = false
  /// True if alternatives of `oneOf` are among those that may be disabled.
  var isSwarming = false
  var features = FeatureMask()

  /// The largest number of elements beyond the minimum, for collections of a wide range.
  private(set) var spread = UInt64.max
  /// The largest distance of wide integers from the simplest value.
  private(set) var window = UInt64.max

  mutating func change(_ words: inout MersenneTwister) {
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
    features.begin()
  }

  /// The largest number of elements beyond the minimum.
  @inline(__always)
  func maximum(_ room: UInt64) -> UInt64 { room <= 32 ? room : min(room, spread) }
}

/// The alternatives that are disabled in one case: commands of a state machine in every search, and those of `oneOf` in
/// a search by swarm.
///
/// A fault that needs many of one command and none of another is rare if all commands are always equally likely. With a
/// random half of them disabled in each case, every such combination occurs.
/// Source: Groce, Zhang, Eide, Chen and Regehr, "Swarm testing", ISSTA 2012.
struct FeatureMask: Sendable {
  /// Determines the enabled alternatives: 0 for all, `nil` until the first use, so that other cases draw no word.
  private var key: UInt64? = 0
  /// The numbers of alternatives in this case, in the order of their first use, which is the same in every process.
  private var counts: [Int] = []

  /// Begins a case.
  mutating func begin() { key = nil }

  /// The enabled ones of up to 64 alternatives, as bits; at least one, and all of them in half of the cases.
  mutating func alternatives(of count: Int, _ words: inout MersenneTwister) -> UInt64 {
    let all = UInt64.max >> UInt64(64 - count)
    if key == nil {
      let word = words.next()
      key = word & 1 == 0 ? 0 : UInt64(word)
      counts.removeAll(keepingCapacity: true)
    }
    guard let key, key > 0 else { return all }
    let offset = counts.firstIndex(of: count) ?? counts.count
    if offset == counts.count { counts.append(count) }
    let on = mixed((key ^ UInt64(offset) << 32) &+ 0x9e37_79b9_7f4a_7c15) & all
    return on == 0 ? all : on
  }
}

extension ChoiceSource {
  /// A random alternative among those enabled in this case.
  mutating func featuredBranch(_ count: Int) -> UInt64 {
    // A large case may need the alternative that ends a recursion.
    guard recorded.count < 2048, count <= 64 else { return UInt64(words.below(UInt32(truncatingIfNeeded: count))) }
    // Alternatives of the same number share their mask: a span's label differs from process to process.
    var on = profile.features.alternatives(of: count, &words)
    for _ in 0..<words.below(UInt32(on.nonzeroBitCount)) { on &= on - 1 }
    return UInt64(on.trailingZeroBitCount)
  }
}
