// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// The open files and sockets of this process.
enum Descriptors {
  /// How many a client takes at the most: its own socket, two of the proxy, one of the server, and half of them again
  /// for a connection of before that not everybody knows to be dead.
  static let perClient = 6
  /// The descriptors that everything else takes.
  static let others = 100

  /// The open descriptors, by their numbers: `socket:[12345]`, `/dev/null`.
  static var open: [String: String] {
    let folder = "/proc/self/fd"
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return numbers.reduce(into: [:]) { found, number in
      // What was open only to list the folder is gone by now.
      found[number] = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(number)")
    }
  }

  /// The descriptors that are open now and were not before.
  static func left(since before: [String: String]) -> [String] {
    open.filter { before[$0.key] != $0.value }.map(\.value).sorted()
  }

  /// Raises the process's own limit as far as the system allows, and returns how many there may be.
  static func raiseLimit() -> Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
    if limit.rlim_cur < limit.rlim_max {
      var raised = limit
      raised.rlim_cur = limit.rlim_max
      if unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
    }
    return Int(clamping: limit.rlim_cur)
  }
}
