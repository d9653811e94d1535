// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting

extension Challenges {
  static let binheap = Challenge(
    "binheap", "a heap emptied by a routine that merges once is sorted",
    normalForm: .node(0, .empty, .node(0, .node(0, .empty, .empty), .node(1, .empty, .empty))),
    Heap.heaps(from: .min, size: 20)
  ) { heap in
    let sorted = heap.wronglySorted
    return sorted == sorted.sorted() && sorted == heap.elements.sorted()
  }
}

/// A binary heap: no key is smaller than the key above it.
private indirect enum Heap: Sendable, CustomDebugStringConvertible {
  case empty
  case node(Int, Heap, Heap)

  static func heaps(from lowest: Int, size: Int) -> Gen<Heap> {
    if size == 0 { return .just(.empty) }
    return .oneOf(
      .just(.empty),
      Gen { draws in
        let key = try draws.draw(Gen<Int>.integers(in: lowest...Int.max))
        let below = heaps(from: key, size: size / 2)
        return .node(key, try draws.draw(below), try draws.draw(below))
      })
  }

  /// The keys, each before those below it, right before left.
  var elements: [Int] {
    var keys: [Int] = []
    var stack = [self]
    while let next = stack.popLast() {
      guard case .node(let key, let left, let right) = next else { continue }
      keys.append(key)
      stack += [left, right]
    }
    return keys
  }

  func merged(with other: Heap) -> Heap {
    guard case .node(let key, let left, let right) = self else { return other }
    guard case .node(let otherKey, let otherLeft, let otherRight) = other else { return self }
    return key <= otherKey
      ? .node(key, right.merged(with: other), left) : .node(otherKey, otherRight.merged(with: self), otherLeft)
  }

  /// Takes the smallest key, merges once, and lists the rest as it stands: wrong.
  var wronglySorted: [Int] {
    guard case .node(let key, let left, let right) = self else { return [] }
    return [key] + left.merged(with: right).elements
  }

  var debugDescription: String {
    switch self {
    case .empty: "None"
    case .node(let key, let left, let right): "(\(key), \(left.debugDescription), \(right.debugDescription))"
    }
  }
}
