// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import MonteCarlo
internal import Synchronization

/// Memory in which every case is recorded before it is evaluated, so that another thread, or a process that shares it,
/// can find the case that trapped or hung.
///
/// Each `ChoiceSource` has its own slot, so writing needs no lock, and its choice sequence is in the slot, so nothing
/// is copied.
@safe
final class ChoiceJournal: Sendable {
  enum Phase: UInt64, Sendable {
    case idle
    /// A generator is running.
    case drawing
    /// The property is running; the choice sequence is complete.
    case evaluating
  }

  struct Entry: Sendable {
    let phase: Phase
    /// The number of cases begun in the slot.
    let begun: UInt64
    /// The number of these cases that passed.
    let passed: UInt64
  }

  /// The offsets of the fields of a slot, in bytes.
  private enum Field {
    static let (owner, phase, begun, passed, count, choices) = (0, 8, 16, 24, 32, 64)
  }

  private static let headerSize = 4096
  private static let slotSize = Field.choices + ChoiceSource.capacity * MemoryLayout<ChoiceEntry>.stride
  private static let stopRequest = 0
  /// The offset of the progress of a guided search: three words.
  private static let progress = 8

  let slots: Int
  // Sendable: a slot is written only by the thread of the draws that claimed it, and claimed under a lock. Another
  // process reads only single words, or the choice sequence of a writer that is dead or stopped.
  private nonisolated(unsafe) let memory: UnsafeMutableRawPointer
  private let taken = Mutex<Set<Int>>([])

  init(descriptor: Int32, slots wanted: Int? = nil) throws(WorkerError) {
    slots = wanted ?? (Int(lseek(descriptor, 0, SEEK_END)) - Self.headerSize) / Self.slotSize
    guard slots > 0 else { throw WorkerError.misunderstood("the journal is empty") }
    let size = Self.headerSize + slots * Self.slotSize
    guard wanted == nil || ftruncate(descriptor, size) == 0,
      let memory = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      unsafe memory != MAP_FAILED
    else { throw WorkerError.system("mapping the journal", errno) }
    unsafe self.memory = memory
  }

  /// A journal for the threads of this process.
  init(threads: Int) throws(WorkerError) {
    slots = threads
    let memory = unsafe mmap(
      nil, Self.headerSize + slots * Self.slotSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
      throw WorkerError.system("making the journal", errno)
    }
    unsafe self.memory = memory
  }

  deinit {
    unsafe munmap(memory, Self.headerSize + slots * Self.slotSize)
  }

  /// True if the reading process wants the writing process to stop.
  var wantsStop: Bool {
    get { word(Self.stopRequest) != 0 }
    set { set(Self.stopRequest, newValue ? 1 : 0) }
  }

  /// The progress of a guided search; `nil` for other searches.
  var guidance: GuidanceProgress? {
    get {
      let words = (0..<3).map { Int(truncatingIfNeeded: word(Self.progress + 8 * $0)) }
      return words[1] == 0 ? nil : GuidanceProgress(edges: words[0], kept: words[1], lastNew: words[2])
    }
    set {
      let words = newValue.map { [$0.edges, $0.kept, $0.lastNew] } ?? [0, 0, 0]
      for (index, word) in words.enumerated() { set(Self.progress + 8 * index, UInt64(word)) }
    }
  }

  // MARK: Writing

  /// Reserves a free slot until it is released; `nil` if there is none.
  func takeNext() -> Int? {
    taken.withLock { taken in
      let free = (0..<slots).first { !taken.contains($0) }
      if let free { taken.insert(free) }
      return free
    }
  }

  func release(_ slot: Int) { taken.withLock { _ = $0.remove(slot) } }

  /// The address of the choice sequence of a slot, valid for the lifetime of the journal.
  @unsafe
  func choiceMemory(of slot: Int) -> UnsafeMutablePointer<ChoiceEntry> {
    unsafe (memory + Self.position(slot, Field.choices)).bindMemory(
      to: ChoiceEntry.self, capacity: ChoiceSource.capacity)
  }

  @inline(__always)
  func willDraw(in slot: Int) {
    let begun = Self.position(slot, Field.begun)
    set(begun, word(begun) &+ 1)
    set(Self.position(slot, Field.owner), TrapReporter.thisThread)
    set(Self.position(slot, Field.phase), Phase.drawing.rawValue)
  }

  /// Records the number of entries of the current case in the choice sequence.
  @inline(__always)
  func holds(_ count: Int, in slot: Int) { set(Self.position(slot, Field.count), UInt64(truncatingIfNeeded: count)) }

  @inline(__always)
  func willEvaluate(_ draws: borrowing ChoiceSource, in slot: Int) {
    holds(draws.recorded.count, in: slot)
    set(Self.position(slot, Field.phase), Phase.evaluating.rawValue)
  }

  @inline(__always)
  func didEvaluate(passed: Bool, in slot: Int) {
    if passed {
      let position = Self.position(slot, Field.passed)
      set(position, word(position) &+ 1)
    }
    set(Self.position(slot, Field.phase), Phase.idle.rawValue)
  }

  // MARK: Reading

  /// The state of every slot.
  var entries: [Entry] { (0..<slots).map(entry) }

  /// The thread that began the case in a slot.
  func owner(of slot: Int) -> UInt64 { word(Self.position(slot, Field.owner)) }

  /// The cases that are being evaluated.
  var sequencesInHand: [ChoiceSequence] {
    (0..<slots).filter { entry(in: $0).phase == .evaluating }.compactMap(choices)
  }

  func entry(in slot: Int) -> Entry {
    Entry(
      phase: Phase(rawValue: word(Self.position(slot, Field.phase))) ?? .idle,
      begun: word(Self.position(slot, Field.begun)),
      passed: word(Self.position(slot, Field.passed)))
  }

  /// The choice sequence in a slot whose writer is dead or stopped; `nil` if there is none.
  func choices(in slot: Int) -> ChoiceSequence? {
    let count = word(Self.position(slot, Field.count))
    guard count <= UInt64(ChoiceSource.capacity) else { return nil }
    var entries: [ChoiceEntry] = []
    for index in 0..<Int(count) {
      let start = Self.position(slot, Field.choices) + index * MemoryLayout<ChoiceEntry>.stride
      guard let entry = choice(at: start) else { return nil }
      entries.append(entry)
    }
    // The body's draws are recorded while their span is open.
    let open = entries.reduce(0) { $0 + ($1.tag == .open ? 1 : $1.tag == .close ? -1 : 0) }
    return ChoiceSequence(entries + Array(repeating: .close, count: max(0, open)))
  }

  func clear() {
    wantsStop = false
    guidance = nil
    for slot in 0..<slots {
      for field in [Field.owner, Field.phase, Field.begun, Field.passed, Field.count] {
        set(Self.position(slot, field), 0)
      }
    }
  }

  // MARK: Memory

  @inline(__always)
  private static func position(_ slot: Int, _ field: Int) -> Int { headerSize + slot * slotSize + field }

  @inline(__always)
  private func word(_ offset: Int) -> UInt64 { unsafe memory.load(fromByteOffset: offset, as: UInt64.self) }

  private func byte(_ offset: Int) -> UInt8 { unsafe memory.load(fromByteOffset: offset, as: UInt8.self) }

  @inline(__always)
  private func set(_ offset: Int, _ value: UInt64) {
    unsafe memory.storeBytes(of: value, toByteOffset: offset, as: UInt64.self)
  }

  private func choice(at start: Int) -> ChoiceEntry? {
    func position(_ path: PartialKeyPath<ChoiceEntry>) -> Int {
      start + (MemoryLayout<ChoiceEntry>.offset(of: path) ?? 0)
    }
    func field(_ path: PartialKeyPath<ChoiceEntry>) -> UInt64 { word(position(path)) }
    guard let tag = ChoiceEntry.Tag(rawValue: byte(position(\.tag))) else { return nil }
    return ChoiceEntry(
      tag: tag, isSigned: byte(position(\.isSigned)) != 0, value: field(\.value), lower: field(\.lower),
      upper: field(\.upper), target: field(\.target))
  }
}

extension Trial {
  /// The same trial, which records every case before it is evaluated.
  func journalled(in journal: ChoiceJournal, whenStopping: @escaping @Sendable () -> Void = {}) -> Trial {
    var journalled = self
    let attempt = attempt
    journalled.attempt = { draws, isWanted in
      guard let slot = draws.slot(in: journal) else { return attempt(&draws, isWanted) }
      if journal.wantsStop { whenStopping() }
      journal.willDraw(in: slot)
      let verdict = attempt(&draws) { drawn in
        guard isWanted(drawn) else { return false }
        journal.willEvaluate(drawn, in: slot)
        return true
      }
      journal.didEvaluate(passed: verdict == .passed, in: slot)
      return verdict
    }
    return journalled
  }
}

/// The elapsed times of the current cases, as observed.
struct CaseWatch {
  private var seen: [Int: (begun: UInt64, time: Duration)] = [:]

  /// Adds the time since the last observation; returns the first slot whose case exceeds the limit.
  mutating func overdue(in entries: [ChoiceJournal.Entry], after time: Duration, limit: Duration) -> Int? {
    for (slot, entry) in entries.enumerated() {
      if entry.phase == .idle || seen[slot]?.begun != entry.begun {
        seen[slot] = (entry.begun, .zero)
      } else {
        seen[slot]?.time += time
      }
    }
    return entries.indices.first { seen[$0].map { $0.time > limit } ?? false }
  }
}
