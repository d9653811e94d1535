// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// Measures how long a piece of work takes, on the wall and on the processor.
struct Stopwatch {
  private let start = ContinuousClock.now
  private let used = Self.processorSeconds

  /// Seconds on the wall since it was made.
  var wallSeconds: Double { (ContinuousClock.now - start) / .seconds(1) }

  /// Seconds that the processor has worked since then for this process, all threads together, and for the processes
  /// that it started and that have ended.
  var cpuSeconds: Double { Self.processorSeconds - used }

  private static var processorSeconds: Double {
    [RUSAGE_SELF.rawValue, RUSAGE_CHILDREN.rawValue].reduce(0) { sum, whom in
      var usage = rusage()
      guard unsafe getrusage(whom, &usage) == 0 else { return sum }
      return sum + seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
  }
}

extension RunRecord.Machine {
  /// The machine that this process runs on.
  static var current: Self {
    let process = ProcessInfo.processInfo
    var names = utsname()
    _ = unsafe uname(&names)
    return Self(
      host: process.hostName, system: process.operatingSystemVersionString, architecture: text(names.machine),
      cores: process.activeProcessorCount)
  }

  /// A text that C keeps in an array that ends with a zero.
  private static func text<Characters>(_ characters: Characters) -> String {
    unsafe withUnsafeBytes(of: characters) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
