// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("Coming back")
struct ReconnectionTests {
  @Test("each attempt waits longer than the one before it, up to the cap, and after the last it is suspended")
  func backoff() {
    var live = ScriptedConnection.waiting()
    var waits: [Double] = []
    while live.phase == .waiting, let due = live.status.nextTry {
      waits.append((due - live.now).seconds)
      #expect(live.status.attempt == waits.count)
      live.wait(waits.last ?? 0)
      if let socket = live.socket { live.does(.failed(Generation(socket), .connectionRefused)) }
    }
    #expect(waits == [1, 2, 4, 8, 16, 30, 30, 30, 30, 30])
    #expect(live.phase == .suspended && live.status.attempt == 10)
  }

  @Test("a suspended connection still tries at its slow cadence, and those attempts are not counted")
  func cadence() {
    var live = ScriptedConnection.suspended()
    let since = live.now
    #expect(live.status.nextTry == since + .seconds(300))
    live.wait(300)
    #expect(live.phase == .connecting && live.status.attempt == 10)
    live.does(.failed(12, .connectionRefused))
    #expect(live.phase == .suspended && live.status.nextTry == since + .seconds(600))
  }

  @Test("without a cadence a suspended connection waits for a hint alone")
  func noCadence() {
    var live = ScriptedConnection.suspended { $0.suspendedCadence = nil }
    #expect(live.status.nextTry == nil && live.timer == nil)
    #expect(live.wait(100_000) == "")
    live.does(.app(isInFront: false))
    live.does(.app(isInFront: true))
    #expect(live.phase == .waiting)
  }

  @Test("a server that accepts and closes at once is met ever more rarely, and then not before the slow cadence")
  func acceptsThenCloses() {
    var live = ScriptedConnection()
    live.does(.start)
    var openings = 0
    while live.phase != .suspended, openings < 100 {
      if let socket = live.socket.map({ Generation($0) }) {
        live.does(.opened(socket))
        live.does(.closed(socket, Closure(.server, 1001)))
        openings += 1
      } else {
        live.wait(1)
      }
    }
    #expect(openings == 11, "the first, and ten attempts")
    #expect(live.now >= .zero + .seconds(181), "1 + 2 + 4 + 8 + 16 + 5 * 30")
  }

  @Test("the attempts are not forgotten when a connection opens, but when it has been up for long enough")
  func proofByUptime() {
    var live = ScriptedConnection.waiting()
    live.wait(1)
    live.does(.opened(2))
    #expect(live.status.attempt == 1)
    live.wait(9.999)
    #expect(live.status.attempt == 1 && live.status.lastProblem != nil)
    live.wait(0.001)
    #expect(live.status.attempt == 0 && live.status.lastProblem == nil)
    live.does(.closed(2, Closure(.network, 1006)))
    #expect(live.status.attempt == 1)
  }

  @Test("or when the application behind the socket has acknowledged something")
  func proofByAcknowledgement() {
    var live = ScriptedConnection.waiting()
    live.wait(1)
    live.does(.opened(2))
    live.does(.send(1, bytes: 10))
    #expect(live.status.attempt == 1)
    #expect(live.does(.received(2, .acknowledged(through: 1))) == "acknowledged 1, timer 31")
    #expect(live.status.attempt == 0)
  }

  @Test("a server that resumes the stream and then closes is met ever more rarely too")
  func resumesThenCloses() {
    var live = ScriptedConnection { $0.resumesStream = true }
    live.does(.start)
    var openings = 0
    while live.phase != .suspended, openings < 100 {
      if let socket = live.socket.map({ Generation($0) }) {
        live.does(.opened(socket))
        live.does(.received(socket, .resumed(after: StreamPosition(epoch: 1, offset: 0))))
        live.wait(1)
        live.does(.closed(socket, Closure(.server, 1001)))
        openings += 1
      } else {
        live.wait(1)
      }
    }
    #expect(openings == 11, "the first, and ten attempts")
    #expect(live.now >= .zero + .seconds(181), "1 + 2 + 4 + 8 + 16 + 5 * 30")
  }

  @Test("that the stream is resumed proves nothing, but that it stays so for long enough")
  func resumption() {
    var live = ScriptedConnection.waiting { $0.resumesStream = true }
    live.wait(1)
    live.does(.opened(2))
    live.does(.received(2, .resumed(after: StreamPosition(epoch: 1, offset: 0))))
    #expect(live.status.attempt == 1 && live.status.isCurrent)
    live.wait(10)
    #expect(live.status.attempt == 0)
  }

  @Test("an acknowledgement of nothing new proves nothing, and none does where acknowledgements are no proof")
  func noProof() {
    var live = ScriptedConnection.waiting()
    live.wait(1)
    live.does(.opened(2))
    #expect(live.does(.received(2, .acknowledged(through: 5))) == "")
    #expect(live.status.attempt == 1)
    var strict = ScriptedConnection.waiting { $0.proof.byAcknowledgement = false }
    strict.wait(1)
    strict.does(.opened(2))
    strict.does(.send(1, bytes: 1))
    strict.does(.received(2, .acknowledged(through: 1)))
    #expect(strict.status.attempt == 1)
  }

  @Test("time asleep is no proof")
  func asleep() {
    var live = ScriptedConnection.waiting()
    live.wait(1)
    live.does(.opened(2))
    live.freeze(3_600)
    live.does(.woke)
    live.wait(9)
    #expect(live.status.attempt == 1)
  }

  @Test("with full jitter the wait is a share of the longest one, by the random bits of the event")
  func jitter() {
    var live = ScriptedConnection.connected { $0.backoff.jitter = .full }
    live.word = 1 << 62
    #expect(live.does(.closed(1, Closure(.network, 1006))) == "timer 0.25")
    #expect(live.usedWord)
  }

  @Test("the convenient way takes its random bits from a generator and gives the same effects")
  func generator() {
    var (one, other) = (LiveConnection(), LiveConnection())
    var random = SplitMix64(seed: 5)
    let word = SplitMix64(seed: 5).first
    var effects = LiveEffects()
    other.handle(.start, at: .zero, word: word, into: &effects)
    #expect(one.handle(.start, at: .zero, using: &random) == Array(effects))
    #expect(one.status == other.status)
  }
}

extension SplitMix64 {
  /// The first word of the stream.
  fileprivate var first: UInt64 {
    var copy = self
    return copy.next()
  }
}
