// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The threads that share the work of a run, the checkpoint of finished blocks, and the budget of samples.
public struct Workers: Sendable, ExpressibleByIntegerLiteral {
  /// The number of threads.
  public let count: Int
  /// The checkpoint; `nil` for none.
  package let checkpoint: Checkpoint?
  let budget: SampleBudget?

  /// A number of workers, at least one. Finished blocks are stored in the checkpoint; the run ends early after
  /// `maxSamples`.
  public init(_ count: Int, checkpoint: Checkpoint? = nil, maxSamples: Int? = nil) {
    self.init(count, checkpoint, maxSamples.map(SampleBudget.init))
  }

  /// A number of workers without a checkpoint.
  public init(integerLiteral count: Int) { self.init(count) }

  private init(_ count: Int, _ checkpoint: Checkpoint?, _ budget: SampleBudget?) {
    (self.count, self.checkpoint, self.budget) = (count, checkpoint, budget)
  }

  /// The same workers with another checkpoint.
  package func keeping(_ checkpoint: Checkpoint?) -> Workers { Workers(count, checkpoint, budget) }

  /// Writes the finished work to the checkpoint, if there is one.
  package func save() { checkpoint?.finish() }

  /// The same workers, of whom at most `maximum` work at the same time.
  public func atMost(_ maximum: Int) -> Workers { Workers(min(count, maximum), checkpoint, budget) }
}

/// The number of samples that all sections of a run may play together, including those from a checkpoint.
final class SampleBudget: Sendable {
  private let maximum: Int
  private let spent = Atomic<Int>(0)

  init(maximum: Int) { self.maximum = maximum }

  /// Returns true if the budget was not yet exhausted before these samples.
  func spend(_ samples: Int) -> Bool { spent.wrappingAdd(samples, ordering: .relaxed).oldValue < maximum }
}
