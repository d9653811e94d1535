// SPDX-License-Identifier: GPL-3.0-or-later

/// How deep in spans a draw is, and whether one of them is a collection.
struct Nesting: Sendable {
  private var depth = 0
  /// The depth in the outermost collection; the largest number outside of all.
  private var collection = Int.max

  /// Whether what is drawn next is a part of a collection.
  var isInCollection: Bool { collection != .max }

  @inline(__always)
  mutating func open() { depth &+= 1 }

  @inline(__always)
  mutating func close() {
    depth &-= 1
    if depth < collection { collection = .max }
  }

  /// Notes that the span begun last, and not yet ended, is a collection.
  @inline(__always)
  mutating func enterCollection() { collection = min(collection, depth) }
}
