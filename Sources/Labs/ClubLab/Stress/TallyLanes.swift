// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import MonteCarlo
internal import Synchronization

/// The core's tallies of one week, one for each worker, and how long the workers were busy with them.
final class TallyLanes: Sendable {
  private let runner: BlockRunner
  private let members: Int
  private let lanes: Mutex<[RosterTally?]>

  /// The time that workers spent, summed over workers.
  private struct Busy: MergeableTally {
    var time: Duration = .zero
    mutating func merge(_ other: Busy) { time += other.time }
  }

  init(members: Int, runner: BlockRunner) {
    (self.members, self.runner) = (members, runner)
    lanes = Mutex(Array(repeating: nil, count: runner.workers))
  }

  /// Counts activities, each worker its part.
  ///
  /// - Parameters:
  ///   - activities: The activities, in any order.
  ///   - times: How often to count them, for measurements.
  /// - Returns: Seconds that the workers were busy, all together.
  func add(_ activities: [PackedActivity], times: Int = 1) -> Double {
    let count = runner.workers
    let run = runner.run(
      blocks: 0..<count, into: Busy(), makeScratch: {},
      body: { (lane: Int, _: inout Void) -> Busy in
        let part = activities[(activities.count * lane / count)..<(activities.count * (lane + 1) / count)]
        let start = ContinuousClock.now
        var tally = self.take(lane) ?? RosterTally(members: self.members)
        for _ in 0..<times { tally.add(part) }
        self.lanes.withLock { $0[lane] = tally }
        return Busy(time: ContinuousClock.now - start)
      })
    return run.tally.time / .seconds(1)
  }

  /// What all workers counted together; the lanes are empty afterwards.
  func merged() -> RosterTally {
    let tallies = lanes.withLock { lanes in
      let tallies = lanes.compactMap(\.self)
      for lane in lanes.indices { lanes[lane] = nil }
      return tallies
    }
    guard var sum = tallies.first else { return RosterTally(members: members) }
    for tally in tallies.dropFirst() { sum.merge(tally) }
    return sum
  }

  /// Takes a lane's tally out, so that it is changed in place and not copied.
  private func take(_ lane: Int) -> RosterTally? {
    lanes.withLock { lanes in
      let tally = lanes[lane]
      lanes[lane] = nil
      return tally
    }
  }
}
