// SPDX-License-Identifier: GPL-3.0-or-later

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
    if let next = queue.next() {
      handed.append(element)
      next.goOn()
    } else {
      elements.append(element)
      stock.value += 1
    }
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
}

/// An amount, such as fuel in a tank, that processes take from and wait for. Who has waited longest is next, even where
/// there is enough for one behind it.
public final class Container {
  /// The amount.
  public let amount: Level
  /// The number of processes that wait.
  public var waiting: Level { queue.length }
  let queue: WaitingQueue

  init(_ queue: WaitingQueue, _ amount: Level) { (self.queue, self.amount) = (queue, amount) }
}

extension Container {
  /// Adds an amount, from 0; processes whose turn it is get theirs.
  public func put(_ more: Double) {
    amount.value += more
    while let next = queue.first, next.amount <= amount.value {
      amount.value -= next.amount
      queue.next()?.goOn()
    }
  }
}

extension Simulation.Process {
  /// Takes the next element of a store, or waits for one.
  ///
  /// - Throws: `SimulationEnded` at the end of the run.
  public func take<Element>(from store: Store<Element>) async throws -> Element {
    try simulation.check()
    if let element = store.take() { return element }
    _ = try await simulation.wait(self, in: store.queue, priority: 0, amount: 1, patience: .infinity)
    return store.takeHanded()
  }

  /// Takes the next element of a store, or waits for one, but no longer than its patience lasts.
  ///
  /// - Returns: the element; `nil` if the process gave up.
  /// - Throws: `SimulationError` for a patience below 0, and `SimulationEnded` at the end of the run.
  public func take<Element>(from store: Store<Element>, patience: Double) async throws -> Element? {
    try simulation.check()
    if let element = store.take() { return element }
    let isReady = try await simulation.wait(self, in: store.queue, priority: 0, amount: 1, patience: patience)
    return isReady ? store.takeHanded() : nil
  }

  /// Takes an amount of a container, or waits for it.
  ///
  /// - Throws: `SimulationError` for an amount that is no number from 0, and `SimulationEnded` at the end of the run.
  public func take(_ amount: Double, from container: Container) async throws {
    try simulation.check()
    guard amount >= 0, amount < .infinity else {
      throw SimulationError(
        problem: .badAmount(amount, of: container.queue.name, expected: "a request of a number from 0"), process: name,
        time: now)
    }
    if container.queue.first == nil, container.amount.value >= amount {
      container.amount.value -= amount
    } else {
      _ = try await simulation.wait(self, in: container.queue, priority: 0, amount: amount, patience: .infinity)
    }
  }
}
