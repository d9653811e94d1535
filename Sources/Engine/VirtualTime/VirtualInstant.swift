// SPDX-License-Identifier: GPL-3.0-or-later

/// A moment of virtual time: whole nanoseconds since the simulation began.
///
/// Arithmetic saturates at 292 years either way instead of overflowing.
@frozen
package struct VirtualInstant: InstantProtocol, Sendable, Hashable {
  /// Nanoseconds since the simulation began.
  package let nanoseconds: Int64

  /// The moment at which a simulation begins.
  package static let zero = VirtualInstant(nanoseconds: 0)

  /// A moment so many nanoseconds after the beginning.
  @inlinable
  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The moment a duration later, in whole nanoseconds; what is left of a nanosecond is rounded up, so that nothing
  /// happens sooner than was asked for.
  package func advanced(by duration: Duration) -> VirtualInstant {
    let (seconds, attoseconds) = duration.components
    let (whole, tooMany) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let rest = attoseconds / 1_000_000_000 + (attoseconds % 1_000_000_000 > 0 ? 1 : 0)
    if tooMany { return advanced(byNanoseconds: seconds < 0 ? .min : .max) }
    let (total, tooLarge) = whole.addingReportingOverflow(rest)
    return advanced(byNanoseconds: tooLarge ? (whole < 0 ? .min : .max) : total)
  }

  /// The moment so many nanoseconds later.
  @inlinable
  package func advanced(byNanoseconds count: Int64) -> VirtualInstant {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(count)
    return VirtualInstant(nanoseconds: overflow ? (count < 0 ? .min : .max) : sum)
  }

  /// How much later another moment is.
  package func duration(to other: VirtualInstant) -> Duration {
    .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
  }

  /// Whether a moment comes before another.
  @inlinable
  package static func < (left: VirtualInstant, right: VirtualInstant) -> Bool { left.nanoseconds < right.nanoseconds }
}

extension VirtualInstant: CustomStringConvertible {
  /// Hours, minutes and seconds since the beginning, such as `100:00:00.25`.
  package var description: String {
    let magnitude = nanoseconds.magnitude
    let (seconds, fraction) = magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    var digits = String(String(fraction + 1_000_000_000).dropFirst())
    while digits.last == "0" { digits.removeLast() }
    return (nanoseconds < 0 ? "-" : "") + clock.joined(separator: ":") + (digits.isEmpty ? "" : "." + digits)
  }
}
