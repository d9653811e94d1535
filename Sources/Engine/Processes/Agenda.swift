// SPDX-License-Identifier: GPL-3.0-or-later
public import VirtualTime

/// A calendar of a model's own events, for simulations as a loop over a `switch`: the fastest form.
///
///     enum Event { case arrival, departure }
///     var agenda = Agenda<Event>()
///     agenda.schedule(.arrival, after: 1)
///     try agenda.run(until: 480) { agenda, event in
///       switch event {
///       case .arrival: agenda.schedule(.departure, after: 3)
///       case .departure: served += 1
///       }
///     }
///
/// Events happen in the order of their times, and those at the same time in the order in which they were scheduled.
/// Times are in a unit of the model's choice, from 0.
public struct Agenda<Event> {
  /// Identifies a scheduled event, to cancel it.
  public struct Token: Sendable, Hashable {
    @usableFromInline let token: EventQueue<Event>.Token

    @inlinable
    init(_ token: EventQueue<Event>.Token) { self.token = token }
  }

  @usableFromInline var time = 0.0
  @usableFromInline var events = EventQueue<Event>()
  /// The first delay that was impossible, which ends the run.
  @usableFromInline var problem: SimulationError?

  /// A calendar without events, at time 0.
  public init() {}

  /// The time of the event that happens.
  @inlinable public var now: Double { time }

  /// The number of events that are scheduled.
  public var count: Int { events.count }

  /// Schedules an event.
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - delay: the time from now, 0 at least. With any other, `run` throws after the event that happens.
  /// - Returns: a token that cancels the event.
  /// - Complexity: O(log n).
  @inlinable
  @discardableResult
  public mutating func schedule(_ event: Event, after delay: Double) -> Token {
    if !(delay >= 0 && delay < .infinity) { refuse(delay) }
    return Token(events.schedule(event, at: VirtualInstant(ordering: now + (delay >= 0 ? delay : 0))))
  }

  @usableFromInline
  mutating func refuse(_ delay: Double) {
    problem =
      problem
      ?? SimulationError(
        problem: .badNumber(delay, "the delay", expected: "a number from 0"), process: nil, time: now)
  }

  /// Cancels an event.
  ///
  /// - Returns: the event; `nil` if it has happened or was cancelled.
  @inlinable
  @discardableResult
  public mutating func cancel(_ token: Token) -> Event? { events.cancel(token.token) }

  /// Lets the events happen, the soonest first, until there is none or the next is later than the end. Then it is the
  /// end, if that is finite.
  ///
  /// - Parameters:
  ///   - end: the time of the end; what happens at that time is included.
  ///   - happen: what an event does; it schedules others by the calendar it gets, whose `now` is the event's time.
  /// - Throws: the error of `happen`, and `SimulationError` for a delay that is no number from 0.
  @inlinable
  public mutating func run(
    until end: Double = .infinity, _ happen: (inout Agenda, Event) throws -> Void
  ) throws {
    let limit = VirtualInstant(ordering: end)
    while problem == nil, let (instant, event) = events.next(until: limit) {
      time = instant.ordered
      try happen(&self, event)
    }
    if let problem { throw problem }
    if end < .infinity { time = max(time, end) }
  }
}

extension VirtualInstant {
  /// An instant for a time from 0 in any unit: the bits of such numbers, read as an integer, have the numbers' order.
  @inlinable
  init(ordering time: Double) { self.init(nanoseconds: Int64(bitPattern: (time + 0).bitPattern)) }

  /// The time that it was made for.
  @inlinable
  var ordered: Double { Double(bitPattern: UInt64(bitPattern: nanoseconds)) }
}
