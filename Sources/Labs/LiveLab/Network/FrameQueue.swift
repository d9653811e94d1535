// SPDX-License-Identifier: GPL-3.0-or-later

/// Where a queue of frames begins and ends in its pool.
struct FrameQueue {
  var first: Int32 = -1
  var last: Int32 = -1
  /// When the last frame that was ever put in arrives: what follows in one direction never overtakes.
  var lastArrival: Int64 = 0

  var isEmpty: Bool { first < 0 }
}

/// The memory of all the queues of one direction: linked lists in one array, whose places are used again, so that
/// queues grow and shrink without allocation.
struct FramePool<Frame: Sendable>: Sendable {
  struct Node {
    var frame: Frame
    /// When it was sent.
    var sent: Int64
    /// When it arrives, if nothing comes between.
    var arrives: Int64
    var next: Int32
  }

  private(set) var nodes: [Node] = []
  private var free: Int32 = -1

  init() { nodes.reserveCapacity(64) }

  /// Forgets all frames of all queues; the queues must be forgotten too.
  mutating func removeAll() {
    nodes.removeAll(keepingCapacity: true)
    free = -1
  }

  /// Puts a frame behind the others.
  ///
  /// - Returns: Whether it is the only one, so that its arrival is the queue's next.
  @inline(__always)
  mutating func append(_ frame: Frame, to queue: inout FrameQueue, sent: Int64, arrives: Int64) -> Bool {
    let arrival = max(arrives, queue.lastArrival)
    queue.lastArrival = arrival
    let node = Node(frame: frame, sent: sent, arrives: arrival, next: -1)
    let place: Int32
    if free >= 0 {
      place = free
      free = nodes[Int(place)].next
      nodes[Int(place)] = node
    } else {
      place = Int32(truncatingIfNeeded: nodes.count)
      nodes.append(node)
    }
    if queue.first < 0 {
      (queue.first, queue.last) = (place, place)
      return true
    }
    nodes[Int(queue.last)].next = place
    queue.last = place
    return false
  }

  /// Takes the first frame of a queue that has one.
  @inline(__always)
  mutating func removeFirst(_ queue: inout FrameQueue) -> Frame {
    let place = queue.first
    let frame = nodes[Int(place)].frame
    let next = nodes[Int(place)].next
    nodes[Int(place)].next = free
    free = place
    queue.first = next
    if next < 0 { queue.last = -1 }
    return frame
  }

  /// Drops all frames of a queue.
  mutating func removeAll(_ queue: inout FrameQueue) {
    while !queue.isEmpty { _ = removeFirst(&queue) }
    queue.lastArrival = 0
  }

  /// When the first frame of a queue arrives; never where there is none.
  @inline(__always)
  func arrival(_ queue: FrameQueue) -> Int64 {
    queue.first < 0 ? .max : nodes[Int(queue.first)].arrives
  }

  /// When the first frame of a queue that has one was sent.
  func sent(_ queue: FrameQueue) -> Int64 { nodes[Int(queue.first)].sent }
}
