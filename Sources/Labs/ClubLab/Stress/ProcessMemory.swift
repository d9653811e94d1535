// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// The memory of this process.
enum ProcessMemory {
  /// The most bytes that were resident at any time since the process began.
  static var peak: Int {
    var usage = rusage()
    guard unsafe getrusage(RUSAGE_SELF.rawValue, &usage) == 0 else { return 0 }
    // Linux counts kibibytes.
    return usage.ru_maxrss * 1024
  }
}
