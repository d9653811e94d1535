// SPDX-License-Identifier: GPL-3.0-or-later

/// How cases are judged in a process of their own, so that one that ends its process, or never ends, is a result.
package struct Isolation: Hashable, Sendable {
  /// The executable and the arguments that make it serve, as `WorkerHost` does.
  package let worker: [String]
  /// How long a case may take before its process is ended.
  package let caseLimit: Duration

  /// Isolation by a worker.
  package init(worker: [String], caseLimit: Duration) {
    (self.worker, self.caseLimit) = (worker, caseLimit)
  }
}
