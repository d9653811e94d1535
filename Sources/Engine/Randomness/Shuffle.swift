// SPDX-License-Identifier: GPL-3.0-or-later

/// Puts the elements in an order drawn uniformly from all orders (Fisher and Yates, in Durstenfeld's form).
///
/// - Parameters:
///   - elements: The elements to shuffle, in place; fewer than 2^32 of them.
///   - stream: Where the randomness comes from.
/// - Complexity: O(n), one bounded draw per element.
@inlinable
public func shuffle<Elements>(_ elements: inout Elements, using stream: inout WordStream)
where Elements: MutableCollection & RandomAccessCollection {
  shuffle(&elements, first: elements.count, using: &stream)
}

/// Makes the first elements a uniformly drawn ordered sample of all, and leaves the others in some order.
///
/// Uniform from any starting order, so a shoe that was dealt from need not be put back in order.
///
/// - Parameters:
///   - elements: The elements to draw from, in place; fewer than 2^32 of them.
///   - prefix: How many to draw; more than there are means all, a negative number none.
///   - stream: Where the randomness comes from.
/// - Complexity: O(`prefix`), one bounded draw per element of the prefix.
@inlinable
public func shuffle<Elements>(_ elements: inout Elements, first prefix: Int, using stream: inout WordStream)
where Elements: MutableCollection & RandomAccessCollection {
  var remaining = elements.count
  var place = elements.startIndex
  for _ in 0..<max(0, min(prefix, remaining - 1)) {
    let offset = stream.below(UInt32(truncatingIfNeeded: remaining))
    elements.swapAt(place, elements.index(place, offsetBy: Int(offset)))
    elements.formIndex(after: &place)
    remaining -= 1
  }
}
