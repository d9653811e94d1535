// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation
internal import Scenarios

package struct JobsOption: ParsableArguments {
  @Option(
    name: .joined("j"), parsing: .unconditional,
    help: ArgumentHelp(
      "How many workers share the work; results do not depend on it (default: one for each core). Example: --jobs 2",
      valueName: "count"))
  var jobs: String?

  package init() {}

  package func workers() throws -> Int { try Self.workers(jobs) }

  static func workers(_ text: String?) throws -> Int {
    let workers =
      try text.map { try ValueType<Int>.count(1...1024).read(option: "--jobs", $0) }
      ?? max(1, ProcessInfo.processInfo.activeProcessorCount)
    try ProcessLimits.check(workers: workers)
    return workers
  }
}
