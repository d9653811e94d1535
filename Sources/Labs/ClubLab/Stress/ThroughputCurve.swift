// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import MonteCarlo
internal import Randomness

/// Measures how fast activities are counted, for clubs of several sizes.
struct ThroughputCurve {
  /// Activities of a measurement; they are counted again and again for so many seconds.
  private static let activities = 2_000_000
  private static let seconds = 0.15

  let settings: StressSettings
  let workers: Int

  /// The sizes: powers of ten up to the club's own, and that.
  var sizes: [Int] {
    [10_000, 100_000, 1_000_000].filter { $0 < settings.members } + [settings.members]
  }

  /// Measures all sizes.
  ///
  /// - Throws: `MonteCarloError` for a number of workers that makes no sense, errors of the generator.
  func measured() throws -> [ThroughputPoint] {
    try sizes.map { members in
      let activities = min(Self.activities, members * 400)
      let load = try StressSettings(
        members: members, activities: activities, weeks: 1, sharedNames: 0, seed: settings.seed,
        generator: settings.generator)
      let invention = try StressInvention(load, workers: workers)
      let packed = try invention.week(0, of: invention.slices[0], placing: (0..<members).map { UInt32($0) }).activities
      return ThroughputPoint(
        members: members, alone: try Self.rate(packed, members: members, workers: 1),
        together: try Self.rate(packed, members: members, workers: workers))
    }
  }

  /// Activities a second, the best of four measurements: whatever else the machine does only takes time away.
  private static func rate(_ activities: [PackedActivity], members: Int, workers: Int) throws -> Double {
    let runner = try BlockRunner(workers: workers)
    func seconds(counting times: Int) -> Double {
      let start = ContinuousClock.now
      let lanes = TallyLanes(members: members, runner: runner)
      _ = lanes.add(activities, times: times)
      _ = lanes.merged()
      return (ContinuousClock.now - start) / .seconds(1)
    }
    let times = max(1, min(10_000, Int(Self.seconds / max(seconds(counting: 1), 1e-6))))
    let best = (0..<4).map { _ in seconds(counting: times) }.min() ?? .infinity
    return Double(activities.count * times) / best
  }
}
