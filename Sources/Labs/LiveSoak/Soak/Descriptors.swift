// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// The open files and sockets of this process.
enum Descriptors {
  /// The most descriptors per client: its own socket, two of the proxy, one of the server, and half as many again for
  /// an earlier connection that not all sides know to be dead.
  static let perClient = 6
  /// The descriptors of everything else.
  static let others = 100

  /// The targets of the open descriptors, by number: `socket:[12345]`, `/dev/null`.
  static var open: [String: String] {
    let folder = "/proc/self/fd"
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return numbers.reduce(into: [:]) { found, number in
      // The descriptor that listed the folder is closed by now.
      found[number] = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(number)")
    }
  }

  /// The descriptors that are open now and were not open before.
  static func left(since before: [String: String]) -> [String] {
    open.filter { before[$0.key] != $0.value }.map(\.value).sorted()
  }

  /// Raises the process's limit as far as the system allows, and returns it.
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
