// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// The time of day.
package enum WallClock {
  /// Seconds since 1970-01-01 00:00 UTC.
  package static var seconds: Int64 { Int64(Date().timeIntervalSince1970) }
}
