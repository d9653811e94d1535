// SPDX-License-Identifier: Apache-2.0
internal import CoreDates

/// The field `Retry-After` (RFC 9110, section 10.2.3): how long a server wants to be left alone.
public enum RetryAfter {
  /// Reads the field.
  ///
  /// - Parameters:
  ///   - header: Its value: whole seconds, or a date.
  ///   - date: The value of the answer's own `Date` field. A date to come is measured from it, so that the wrong clock
  ///     of a device does no harm.
  ///   - now: The device's clock, in seconds since 1970, for an answer without a readable `Date`.
  /// - Returns: How long from the answer on: nothing for what is past, and `forever` for more seconds than there are.
  ///   Nil where the value is neither seconds nor a date, as with a sign or a fraction: then there is no wish.
  public static func interval(_ header: String, date: String?, now: Int64) -> Interval? {
    if isSeconds(header) { return Int64(header.withoutBlanks).map { .seconds($0) } ?? .forever }
    guard let until = HTTPDate(header, now: now) else { return nil }
    let from = date.flatMap { HTTPDate($0, now: now)?.unixSeconds } ?? now
    let (seconds, overflow) = until.unixSeconds.subtractingReportingOverflow(from)
    return overflow ? (from < 0 ? .forever : .zero) : .seconds(max(0, seconds))
  }

  /// Whether the field's value is a number of whole seconds, and no date.
  ///
  /// - Parameter header: Its value.
  /// - Returns: Whether there are digits and nothing else.
  public static func isSeconds(_ header: String) -> Bool {
    let text = header.withoutBlanks
    return !text.isEmpty && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
  }
}

extension Refusal {
  /// A refusal, of the fields of the answer.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - retryAfter: The value of `Retry-After`, where there is one.
  ///   - date: The value of `Date`, where there is one.
  ///   - location: The value of `Location`, where there is one.
  ///   - address: The address that was asked.
  ///   - now: The device's clock, in seconds since 1970.
  public init(
    status: UInt16, retryAfter: String?, date: String?, location: String?, from address: String, now: Int64
  ) {
    let wish = retryAfter.flatMap { RetryAfter.interval($0, date: date, now: now) }
    self.init(
      status: status, retryAfter: wish, namesMoment: wish != nil && retryAfter.map(RetryAfter.isSeconds) == false,
      redirect: location.map { Redirect(location: $0, from: address) })
  }
}
