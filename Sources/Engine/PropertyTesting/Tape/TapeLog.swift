// SPDX-License-Identifier: GPL-3.0-or-later

/// What one case has decided so far, in memory that is allocated once and used for every case.
///
/// Pages that no case reaches are never touched, so that the full length costs address space only.
@safe
struct TapeLog: ~Copyable {
  private let base: UnsafeMutablePointer<TapeEntry>
  let capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    unsafe base = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  deinit {
    unsafe base.deallocate()
  }

  /// The entries up to now.
  var entries: [TapeEntry] { unsafe Array(UnsafeBufferPointer(start: base, count: count)) }

  var isEmpty: Bool { count == 0 }

  /// The entry added last; nil when there is none.
  var last: TapeEntry? { isEmpty ? nil : self[count - 1] }

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

  /// Adds an entry; `false` when there is no room left.
  @inline(__always)
  mutating func append(_ entry: TapeEntry) -> Bool {
    if count == capacity { return false }
    unsafe (base + count).initialize(to: entry)
    count &+= 1
    return true
  }

  /// Copies the entries to memory that has room for them.
  @unsafe @inline(__always)
  func copy(to memory: UnsafeMutableRawPointer) {
    unsafe memory.copyMemory(from: base, byteCount: count * MemoryLayout<TapeEntry>.stride)
  }

  /// Forgets all entries from an index on. An entry owns nothing, so there is nothing to destroy.
  @inline(__always)
  mutating func truncate(to index: Int) {
    count = min(max(0, index), count)
  }
}
