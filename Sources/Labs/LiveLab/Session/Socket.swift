// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// One connection of a session, at both ends.
struct Socket {
  var generation = Generation.none
  /// Whether either end, or a last word to the client, still needs the place.
  var isUsed = false
  /// The client asked for it, and was not told that it is gone, and did not drop it.
  var isHeld = false
  /// The client was told that it is open.
  var isOpened = false
  /// The server has it.
  var isAtServer = false
  /// The server had it, and answers no longer, not even by a reset.
  var isMute = false
  /// What is sent is lost for good, and nobody is told.
  var isCut = false
  /// Frames wait for a fault to end before they go on.
  var isUpStalled = false
  var isDownStalled = false
  /// The server sends the stream's messages.
  var isSubscribed = false
  /// The client was told where the stream goes on, or needs not be.
  var isResumed = false
  /// The app has all that the stream had when it was resumed.
  var isCaughtUp = false
  /// What `control` rings for.
  var control = Control.none
  /// What the client is told when `control` rings for its last words.
  var lastWord = LastWord.none
  /// When anything last went over it.
  var lastActivity: Int64 = 0
  /// Where the stream was when it was resumed.
  var target = StreamPosition(epoch: 0, offset: 0)
  var up = FrameQueue()
  var down = FrameQueue()

  enum Control: UInt8 {
    case none
    /// The kernel's own limit for opening.
    case connectTimeout
    /// The client is told how it ended.
    case lastWord
    /// A proxy that cuts idle connections looks at it.
    case idle
    /// The kernel's limit for unacknowledged packets.
    case sendTimeout
    /// The server drops what it could not know to be dead.
    case serverTimeout
  }

  enum LastWord: Hashable {
    case none
    case failed(ConnectFailure)
    case closed(Closure)
  }
}

/// A frame on its way to the server.
struct UpFrame: Sendable {
  enum Kind: UInt8 {
    case hello, ping, pong, resume, resumeFromNow, message, close, reset
  }

  var kind: Kind
  var epoch: UInt32 = 0
  var number: UInt64 = 0
}

/// A frame on its way to the client.
struct DownFrame: Sendable {
  enum Kind: UInt8 {
    /// Nothing that changes the truth about sockets.
    case plain
    case opened, failed, closed, resumed
  }

  var kind: Kind
  var event: LiveEvent
}
