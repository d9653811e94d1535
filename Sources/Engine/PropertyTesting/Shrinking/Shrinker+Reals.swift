// SPDX-License-Identifier: GPL-3.0-or-later

extension Shrinker {
  /// Finds a simpler real number: simple ones that resemble it first, then halves of an integer.
  ///
  /// - Parameters:
  ///   - place: Which choice, in the order of the tape.
  ///   - together: Whether all choices of the same value change with it.
  mutating func lowerReal(_ place: Int, together: Bool) {
    while let entry = choice(place), entry.distance > 0, resemble(place, entry, together) {}
    guard let entry = choice(place) else { return }
    let number = RealOrder.number(at: entry.value)
    guard number.magnitude < 0x1p51, number == number.rounded() else { return }
    let sign = entry.value & 1
    var (passing, failing) = (0 as UInt64, entry.value >> 1)
    while failing - passing > 1 {
      // The next one down tells cheaply whether it is worth going on.
      let middle = failing == entry.value >> 1 ? failing - 1 : passing + (failing - passing) / 2
      if attempt(place, middle << 1 | sign, together) {
        failing = middle
      } else if failing == entry.value >> 1 {
        return
      } else {
        passing = middle
      }
    }
  }

  /// Moves two real numbers to simple places, as far from each other as they were, either way round.
  ///
  /// - Returns: Whether the choices are real numbers.
  mutating func moveReals(_ first: Int, _ second: Int) -> Bool {
    guard let left = choice(first), let right = choice(second), left.tag == .real, right.tag == .real else {
      return false
    }
    let (one, other) = (RealOrder.number(at: left.value), RealOrder.number(at: right.value))
    guard one.isFinite, other.isFinite, one != other, left.value > 0 else { return true }
    for start in [0, 1] as [Double] where start.magnitude < one.magnitude {
      for distance in [(other - one).magnitude, -(other - one).magnitude] {
        let values = [(layout.choices[first], start), (layout.choices[second], start + distance)]
        if consider(values: values.map { ($0.0, RealOrder.place(of: $0.1)) }) { return true }
      }
    }
    return true
  }

  private mutating func resemble(_ place: Int, _ entry: TapeEntry, _ together: Bool) -> Bool {
    for simpler in [0, 2] + RealOrder.simplifications(of: entry.value) where simpler < entry.value {
      if attempt(place, simpler, together) { return true }
    }
    return false
  }
}
