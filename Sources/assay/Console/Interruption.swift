// SPDX-License-Identifier: GPL-3.0-or-later
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Watches for Ctrl-C: the first asks for a graceful end, the second ends the process at once.
final class Interruption {
  /// Whether an end was asked for, as any worker may ask.
  final class Flag: Sendable {
    fileprivate let state = Atomic(false)

    /// Whether an end was asked for.
    var isRaised: Bool { state.load(ordering: .relaxed) }
  }

  /// The flag that the first signal raises.
  let flag = Flag()
  private let source: any DispatchSourceSignal

  /// Watches the process's interrupt signal from now on.
  init() {
    signal(SIGINT, SIG_IGN)
    source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler { [flag] in
      if flag.state.exchange(true, ordering: .relaxed) { exit(ExitStatus.interrupted.rawValue) }
    }
    source.resume()
  }
}
