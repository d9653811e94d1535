// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

extension InvariantWatch {
  /// What became of the app's messages. A window of 1024 numbers is kept; of what is beyond it nothing is claimed.
  struct OutgoingAccount: Sendable {
    /// The last number handed over.
    private(set) var last: UInt64 = 0
    /// The last that is acknowledged: it and all before it are settled.
    private(set) var through: UInt64 = 0
    /// The last that was sent on the connection that is open.
    private(set) var sentHere: UInt64 = 0
    /// The last that was ever sent.
    private(set) var everSent: UInt64 = 0
    /// How many wait.
    private(set) var waiting = 0
    /// Of the numbers after `through` those that were dropped, each at its place modulo 1024.
    private var dropped = InlineArray<16, UInt64>(repeating: 0)

    mutating func made(_ number: MessageNumber) {
      guard number.value > last else { return }
      waiting += Int(number.value - last)
      last = number.value
    }

    mutating func connectionEnded() { sentHere = 0 }

    /// The number that is to be sent next on this connection, if any.
    func next() -> UInt64 {
      var number = max(through, sentHere) + 1
      while number <= last, isDropped(number) { number += 1 }
      return number
    }

    mutating func sent(_ number: MessageNumber) {
      sentHere = number.value
      everSent = max(everSent, sentHere)
    }

    /// Whether the server's word that it has a number tells anything new.
    func isNews(_ number: MessageNumber) -> Bool { min(number.value, everSent) > through }

    /// Settles all up to a number.
    ///
    /// - Returns: Whether that tells anything new.
    mutating func acknowledged(_ number: MessageNumber) -> Bool {
      guard number.value > through, number.value <= last else { return false }
      while through < number.value {
        through += 1
        if isDropped(through) { mark(through, false) } else { waiting -= 1 }
      }
      return true
    }

    /// Settles one.
    ///
    /// - Returns: Whether it was not settled before.
    mutating func dropped(_ number: MessageNumber) -> Bool {
      guard number.value > through, number.value <= last, !isDropped(number.value) else { return false }
      waiting -= 1
      mark(number.value, true)
      // What is dropped at the front needs no memory any more.
      while through < last, isDropped(through + 1) {
        through += 1
        mark(through, false)
      }
      return true
    }

    private func isDropped(_ number: UInt64) -> Bool {
      number - through <= 1024 && dropped[Int(number >> 6 & 15)] >> (number & 63) & 1 == 1
    }

    private mutating func mark(_ number: UInt64, _ isDropped: Bool) {
      let (place, bit) = (Int(number >> 6 & 15), UInt64(1) << (number & 63))
      if isDropped, number - through <= 1024 { dropped[place] |= bit } else { dropped[place] &= ~bit }
    }
  }
}
