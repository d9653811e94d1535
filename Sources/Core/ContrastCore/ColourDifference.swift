// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// A colour of CIE 1976 L*a*b*.
package struct Lab: Hashable, Sendable {
  package var l, a, b: Double

  static let d50 = Vector(0.3457 / 0.3585, 1, (1 - 0.3457 - 0.3585) / 0.3585)
  static let d65 = Vector(0.3127 / 0.3290, 1, (1 - 0.3127 - 0.3290) / 0.3290)

  package init(l: Double, a: Double, b: Double) { (self.l, self.a, self.b) = (l, a, b) }

  /// The colour relative to the white of sRGB.
  package init(_ colour: Colour) { self.init(xyz: Matrix.linearToXYZ * colour.linear, white: Self.d65) }

  init(xyz: Vector, white: Vector) {
    func f(_ value: Double) -> Double {
      value > 216.0 / 24_389 ? cbrt(value) : (24_389.0 / 27 * value + 16) / 116
    }
    let (x, y, z) = (f(xyz.x / white.x), f(xyz.y), f(xyz.z / white.z))
    self.init(l: 116 * y - 16, a: 500 * (x - y), b: 200 * (y - z))
  }

  func xyz(white: Vector) -> Vector {
    let y = (l + 16) / 116
    func g(_ f: Double) -> Double { f * f * f > 216.0 / 24_389 ? f * f * f : (116 * f - 16) * 27 / 24_389 }
    return Vector(
      g(a / 500 + y) * white.x, l > 8 ? y * y * y : l * 27 / 24_389, g(y - b / 200) * white.z)
  }

  /// The sRGB colour, possibly out of gamut.
  var colour: Colour { Colour(linear: Matrix.xyzToLinear * xyz(white: Self.d65)) }
}

extension Colour {
  /// The CIEDE2000 difference of two opaque colours: 1 is just noticeable.
  ///
  /// Source: Sharma, Wu and Dalal, "The CIEDE2000 color-difference formula: implementation notes, supplementary test
  /// data, and mathematical observations", Color Research and Application 30 (2005).
  public func difference(to other: Colour) -> Double { Lab(self).difference(to: Lab(other)) }
}

extension Lab {
  package func difference(to other: Lab) -> Double {
    func seventh(_ value: Double) -> Double { (pow(value, 7) / (pow(value, 7) + 6_103_515_625)).squareRoot() }
    let chroma = ((a * a + b * b).squareRoot() + (other.a * other.a + other.b * other.b).squareRoot()) / 2
    let g = 0.5 * (1 - seventh(chroma))
    func polar(_ one: Lab) -> (c: Double, h: Double) {
      let a = one.a * (1 + g)
      let hue = a == 0 && one.b == 0 ? 0 : atan2(one.b, a) * 180 / .pi
      return ((a * a + one.b * one.b).squareRoot(), hue < 0 ? hue + 360 : hue)
    }
    let (one, two) = (polar(self), polar(other))
    let isGrey = one.c * two.c == 0
    var turn = two.h - one.h
    if isGrey { turn = 0 } else if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
    var middle = one.h + two.h
    if !isGrey {
      if abs(one.h - two.h) <= 180 {
        middle /= 2
      } else {
        middle = (middle + (middle < 360 ? 360 : -360)) / 2
      }
    }
    func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
    let (lightness, meanChroma) = ((l + other.l) / 2, (one.c + two.c) / 2)
    let t =
      1 - 0.17 * cosine(middle - 30) + 0.24 * cosine(2 * middle) + 0.32 * cosine(3 * middle + 6)
      - 0.20 * cosine(4 * middle - 63)
    let offset = (lightness - 50) * (lightness - 50)
    let sl = 1 + 0.015 * offset / (20 + offset).squareRoot()
    let (sc, sh) = (1 + 0.045 * meanChroma, 1 + 0.015 * meanChroma * t)
    let rotation = 30 * exp(-((middle - 275) / 25) * ((middle - 275) / 25))
    let rt = -sin(2 * rotation * .pi / 180) * 2 * seventh(meanChroma)
    let (dl, dc) = ((other.l - l) / sl, (two.c - one.c) / sc)
    let dh = 2 * (one.c * two.c).squareRoot() * sin(turn / 2 * .pi / 180) / sh
    return max(0, dl * dl + dc * dc + dh * dh + rt * dc * dh).squareRoot()
  }
}
