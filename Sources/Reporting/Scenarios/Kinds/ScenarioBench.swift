// SPDX-License-Identifier: GPL-3.0-or-later
package import MonteCarlo

/// What a run of a scenario works with; nothing of it may change what comes out.
package struct ScenarioBench: Sendable {
  /// How many workers share the work.
  package let workers: Int
  /// Looked at after every block.
  package let interrupt: Interrupt
  /// Makes the progress display of one piece of work, given how much it is where that is known; `nil` where none is
  /// wanted.
  package let meter: @Sendable (_ most: Int?, _ unit: String) -> ProgressMeter?

  /// A bench.
  package init(
    workers: Int, interrupt: Interrupt = Interrupt(),
    meter: @escaping @Sendable (_ most: Int?, _ unit: String) -> ProgressMeter? = { _, _ in nil }
  ) {
    (self.workers, self.interrupt, self.meter) = (workers, interrupt, meter)
  }
}
