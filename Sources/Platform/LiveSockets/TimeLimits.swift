// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
internal import NIOPosix

/// The time limits of one event loop's sockets: for a handshake, for closing, for a pong.
///
/// Most sockets stay within their limits, which are then ignored. A task of the loop for each limit would be expensive:
/// every connection's bootstrap cancels a task, for which the loop searches all tasks. There are only a few lengths,
/// and limits of one length are due in the order in which they were set, so each length needs only one queue and one
/// task.
// Unchecked, since it is used on the thread of its event loop alone.
final class TimeLimits: @unchecked Sendable {
  private static let ofThread = ThreadSpecificVariable<TimeLimits>()

  private let loop: any EventLoop
  private var queues: [Queue] = []

  private init(_ loop: any EventLoop) { self.loop = loop }

  /// The time limits of an event loop; call it on the loop.
  static func on(_ loop: any EventLoop) -> TimeLimits {
    if let known = ofThread.currentValue, known.loop === loop { return known }
    let new = TimeLimits(loop)
    ofThread.currentValue = new
    return new
  }

  /// Runs an action on a socket after the time, if the socket still exists.
  func set(_ length: TimeAmount, for socket: WebSocketHandler, _ action: @escaping (WebSocketHandler) -> Void) {
    let limit = Limit(due: loop.now + length, socket: socket, action: action)
    if let queue = queues.first(where: { $0.length == length }) { return queue.waiting.append(limit) }
    let queue = Queue(length)
    queue.waiting.append(limit)
    queues.append(queue)
    look(at: queue, at: limit.due)
  }

  /// Runs the due actions of a queue. A queue and its task exist while a limit waits in it.
  private func look(at queue: Queue, at moment: NIODeadline) {
    loop.assumeIsolated().scheduleTask(deadline: moment) {
      let now = self.loop.now
      while let first = queue.waiting.first, first.due <= now || first.socket == nil {
        queue.waiting.removeFirst()
        if let socket = first.socket { first.action(socket) }
      }
      if let first = queue.waiting.first {
        self.look(at: queue, at: first.due)
      } else {
        self.queues.removeAll { $0 === queue }
      }
    }
  }

  private struct Limit {
    let due: NIODeadline
    weak var socket: WebSocketHandler?
    let action: (WebSocketHandler) -> Void
  }

  private final class Queue {
    let length: TimeAmount
    var waiting = CircularBuffer<Limit>()

    init(_ length: TimeAmount) { self.length = length }
  }
}
