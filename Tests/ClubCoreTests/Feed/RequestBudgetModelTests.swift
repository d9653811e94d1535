// SPDX-License-Identifier: Apache-2.0
@testable import ClubCore
import CoreDates
import Testing

/// A service that counts by its own clock what arrives.
private struct CountingService {
  let limits: RequestBudget.Limits
  /// How far its clock is ahead of the client's, in milliseconds.
  let ahead: Int
  private(set) var perWindow: [Int: Int] = [:]
  private(set) var perDay: [Int: Int] = [:]
  private(set) var refused = 0

  init(limits: RequestBudget.Limits, ahead: Int) {
    (self.limits, self.ahead) = (limits, ahead)
  }

  /// Counts a request that arrives at a moment of the client's clock.
  mutating func answer(at moment: Moment, telling: Bool) -> FeedReply {
    let own = moment.milliseconds + ahead
    let (window, day) = (own.floorDivided(by: 900_000), own.floorDivided(by: 86_400_000))
    perWindow[window, default: 0] += 1
    perDay[day, default: 0] += 1
    let (inWindow, inDay) = (perWindow[window] ?? 0, perDay[day] ?? 0)
    let isRefused = inWindow > limits.perWindow || inDay > limits.perDay
    if isRefused { refused += 1 }
    var headers: [FeedResponse.Header] = []
    if telling {
      headers = [
        .init("X-RateLimit-Limit", "\(limits.perWindow),\(limits.perDay)"),
        .init("X-RateLimit-Usage", "\(inWindow),\(inDay)"), .init("Date", Self.date(own)),
      ]
    }
    return .response(FeedResponse(status: isRefused ? 429 : 200, headers: headers))
  }

  /// What others spend.
  mutating func spend(_ count: Int, at moment: Moment) {
    let own = moment.milliseconds + ahead
    perWindow[own.floorDivided(by: 900_000), default: 0] += count
    perDay[own.floorDivided(by: 86_400_000), default: 0] += count
  }

  private static func date(_ milliseconds: Int) -> String {
    let seconds = milliseconds.floorDivided(by: 1000)
    let day = seconds.floorDivided(by: 86_400)
    let date = CivilDate(day: day)
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let rest = seconds - day * 86_400
    let parts = [date.dayOfMonth, rest / 3600, rest / 60 % 60, rest % 60].map { $0.padded(to: 2) }
    return "Mon, \(parts[0]) \(months[date.month - 1]) \(date.year.padded(to: 4)) "
      + "\(parts[1]):\(parts[2]):\(parts[3]) GMT"
  }
}

@Suite("Request budget against a counting service")
struct RequestBudgetModelTests {
  private struct Flight {
    let sent: Moment
    let arrives: Moment
    let returns: Moment?
  }

  @Test("no period is ever overdrawn, whatever the schedule, within the margin of the clocks", arguments: 0..<60)
  func neverOverdrawn(seed: Int) {
    var numbers = TestNumbers(seed: seed)
    let limits = RequestBudget.Limits(
      perWindow: Int.random(in: 1...12, using: &numbers), perDay: Int.random(in: 1...60, using: &numbers))
    let margin = Int.random(in: 0...20_000, using: &numbers)
    let ahead = Int.random(in: -margin / 2...margin / 2, using: &numbers)
    var service = CountingService(limits: limits, ahead: ahead)
    var budget = RequestBudget(assumed: limits, margin: margin)
    var now = Sample.at(0, 0).adding(milliseconds: Int.random(in: 0...86_400_000, using: &numbers))
    var flights: [Flight] = []
    var replies: [(Flight, FeedReply)] = []
    let telling = numbers.happens(50)
    var sent = 0
    for _ in 0..<1500 {
      let ready = flights.filter { $0.arrives <= now }
      flights.removeAll { $0.arrives <= now }
      replies += ready.sorted { $0.arrives < $1.arrives }.map { ($0, service.answer(at: $0.arrives, telling: telling)) }
      for (flight, reply) in replies where flight.returns.map({ $0 <= now }) ?? (flight.sent.adding(seconds: 30) <= now)
      {
        budget.received(flight.returns == nil ? .timedOut : reply, at: now, sent: flight.sent)
      }
      replies.removeAll { $0.0.returns.map { $0 <= now } ?? ($0.0.sent.adding(seconds: 30) <= now) }
      switch budget.permission(at: now) {
      case .now where numbers.happens(80):
        let arrives = now.adding(milliseconds: Int.random(in: 0...(margin - abs(ahead)), using: &numbers))
        let returns = arrives.adding(milliseconds: Int.random(in: 0...3000, using: &numbers))
        flights.append(Flight(sent: now, arrives: arrives, returns: numbers.happens(10) ? nil : returns))
        budget.sent(at: now)
        sent += 1
      case .at(let moment) where numbers.happens(50):
        #expect(moment > now)
        now = moment
      case .now where numbers.happens(20):
        // To just before a seam, where most can go wrong.
        now = max(now, Moment(seconds: (now.seconds / 900 + 1) * 900 - Int.random(in: 0...10, using: &numbers)))
      default:
        now = now.adding(milliseconds: Int.random(in: 0...(numbers.happens(5) ? 300_000 : 2000), using: &numbers))
      }
    }
    #expect(service.refused == 0)
    #expect(service.perWindow.values.allSatisfy { $0 <= limits.perWindow })
    #expect(service.perDay.values.allSatisfy { $0 <= limits.perDay })
    #expect(sent > 0)
  }

  @Test("a client that always asks spends nearly all that there is")
  func spendsAll() {
    var service = CountingService(limits: .init(perWindow: 20, perDay: 500), ahead: 0)
    var budget = RequestBudget(assumed: .init(perWindow: 20, perDay: 500))
    var now = Sample.at(0, 0)
    while now < Sample.at(2, 0) {
      guard case .now = budget.permission(at: now) else {
        if case .at(let moment) = budget.permission(at: now) { now = moment }
        continue
      }
      budget.sent(at: now)
      now = now.adding(milliseconds: 300)
      budget.received(service.answer(at: now, telling: true), at: now)
    }
    #expect(service.refused == 0)
    #expect(service.perDay.values.sorted() == [500, 500])
  }

  @Test("with a clock that is wrong by hours, one request after the other overdraws nothing", arguments: 0..<20)
  func wrongClock(seed: Int) {
    var numbers = TestNumbers(seed: seed)
    let limits = RequestBudget.Limits(perWindow: 5, perDay: 40)
    var service = CountingService(limits: limits, ahead: Int.random(in: -80_000_000...80_000_000, using: &numbers))
    var budget = RequestBudget(assumed: limits)
    var now = Sample.at(0, 7).adding(milliseconds: Int.random(in: 0...900_000, using: &numbers))
    for _ in 0..<400 {
      if case .at(let moment) = budget.permission(at: now) { now = moment }
      budget.sent(at: now)
      now = now.adding(milliseconds: Int.random(in: 0...1500, using: &numbers))
      let reply = service.answer(at: now, telling: true)
      now = now.adding(milliseconds: Int.random(in: 0...1500, using: &numbers))
      budget.received(reply, at: now)
    }
    #expect(service.refused == 0)
  }

  @Test("where others spend, too, a refusal is the last request of its period", arguments: 0..<20)
  func others(seed: Int) {
    var numbers = TestNumbers(seed: seed)
    let limits = RequestBudget.Limits(perWindow: 20, perDay: 300)
    var service = CountingService(limits: limits, ahead: 0)
    var budget = RequestBudget(assumed: limits)
    var (now, refusedWindow): (Moment, Int?) = (Sample.at(0, 0), nil)
    for _ in 0..<600 {
      if numbers.happens(20) { service.spend(Int.random(in: 0...6, using: &numbers), at: now) }
      if case .at(let moment) = budget.permission(at: now) { now = moment }
      let window = now.seconds / 900
      #expect(refusedWindow != window)
      let before = service.refused
      budget.sent(at: now)
      budget.received(service.answer(at: now, telling: numbers.happens(70)), at: now)
      if service.refused > before { refusedWindow = window }
      now = now.adding(milliseconds: Int.random(in: 0...60_000, using: &numbers))
    }
  }
}
