// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// What a mended colour must reach: a contrast against another colour.
public struct ContrastDemand: Hashable, Sendable {
  /// The relative luminance of the other colour.
  let luminance: Double
  /// The least ratio.
  let least: Double

  /// A least ratio against an opaque colour.
  public init(_ least: Double, against other: Colour) {
    (self.least, luminance) = (least, Contrast.luminance(of: other))
  }

  /// Where the luminances end that meet it.
  var ends: [Double] { [(luminance + 0.05) * least - 0.05, (luminance + 0.05) / least - 0.05] }

  func holds(for luminance: Double, within error: Double) -> Bool {
    Contrast.ratio(luminance, self.luminance) >= least - error
  }
}

extension Colour {
  /// The nearest colour of eight bits a channel that meets all demands: the one of the least CIEDE2000 difference, and
  /// among those within a just noticeable difference of it, the one whose hue differs least. `nil` where there is none,
  /// for example between two demands that no grey meets.
  ///
  /// The demands leave intervals of luminance. The nearest colour lies at the end of the one above or below its own
  /// luminance, so the plane of that lightness is searched on a grid of L*a*b* that is refined about the best, and the
  /// eight-bit colours around the best are compared.
  public func nearest(meeting demands: [ContrastDemand]) -> Colour? {
    func meets(_ luminance: Double, within error: Double = 0) -> Bool {
      demands.allSatisfy { $0.holds(for: luminance, within: error) }
    }
    let (own, y) = (Lab(self), Contrast.luminance(of: self))
    // What holds but for rounding is an end, too.
    let ends = (demands.flatMap(\.ends) + [y]).filter { (-1e-9...1 + 1e-9).contains($0) && meets($0, within: 1e-9) }
    var found: [(colour: Colour, difference: Double)] = []
    for end in [ends.filter { $0 >= y }.min(), ends.filter { $0 < y }.max()].compactMap(\.self) {
      let centre = own.nearest(atLightness: Lab.lightness(ofLuminance: min(1, max(0, end))))
      for candidate in centre.colour.mapped.neighbours where meets(Contrast.luminance(of: candidate)) {
        found.append((candidate, own.difference(to: Lab(candidate))))
      }
    }
    guard let least = found.map(\.difference).min() else { return nil }
    func turn(_ colour: Colour) -> Double {
      let other = Lab(colour)
      let chroma = ((own.a * own.a + own.b * own.b) * (other.a * other.a + other.b * other.b)).squareRoot()
      return chroma == 0 ? 0 : 1 - (own.a * other.a + own.b * other.b) / chroma
    }
    return found.filter { $0.difference <= least + Self.noticeable }.min {
      (turn($0.colour), $0.difference) < (turn($1.colour), $1.difference)
    }?.colour
  }

  /// Two colours that differ by less look the same.
  private static let noticeable = 0.5

  /// The eight-bit colours within three steps of a channel.
  fileprivate var neighbours: [Colour] {
    func steps(_ value: Double) -> [UInt8] {
      let middle = Int((value * 255).rounded())
      return (max(0, middle - 3)...min(255, middle + 3)).map { UInt8($0) }
    }
    return steps(red).flatMap { red in
      steps(green).flatMap { green in steps(blue).map { Colour(bytes: red, green, $0) } }
    }
  }
}

extension Lab {
  fileprivate static func lightness(ofLuminance y: Double) -> Double {
    y > 216.0 / 24_389 ? 116 * cbrt(y) - 16 : y * 24_389 / 27
  }

  /// The colour of a lightness that is nearest by CIEDE2000 among those that sRGB has.
  fileprivate func nearest(atLightness lightness: Double) -> Lab {
    var (best, least) = (Lab(l: lightness, a: 0, b: 0), Double.infinity)
    var (middle, reach) = (best, 128.0)
    while reach > 0.2 {
      for row in -8...8 {
        for column in -8...8 {
          let one = Lab(
            l: lightness, a: middle.a + Double(column) * reach / 8, b: middle.b + Double(row) * reach / 8)
          guard one.colour.isInGamut else { continue }
          let distance = difference(to: one)
          if distance < least { (best, least) = (one, distance) }
        }
      }
      (middle, reach) = (best, reach / 3)
    }
    return best
  }
}
