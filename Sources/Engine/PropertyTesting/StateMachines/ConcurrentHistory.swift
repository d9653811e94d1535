// SPDX-License-Identifier: Apache-2.0

/// Concurrent calls of several processes, each with its result and the times of its call and its return.
///
/// ```swift
/// var history = ConcurrentHistory<RegisterCall>()
/// history.append(.write(1), invoked: 1, returned: 4)
/// history.append(.read(returning: 1), invoked: 2, returned: 3)
/// history.isLinearizable(from: 0) { value, call in
///   switch call {
///   case .write(let new): value = new
///   case .read(let read): return read == value
///   }
///   return true
/// }  // true: the read can have come after the write
/// ```
public struct ConcurrentHistory<Call: Sendable>: Sendable {
  private struct Entry: Sendable {
    let call: Call
    let invoked: Int
    /// `Int.max` if its outcome is unknown.
    let returned: Int

    var isKnown: Bool { returned < .max }
    var middle: Int { isKnown ? invoked / 2 + returned / 2 : .max }
  }

  private var entries: [Entry] = []

  /// Creates a history without calls.
  public init() {}

  /// Adds a call, in any order.
  ///
  /// - Parameters:
  ///   - call: The call with its result.
  ///   - invoked: The time of the call, on any clock that all calls share.
  ///   - returned: The time of the return; `nil` if unknown: the call may have taken effect at any time from
  ///     `invoked` on, or not at all.
  public mutating func append(_ call: Call, invoked: Int, returned: Int?) {
    entries.append(Entry(call: call, invoked: invoked, returned: returned ?? .max))
  }

  /// The histories of independent objects: a history is linearizable if that of each object is, which takes far less
  /// time to decide.
  ///
  /// Source: Horn and Kroening, "Faster linearizability checking via P-compositionality", FORTE 2015.
  public func partitioned<Object: Hashable>(by object: (Call) -> Object) -> [ConcurrentHistory] {
    var indices: [Object: Int] = [:]
    var parts: [ConcurrentHistory] = []
    for entry in entries {
      let index = indices[object(entry.call), default: parts.count]
      if index == parts.count {
        indices[object(entry.call)] = index
        parts.append(ConcurrentHistory())
      }
      parts[index].entries.append(entry)
    }
    return parts
  }

  /// Returns true if the calls can have happened one at a time, each at a single time between its call and its return.
  ///
  /// A call that returned before another began precedes it. Dead-end states are stored as the calls that have happened
  /// with the model, so none is visited twice. A model that omits state that no call of the history can observe, such
  /// as a text that was never read, therefore takes less time to decide.
  /// Sources: Wing and Gong, "Testing and verifying concurrent objects", 1993; Lowe, "Testing for linearizability",
  /// 2017.
  ///
  /// - Parameters:
  ///   - model: The state of the object before the first call.
  ///   - step: Applies a call to the model, and returns whether its result is possible. It accepts every call with an
  ///     unknown outcome.
  /// - Returns: Whether the calls can have happened one at a time.
  /// - Complexity: O(n²) for most histories of n calls; at worst exponential in the number of overlapping calls.
  public func isLinearizable<Model: Hashable>(from model: Model, step: (inout Model, Call) -> Bool) -> Bool {
    // The middle of a call is the best guess of the time when it happened; optional calls come last.
    let entries = entries.sorted { ($0.middle, $0.returned) < ($1.middle, $1.returned) }
    /// The calls that may happen next, the most promising first; `nil` when all have happened.
    func choices(_ state: HistoryState<Model>) -> [(index: Int, model: Model)]? {
      let open = entries.indices.filter { !state[$0] }
      guard let end = open.map({ entries[$0].returned }).min(), end < .max else { return nil }
      var changes: [(index: Int, model: Model)] = []
      var same: [(index: Int, model: Model)] = []
      for index in open where entries[index].invoked <= end {
        var model = state.model
        guard step(&model, entries[index].call) else { continue }
        // Calls that do not change the model are tried first, or later if their outcome is unknown.
        if model != state.model {
          changes.append((index, model))
        } else if entries[index].isKnown {
          same.append((index, model))
        }
      }
      return same + changes
    }
    let start = HistoryState(happened: Array(repeating: 0, count: entries.count / 64 + 1), model: model)
    var seen: Set<HistoryState<Model>> = []
    guard let first = choices(start) else { return true }
    var path = [(state: start, choices: first[...])]
    while let last = path.indices.last {
      guard let (index, model) = path[last].choices.popFirst() else {
        path.removeLast()
        continue
      }
      var state = HistoryState(happened: path[last].state.happened, model: model)
      state[index] = true
      guard seen.insert(state).inserted else { continue }
      guard let next = choices(state) else { return true }
      path.append((state, next[...]))
    }
    return false
  }
}

/// The calls that have happened, as bits, and the resulting model.
private struct HistoryState<Model: Hashable>: Hashable {
  var happened: [UInt64]
  let model: Model

  subscript(index: Int) -> Bool {
    get { happened[index >> 6] >> UInt64(index & 63) & 1 == 1 }
    set { if newValue != self[index] { happened[index >> 6] ^= 1 << UInt64(index & 63) } }
  }
}
