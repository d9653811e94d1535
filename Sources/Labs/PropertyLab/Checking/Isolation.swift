// SPDX-License-Identifier: GPL-3.0-or-later

/// How cases are judged in a process of their own, so that one that ends its process, or never ends, is a result.
public struct Isolation: Hashable, Sendable {
  /// The executable and the arguments that make it serve, as `WorkerHost` does.
  public let worker: [String]
  /// How long a case may take before its process is ended.
  public let caseLimit: Duration

  /// Isolation by a worker.
  public init(worker: [String], caseLimit: Duration) {
    (self.worker, self.caseLimit) = (worker, caseLimit)
  }
}
