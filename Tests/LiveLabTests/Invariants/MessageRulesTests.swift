// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

private let one = Generation(1)
private let nothing = LiveEvent.network(isReachable: true)

@Suite("What the watch asks of messages")
struct MessageRulesTests {
  private func place(_ offset: UInt64, epoch: UInt32 = 1) -> StreamPosition {
    StreamPosition(epoch: epoch, offset: offset)
  }

  private func message(_ place: StreamPosition?) -> LiveEvent { .received(one, .message(place, bytes: 1)) }

  private func deliver(_ places: StreamPosition?...) -> [LiveEffect] { places.map { .deliver($0, bytes: 1) } }

  private func gap(_ from: UInt64, _ last: StreamPosition) -> LiveEffect { .gap(after: place(from), upTo: last) }

  /// What is found when a message arrives and these effects follow, the stream being at its tenth.
  private func found(_ arrived: StreamPosition?, _ effects: [LiveEffect]) -> ToldCourse {
    var course = ToldCourse.proven()
    course.tell(message(arrived), at: 20, effects)
    return course
  }

  @Test("each is delivered once, and what is missing before it is told")
  func stream() {
    #expect(found(place(11), deliver(place(11))).broken.isEmpty)
    #expect(found(place(11), []).finding == .wrongCount(0, expected: 1))
    #expect(found(place(11), []).broken == [.messagesDelivered])
    #expect(found(place(11), deliver(place(11), place(12))).finding == .wrongCount(2, expected: 1))
    #expect(found(place(10), []).broken.isEmpty)
    #expect(found(place(10), deliver(place(10))).finding == .message(10, expected: 11))
    #expect(found(place(11), deliver(place(10))).broken == [.deliveredOnce])
    #expect(found(place(12), deliver(place(12))).broken == [.messagesDelivered])
    #expect(found(place(12), [gap(10, place(11))] + deliver(place(12))).broken.isEmpty)
    #expect(found(place(1, epoch: 2), deliver(place(1, epoch: 2))).broken == [.messagesDelivered])
    #expect(found(place(1, epoch: 2), [gap(10, place(0, epoch: 2))] + deliver(place(1, epoch: 2))).broken.isEmpty)
    #expect(found(nil, deliver(nil)).broken.isEmpty && found(nil, []).broken == [.messagesDelivered])
  }

  @Test("the first is as good as any other, and nothing is missing before it")
  func first() {
    var settings = ConnectionSettings()
    settings.resumesStream = false
    for (effects, isRight) in [(deliver(nil), true), ([], false)] {
      var course = ToldCourse.open(settings)
      course.tell(message(nil), at: 2, effects)
      #expect(course.broken == (isRight ? [] : [.firstMessage]))
      course.tell(message(nil), at: 3, deliver(nil))
      #expect(course.broken == (isRight ? [] : [.firstMessage]))
    }
    var placed = ToldCourse.opening()
    placed.tell(.opened(one), at: 1, timer: 11, shows: .connected(1, isCurrent: false))
    placed.tell(message(place(5)), at: 2, deliver(place(5)))
    #expect(placed.broken.isEmpty)
  }

  /// What is found when a second connection's stream goes on after a place, the first having ended at the tenth.
  private func resumed(after start: StreamPosition, _ effects: [LiveEffect]) -> [Invariant] {
    var course = ToldCourse.proven()
    course.tell(
      .closed(one, Closure(.network, CloseCode(1_006))), at: 20, timer: 22, shows: .waiting(0, until: 22))
    let two = Generation(2)
    course.ring(at: 22, [.open(two, .original)], timer: 32, shows: .connecting(1))
    course.tell(.opened(two), at: 23, timer: 33, shows: .connected(1, isCurrent: false))
    course.tell(.received(two, .resumed(after: start)), at: 24, effects, shows: .connected(1))
    // Said again it changes nothing.
    course.tell(.received(two, .resumed(after: place(90))), at: 24)
    course.tell(
      .received(two, .message(place(start.offset + 1, epoch: start.epoch), bytes: 1)), at: 25,
      deliver(place(start.offset + 1, epoch: start.epoch)))
    return course.broken
  }

  @Test("what is missing between two connections is told when the stream is resumed")
  func resumption() {
    #expect(resumed(after: place(10), []).isEmpty)
    #expect(resumed(after: place(13), [gap(10, place(13))]).isEmpty)
    #expect(resumed(after: place(13), []) == [.messagesDelivered])
    #expect(resumed(after: place(0, epoch: 2), [gap(10, place(0, epoch: 2))]).isEmpty)
    #expect(resumed(after: place(0, epoch: 2), []) == [.messagesDelivered])
  }

  @Test("a stream that is resumed with the first frame is current at once")
  func current() {
    var course = ToldCourse.opening()
    course.tell(.opened(one), at: 1, timer: 11, shows: .connected(1, isCurrent: false))
    course.tell(.received(one, .resumed(after: place(1))), at: 2)
    #expect(course.broken == [.firstMessage, .statusTrue])
  }

  /// An open connection with so many messages of the app sent on it.
  private func sent(_ count: Int, _ settings: ConnectionSettings = ConnectionSettings()) -> ToldCourse {
    var course = ToldCourse.open(settings)
    for number in 1...UInt64(count) {
      course.tell(
        .send(MessageNumber(number), bytes: 1), at: 2, [.sendMessage(one, MessageNumber(number))],
        shows: .connected(1, queued: Int(number)))
    }
    return course
  }

  @Test("the app is told once of each what became of it, and of none that it never sent")
  func answered() {
    func told(_ effects: [LiveEffect], queued: Int) -> [Invariant] {
      var course = sent(3)
      course.tell(nothing, at: 3, effects, shows: .connected(1, queued: queued))
      return course.broken
    }
    func acknowledged(_ number: UInt64) -> LiveEffect { .acknowledged(through: MessageNumber(number)) }
    func dropped(_ number: UInt64) -> LiveEffect { .dropped(MessageNumber(number), .age) }
    #expect(told([acknowledged(2)], queued: 1).isEmpty && told([dropped(2)], queued: 2).isEmpty)
    #expect(told([acknowledged(2), dropped(3)], queued: 0).isEmpty)
    #expect(told([acknowledged(4)], queued: 3) == [.answeredOnce])
    #expect(told([acknowledged(2), acknowledged(2)], queued: 1) == [.answeredOnce])
    #expect(told([acknowledged(2), dropped(2)], queued: 1) == [.answeredOnce])
    #expect(told([dropped(2), dropped(2)], queued: 2) == [.answeredOnce])
    #expect(told([dropped(4)], queued: 3) == [.answeredOnce])
  }

  @Test("they go in order, from the first that has no answer, and again on each connection")
  func order() {
    for (number, isRight) in [(3, true), (2, false), (4, false)] as [(UInt64, Bool)] {
      var course = sent(2)
      for made in 3...4 as ClosedRange<UInt64> {
        course.tell(.send(MessageNumber(made), bytes: 1), at: 3, shows: .connected(1, queued: Int(made)))
      }
      course.tell(nothing, at: 4, [.sendMessage(one, MessageNumber(number))])
      #expect(course.finding == (isRight ? nil : .message(number, expected: 3)))
    }
  }

  @Test("an acknowledgement proves the connection, of a message that was sent and where the settings say so")
  func proof() {
    func proves(_ number: UInt64, byAcknowledgement: Bool = true) -> Bool {
      var settings = ConnectionSettings()
      settings.proof.byAcknowledgement = byAcknowledgement
      var course = sent(1, settings)
      course.tell(.send(MessageNumber(2), bytes: 1), at: 3, shows: .connected(1, queued: 2))
      let effects = number == 0 ? [] : [LiveEffect.acknowledged(through: MessageNumber(1))]
      course.tell(
        .received(one, .acknowledged(through: MessageNumber(number))), at: 4, effects,
        shows: .connected(0, queued: number == 0 ? 2 : 1))
      return course.broken.isEmpty
    }
    #expect(proves(1) && proves(2) && !proves(0) && !proves(1, byAcknowledgement: false))
  }

  @Test("no more wait than the settings allow")
  func bounds() {
    for (most, isRight) in [(3, true), (2, false)] {
      var settings = ConnectionSettings()
      settings.outbox.count = most
      #expect(sent(3, settings).broken == (isRight ? [] : [.queueBounds]))
    }
  }
}

@Suite("An account of messages")
struct OutgoingAccountTests {
  @Test("claims nothing of a message more than 1,024 behind the first that waits")
  func window() {
    for (number, isRemembered) in [(1_024, true), (1_025, false)] as [(UInt64, Bool)] {
      var account = InvariantWatch.OutgoingAccount()
      account.made(MessageNumber(1_030))
      _ = account.dropped(MessageNumber(number))
      let again = account.dropped(MessageNumber(number))
      #expect(again == !isRemembered)
    }
    var account = InvariantWatch.OutgoingAccount()
    account.made(MessageNumber(1_030))
    // The same place in the account as that of the first.
    _ = account.dropped(MessageNumber(1_025))
    let first = account.dropped(MessageNumber(1))
    #expect(first)
  }

  @Test("drops at the front are settled at once, and the next that goes out is the first that waits")
  func front() {
    var account = InvariantWatch.OutgoingAccount()
    account.made(MessageNumber(5))
    for number in [2, 1, 3] as [UInt64] { _ = account.dropped(MessageNumber(number)) }
    #expect(account.through == 3 && account.waiting == 2 && account.next() == 4)
    account.sent(MessageNumber(4))
    #expect(account.next() == 5 && !account.isNews(MessageNumber(3)) && account.isNews(MessageNumber(9)))
    account.connectionEnded()
    #expect(account.next() == 4)
  }
}
