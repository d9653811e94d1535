// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("Answers of a server, in odd places")
struct AnswerTests {
  @Test("an open connection cannot be refused, opened or given credentials any more")
  func whileOpen() {
    for event in [
      .refused(1, Refusal(status: 404)), .refused(1, Refusal(status: 301, redirect: .secure)), .opened(1),
      .credentials(1, isFresh: false), .credentials(1, isFresh: true),
    ] as [LiveEvent] {
      var live = ScriptedConnection.connected()
      let state = live.connection.state
      #expect(live.does(event) == "" && live.connection.state == state, "\(event)")
    }
  }

  @Test("credentials that nobody asked for change nothing of an attempt")
  func uncalledCredentials() {
    var live = ScriptedConnection.connecting()
    let state = live.connection.state
    #expect(live.does(.credentials(1, isFresh: true)) == "" && live.does(.credentials(1, isFresh: false)) == "")
    #expect(live.connection.state == state)
  }

  @Test("what was refused is told while fresh credentials are fetched")
  func problemWhileFetching() {
    var live = ScriptedConnection.connecting()
    live.does(.refused(1, Refusal(status: 401)))
    #expect(live.status.lastProblem == .refused(status: 401) && live.status.phase == .connecting)
  }

  @Test(
    "the end tells what led to it",
    arguments: [(3000, .unauthorised), (1003, .closed(1003))] as [(UInt16, Ended.Reason)])
  func endTells(code: UInt16, expected: Ended.Reason) {
    var live = ScriptedConnection.connecting()
    live.does(.refused(1, Refusal(status: 401)))
    live.does(.credentials(2, isFresh: true))
    live.does(.opened(2))
    live.does(.closed(2, Closure(.server, CloseCode(code))))
    #expect(live.reason == expected && live.status.lastProblem == .closed(Closure(.server, CloseCode(code))))
  }

  @Test(
    "a redirect that leads nowhere is a bad redirect, whatever its number, and a refusal is a refusal",
    arguments: [300, 301, 304, 305, 308, 399, 400, 404, 499] as [UInt16])
  func reasons(status: UInt16) {
    var live = ScriptedConnection.connecting()
    live.does(.refused(1, Refusal(status: status)))
    #expect(live.reason == (status < 400 ? .badRedirect : .refused(status)))
    #expect(live.status.lastProblem == .refused(status: status))
  }

  @Test("a plain address may be sent to plain ones again and again, as often as the limit says")
  func plainRedirects() {
    var live = ScriptedConnection.connecting { $0.isSecure = false }
    for generation in 1...5 as ClosedRange<UInt32> {
      let told = live.does(.refused(Generation(generation), Refusal(status: 302, redirect: .plain)))
      #expect(told == "open \(generation + 1) redirected")
    }
    live.does(.refused(6, Refusal(status: 302, redirect: .plain)))
    #expect(live.reason == .badRedirect)
  }

  @Test("each attempt has all its redirects, and forgets what those of another made secure")
  func redirectsPerAttempt() {
    var live = ScriptedConnection.connecting { $0.isSecure = false }
    for _ in 0..<3 {
      for redirect in [.plain, .plain, .plain, .plain, .secure] as [Redirect] {
        let told = live.does(.refused(Generation(live.socket ?? 0), Refusal(status: 307, redirect: redirect)))
        #expect(told.contains("redirected"))
      }
      live.does(.failed(Generation(live.socket ?? 0), .timedOut))
      live.wait(10)
      #expect(live.phase == .connecting)
    }
  }

  @Test("a redirect may not weaken an address that was secure from the start, after whatever redirects")
  func secureFromTheStart() {
    var live = ScriptedConnection.connecting()
    live.does(.refused(1, Refusal(status: 307, redirect: .secure)))
    live.does(.refused(2, Refusal(status: 307, redirect: .plain)))
    #expect(live.reason == .badRedirect)
  }

  @Test(
    "every frame beyond the bounds is answered by the code that it came with",
    arguments: [1002, 1007, 1009] as [UInt16])
  func malformed(code: UInt16) {
    var live = ScriptedConnection.connected { $0.closeRules.laterSpread = .zero }
    live.does(.send(1, bytes: 1))
    #expect(live.does(.received(1, .malformed(CloseCode(code)))) == "close 1 with \(code), abort 1, timer 6")
    live.wait(6)
    #expect(live.does(.opened(2)).hasPrefix("send 1"), "and what was on its way is sent again")
  }

  @Test("a server that restarts is left alone even where the app's hints come meanwhile")
  func laterAndHints() {
    var live = ScriptedConnection.connected()
    live.does(.closed(1, Closure(.server, 1012)))
    #expect(live.does(.woke) == "timer 5.5")
  }
}

@Suite("Messages in odd places")
struct MessagePlaceTests {
  private let first = StreamPosition(epoch: 1, offset: 1)

  @Test("an open connection whose stream is not resumed yet takes messages, and sends them when it is")
  func notCurrent() {
    var live = ScriptedConnection.connected { $0.resumesStream = true }
    #expect(!live.does(.send(1, bytes: 1)).contains("send"))
    #expect(live.status.queued == 1)
    #expect(live.does(.received(1, .resumed(after: first))).hasPrefix("send 1"))
  }

  @Test("a server is told to have taken no more than was sent, whatever it says")
  func acknowledgedTooFar() {
    var live = ScriptedConnection.connected()
    live.does(.send(1, bytes: 1))
    live.does(.send(2, bytes: 1))
    #expect(live.does(.received(1, .acknowledged(through: 99))).hasPrefix("acknowledged 2"))
    #expect(live.status.queued == 0)
  }

  @Test("without the sequence protocol every message is handed over, wherever the server says that it stands")
  func noSequence() {
    var live = ScriptedConnection.connected()
    for offset in [5, 5, 2, 9] as [UInt64] {
      let place = StreamPosition(epoch: 1, offset: offset)
      #expect(live.does(.received(1, .message(place, bytes: 1))) == "deliver 1/\(offset)")
    }
    #expect(live.connection.position == nil)
  }

  @Test("bounds of the outbox that change hold from the next message on")
  func newBounds() {
    var live = ScriptedConnection()
    for number in 1...3 as ClosedRange<UInt64> { live.does(.send(MessageNumber(number), bytes: 1)) }
    live.change { $0.outbox.count = 2 }
    #expect(live.does(.send(4, bytes: 1)).hasPrefix("dropped 1 overflow, dropped 2 overflow"))
    #expect(live.status.queued == 2)
  }

  @Test("each message that was sent is acknowledged, dropped once or waits, whatever happens")
  func noMessageVanishes() {
    for seed in 0..<150 as Range<UInt64> {
      var life = RandomLife(seed: seed)
      var (acknowledged, dropped) = (UInt64(0), Set<UInt64>())
      for _ in 0..<250 {
        let event = life.nextEvent()
        var live = life.live
        let told = live.does(event) + "; " + live.wait(0.7)
        life.goesOn(live)
        for words in told.split(whereSeparator: { ",;".contains($0) }).map({ $0.split(separator: " ") }) {
          guard words.count > 1, let number = UInt64(words[1]) else { continue }
          if words[0] == "dropped" { #expect(dropped.insert(number).inserted && number > acknowledged, "\(seed)") }
          if words[0] == "acknowledged" { acknowledged = max(acknowledged, number) }
        }
        let waiting = Set(live.connection.outbox.map(\.number.value))
        guard life.sent > 0 else { continue }
        for number in 1...life.sent {
          let ends = [number <= acknowledged, dropped.contains(number), waiting.contains(number)].count { $0 }
          #expect(ends >= 1, "\(number) vanished, seed \(seed)")
          #expect(!waiting.contains(number) || ends == 1, "\(number) waits and has ended, seed \(seed)")
        }
      }
    }
  }

  @Test("of a stream of one epoch each message is handed over once, in order, or reported missing, whatever happens")
  func noHole() {
    for seed in 0..<150 as Range<UInt64> {
      var (random, covered) = (SplitMix64(seed: seed), UInt64?.none)
      var live = ScriptedConnection { $0.resumesStream = true }
      live.does(.start)
      for _ in 0..<200 {
        let generation = Generation(live.socket ?? 0)
        let place = StreamPosition(epoch: 1, offset: UInt64(random.below((covered ?? 3) + 4)))
        let event: LiveEvent
        switch random.below(8) {
        case 0: event = .closed(generation, Closure(.network, 1006))
        case 1, 2: event = .opened(generation)
        case 3: event = .received(generation, .resumed(after: place))
        default: event = .received(generation, .message(place, bytes: 1))
        }
        var effects = LiveEffects()
        var copy = live.connection
        copy.handle(event, at: live.now, word: live.word, into: &effects)
        for effect in effects {
          if case .gap(let after, let last) = effect {
            #expect(after?.offset == covered && last.offset > (covered ?? 0), "seed \(seed)")
            covered = last.offset
          }
          if case .deliver(let place?, _) = effect {
            #expect(covered == nil || place.offset == (covered ?? 0) + 1, "seed \(seed)")
            covered = place.offset
          }
        }
        live.does(event)
        live.wait(1)
        covered = covered ?? live.connection.position?.offset
        #expect(live.connection.position?.offset == covered)
      }
    }
  }
}
