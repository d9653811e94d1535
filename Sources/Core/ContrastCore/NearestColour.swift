// SPDX-License-Identifier: Apache-2.0

/// A contrast that a corrected colour must reach against another colour.
public struct ContrastDemand: Hashable, Sendable {
  /// The relative luminance of the other colour.
  let luminance: Double
  /// The least ratio.
  let minimum: Double

  /// A least ratio against an opaque colour.
  public init(_ minimum: Double, against other: Colour) {
    (self.minimum, luminance) = (minimum, Contrast.luminance(of: other))
  }
}

extension Colour {
  /// The nearest colour of eight bits a channel that meets all demands. Among the colours whose CIEDE2000 difference is
  /// within `noticeable` of the smallest, the one with the nearest hue is chosen. `nil` if no colour is found, for
  /// example for two demands that no grey meets.
  ///
  /// Local searches start at the two nearest colours of a grid and at this colour itself, and move to the best
  /// neighbour until none is nearer.
  public func nearest(meeting demands: [ContrastDemand]) -> Colour? {
    func meets(_ luminance: Double) -> Bool {
      demands.allSatisfy { Contrast.ratio(luminance, $0.luminance) >= $0.minimum }
    }
    let own = Lab(self)
    let starts = Self.grid.filter { meets($0.luminance) }.map { ($0.colour, own.difference(to: $0.lab)) }
    var found: [(colour: Colour, difference: Double)] = []
    for start in starts.sorted(by: { $0.1 < $1.1 }).prefix(2).map(\.0) + [clipped] {
      var (centre, minimum) = (start, Double.infinity)
      while true {
        let near = centre.neighbours.filter { meets(Contrast.luminance(of: $0)) }.map {
          (colour: $0, difference: own.difference(to: Lab($0)))
        }
        found += near
        guard let best = near.min(by: { $0.difference < $1.difference }), best.difference < minimum else { break }
        (centre, minimum) = best
      }
    }
    guard let minimum = found.map(\.difference).min() else { return nil }
    func turn(_ colour: Colour) -> Double {
      let other = Lab(colour)
      let chroma = ((own.a * own.a + own.b * own.b) * (other.a * other.a + other.b * other.b)).squareRoot()
      return chroma < 0.01 ? 0 : 1 - (own.a * other.a + own.b * other.b) / chroma
    }
    return found.filter { $0.difference <= minimum + Self.noticeable }.min {
      (turn($0.colour), $0.difference) < (turn($1.colour), $1.difference)
    }?.colour
  }

  /// The CIEDE2000 difference below which two colours look the same.
  private static let noticeable = 0.5

  /// Every 17th value of each channel.
  private static let grid: [(colour: Colour, luminance: Double, lab: Lab)] = {
    let values = stride(from: UInt8(0), through: 255, by: 17)
    return values.flatMap { red in
      values.flatMap { green in
        values.map { blue in
          let colour = Colour(bytes: red, green, blue)
          return (colour, Contrast.luminance(of: colour), Lab(colour))
        }
      }
    }
  }()

  /// The eight-bit colours that differ by 0, 1 or 3 in each channel.
  private var neighbours: [Colour] {
    func steps(_ value: Double) -> [UInt8] {
      let middle = Int((value * 255).rounded())
      return [-3, -1, 0, 1, 3].compactMap { UInt8(exactly: middle + $0) }
    }
    return steps(red).flatMap { red in
      steps(green).flatMap { green in steps(blue).map { Colour(bytes: red, green, $0) } }
    }
  }
}
