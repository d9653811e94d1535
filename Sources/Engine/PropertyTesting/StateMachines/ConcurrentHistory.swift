// SPDX-License-Identifier: GPL-3.0-or-later

/// Calls that several processes made at the same time, each with its result and with when it began and ended.
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
    /// `Int.max` when its outcome is unknown.
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
  ///   - call: What was called, with what it returned.
  ///   - invoked: When it was called, on any clock that all calls share.
  ///   - returned: When it returned. Nil when that is unknown: it may have taken effect at any time from its call on,
  ///     or not at all.
  public mutating func append(_ call: Call, invoked: Int, returned: Int?) {
    entries.append(Entry(call: call, invoked: invoked, returned: returned ?? .max))
  }

  /// The histories of independent objects: a history is linearizable when that of each object is, which takes far less
  /// time to decide.
  ///
  /// Source: Horn and Kroening, "Faster linearizability checking via P-compositionality", FORTE 2015.
  public func partitioned<Object: Hashable>(by object: (Call) -> Object) -> [ConcurrentHistory] {
    var places: [Object: Int] = [:]
    var parts: [ConcurrentHistory] = []
    for entry in entries {
      let place = places[object(entry.call), default: parts.count]
      if place == parts.count {
        places[object(entry.call)] = place
        parts.append(ConcurrentHistory())
      }
      parts[place].entries.append(entry)
    }
    return parts
  }

  /// Whether the calls can have happened one at a time, each at one moment between its beginning and its end.
  ///
  /// A call that had returned before another began comes before it. The states that led nowhere are remembered by the
  /// calls that had happened and by the model, so none is visited twice. A model that forgets what no call of the
  /// history could show, such as a text that nobody read, therefore takes less time to decide.
  /// Sources: Wing and Gong, "Testing and verifying concurrent objects", 1993; Lowe, "Testing for linearizability",
  /// 2017.
  ///
  /// - Parameters:
  ///   - model: The state of the object before the first call.
  ///   - step: Changes the model as a call does, and returns whether the call may return what it did. Of a call whose
  ///     outcome is unknown it accepts every one.
  /// - Returns: Whether the calls can have happened one at a time.
  /// - Complexity: O(n²) for most histories of n calls; exponential in how many overlap for the hardest.
  public func isLinearizable<Model: Hashable>(from model: Model, step: (inout Model, Call) -> Bool) -> Bool {
    // The middle of a call is the best guess at when it happened; what need not happen comes last.
    let entries = entries.sorted { ($0.middle, $0.returned) < ($1.middle, $1.returned) }
    /// The calls that may happen next, the most promising first; nil when all have happened.
    func choices(_ state: HistoryState<Model>) -> [(place: Int, model: Model)]? {
      let open = entries.indices.filter { !state[$0] }
      guard let end = open.map({ entries[$0].returned }).min(), end < .max else { return nil }
      var changes: [(place: Int, model: Model)] = []
      var same: [(place: Int, model: Model)] = []
      for place in open where entries[place].invoked <= end {
        var model = state.model
        guard step(&model, entries[place].call) else { continue }
        // What changes nothing is tried first, or left for later where its outcome is unknown.
        if model != state.model {
          changes.append((place, model))
        } else if entries[place].isKnown {
          same.append((place, model))
        }
      }
      return same + changes
    }
    let start = HistoryState(happened: Array(repeating: 0, count: entries.count / 64 + 1), model: model)
    var seen: Set<HistoryState<Model>> = []
    guard let first = choices(start) else { return true }
    var path = [(state: start, choices: first[...])]
    while let last = path.indices.last {
      guard let (place, model) = path[last].choices.popFirst() else {
        path.removeLast()
        continue
      }
      var state = HistoryState(happened: path[last].state.happened, model: model)
      state[place] = true
      guard seen.insert(state).inserted else { continue }
      guard let next = choices(state) else { return true }
      path.append((state, next[...]))
    }
    return false
  }
}

/// Which calls have happened, a bit each, and what they made of the model.
private struct HistoryState<Model: Hashable>: Hashable {
  var happened: [UInt64]
  let model: Model

  subscript(place: Int) -> Bool {
    get { happened[place >> 6] >> UInt64(place & 63) & 1 == 1 }
    set { if newValue != self[place] { happened[place >> 6] ^= 1 << UInt64(place & 63) } }
  }
}
