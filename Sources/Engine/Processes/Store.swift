// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness

/// A place from which processes take elements in the order in which they were put there, and wait where there is none.
public final class Store<Element> {
  /// The number of elements.
  public let stock: Level
  /// The number of processes that wait for one.
  public var waiting: Level { queue.length }
  let queue: WaitingQueue
  private var elements: [Element] = []
  private var head = 0
  /// The elements of waiting processes, in the order in which these go on.
  private var handed: [Element] = []

  init(_ queue: WaitingQueue, _ stock: Level) { (self.queue, self.stock) = (queue, stock) }

  /// Puts an element there; a process that waits gets it.
  public func put(_ element: Element) {
    if !hand(element) {
      elements.append(element)
      stock.value += 1
    }
  }

  /// Gives an element to the next process; false if none waits.
  private func hand(_ element: Element) -> Bool {
    guard let next = queue.next() else { return false }
    handed.append(element)
    next.goOn()
    return true
  }

  /// The next element that nobody waits for.
  fileprivate func take() -> Element? {
    guard head < elements.count else { return nil }
    defer {
      head += 1
      stock.value -= 1
      if head == elements.count {
        (elements, head) = ([], 0)
      }
    }
    return elements[head]
  }

  fileprivate func takeHanded() -> Element { handed.removeFirst() }

  /// Puts an element back as the first.
  fileprivate func putBack(_ element: Element) {
    guard !hand(element) else { return }
    elements.insert(element, at: head)
    stock.value += 1
  }
}

/// An amount, such as fuel in a tank, that processes take from and wait for. Who has waited longest is next, even where
/// there is enough for one behind it.
public final class Container {
  /// The amount.
  public let amount: Level
  /// The number of processes that wait.
  public var waiting: Level { queue.length }
  let queue: WaitingQueue
  private let clock: SimulationClock

  init(_ queue: WaitingQueue, _ amount: Level, _ clock: SimulationClock) {
    (self.queue, self.amount, self.clock) = (queue, amount, clock)
    queue.hasLeft = { [weak self] in self?.serve() }
  }

  /// Adds an amount; processes whose turn it is get theirs.
  ///
  /// - Parameter more: the amount; from 0. Any other number is an error of the run.
  public func put(_ more: Double) {
    guard clock.checkAmount(more, "what '\(queue.name)' gets") else { return }
    amount.value += more
    serve()
  }

  private func serve() {
    while let next = queue.first, next.amount <= amount.value {
      amount.value -= next.amount
      queue.next()?.goOn()
    }
  }
}

extension Simulation.Process {
  /// Takes the next element of a store, or waits for one.
  ///
  ///     let part = try await fitter.take(from: shelf)
  ///
  /// - Throws: an interruption, and `SimulationEnded` at the end of the run.
  public func take<Element>(from store: Store<Element>) async throws -> Element {
    guard let element = try await take(from: store, patience: .infinity) else { throw SimulationEnded() }
    return element
  }

  /// Takes the next element of a store, or waits for one, but no longer than its patience lasts.
  ///
  /// - Returns: the element; `nil` if the process gave up.
  /// - Throws: an interruption, `SimulationError` for a patience below 0, and `SimulationEnded` at the end of the run.
  public func take<Element>(from store: Store<Element>, patience: Double) async throws -> Element? {
    if isHindered { try await refuse() }
    try check(store.queue)
    var found = store.take()
    if found == nil {
      guard try await wait(in: store.queue, patience: patience) else { return nil }
      found = store.takeHanded()
      if isWithdrawn, let found {
        store.putBack(found)
        throw CancellationError()
      }
    }
    log("takes from '\(store.queue.name)'", .leaves(store.queue.name))
    return found
  }

  /// Takes an amount of a container, or waits for it.
  ///
  ///     try await car.take(40, from: tank)
  ///
  /// - Throws: an interruption, `SimulationError` for an amount that is no number from 0, and `SimulationEnded` at the
  ///   end of the run.
  public func take(_ amount: Double, from container: Container) async throws {
    try await take(amount, from: container, patience: .infinity)
  }

  /// Takes an amount of a container, or waits for it, but no longer than its patience lasts.
  ///
  /// - Returns: false if the process gave up.
  /// - Throws: an interruption, `SimulationError` for an amount or a patience that is no number from 0, and
  ///   `SimulationEnded` at the end of the run.
  @discardableResult
  public func take(_ amount: Double, from container: Container, patience: Double) async throws -> Bool {
    if isHindered { try await refuse() }
    try check(container.queue)
    guard amount >= 0, amount < .infinity else {
      throw SimulationError(
        problem: .badNumber(amount, "what is taken from '\(container.queue.name)'", expected: "a number from 0"),
        process: name, time: now)
    }
    if container.queue.first == nil, container.amount.value >= amount {
      container.amount.value -= amount
    } else {
      guard try await wait(in: container.queue, amount: amount, patience: patience) else { return false }
      if isWithdrawn {
        container.put(amount)
        throw CancellationError()
      }
    }
    log("takes \(amount) from '\(container.queue.name)'", .leaves(container.queue.name))
    return true
  }
}
