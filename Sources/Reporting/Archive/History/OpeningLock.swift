// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// A folder, locked for one process at a time until the value goes away; nothing is left behind in it.
struct OpeningLock: ~Copyable {
  private let descriptor: Int32

  /// Waits for the lock, which others hold for moments only; `nil` where the system refuses, as some network file
  /// systems do.
  ///
  /// - Parameter folder: a folder that exists.
  init?(_ folder: String) {
    descriptor = unsafe open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else {
        close(descriptor)
        return nil
      }
    }
  }

  deinit { close(descriptor) }
}
