// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation
internal import Scenarios

package struct JobsOption: ParsableArguments {
  @Option(
    "jobs", .count(1...1024),
    "The number of workers; results do not depend on it (default: one for each core).", example: "2",
    short: "j")
  var jobs: Int?

  package init() {}

  package func workers() throws -> Int {
    let workers = jobs ?? max(1, ProcessInfo.processInfo.activeProcessorCount)
    try ProcessLimits.check(workers: workers)
    return workers
  }
}
