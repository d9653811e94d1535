// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The colour spaces of design tokens (Design Tokens Colour Module 2025.10) and of CSS Color 4.
public enum ColourSpace: String, CaseIterable, Hashable, Sendable {
  case srgb
  case srgbLinear = "srgb-linear"
  case hsl, hwb
  case lab = "lab"
  case lch, oklab, oklch
  case displayP3 = "display-p3"
  case a98 = "a98-rgb"
  case prophoto = "prophoto-rgb"
  case rec2020
  case xyzD65 = "xyz-d65"
  case xyzD50 = "xyz-d50"

  /// The values of the components that can be a colour of any screen, or of any light that people see; far outside them
  /// the conversions mean nothing. Hues have no limit.
  var plausible: [ClosedRange<Double>] {
    let hue = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    return switch self {
    case .hsl, .hwb: [hue, 0...100, 0...100]
    case .lab: [0...100, -250...250, -250...250]
    case .lch: [0...100, 0...350, hue]
    case .oklab: [0...1, -1...1, -1...1]
    case .oklch: [0...1, 0...1, hue]
    default: [-1...2, -1...2, -1...2]
    }
  }

  /// The space of a function of CSS, such as `hsl(210 50% 20%)` or `color(display-p3 1 0 0)`; `nil` for another text.
  init?(css text: String) {
    guard let open = text.firstIndex(of: "(") else { return nil }
    var name = text[..<open].lowercased()
    if name == "color" {
      name = text[open...].dropFirst().split(separator: " ").first?.lowercased() ?? ""
      if name == "xyz" { name = "xyz-d65" }
    }
    self.init(rawValue: ["rgb": "srgb", "rgba": "srgb", "hsla": "hsl"][name] ?? name)
  }

  /// The index of the hue, if the space has one.
  var hueIndex: Int? {
    switch self {
    case .hsl, .hwb: 0
    case .lch, .oklch: 2
    default: nil
    }
  }
}

/// A colour in sRGB, encoded by its gamma, with an opacity.
///
/// Components lie from 0 to 1 within the gamut of sRGB; a colour of a wider space may lie beyond.
public struct Colour: Hashable, Sendable {
  /// Red, green and blue, encoded.
  public var red, green, blue: Double
  /// The opacity, 0 to 1.
  public var alpha: Double

  /// An encoded colour of sRGB.
  public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  /// A colour of eight bits a channel.
  public init(bytes red: UInt8, _ green: UInt8, _ blue: UInt8) {
    self.init(red: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255)
  }

  /// `#000000`.
  public static let black = Colour(red: 0, green: 0, blue: 0)
  /// `#ffffff`.
  public static let white = Colour(red: 1, green: 1, blue: 1)

  /// A colour of any space. A component `none` counts as 0.
  ///
  /// Lab and LCH have D50 as their white, as in CSS Color 4. Hues are in degrees; `l` of Lab and LCH and the components
  /// of HSL and HWB are in percent.
  public init(_ space: ColourSpace, _ c: [Double], alpha: Double = 1) {
    let c = Vector(c.count > 0 ? c[0] : 0, c.count > 1 ? c[1] : 0, c.count > 2 ? c[2] : 0)
    let encoded = Self.encoded(of: space, c)
    self.init(red: encoded.x, green: encoded.y, blue: encoded.z, alpha: alpha)
  }

  private static func encoded(of space: ColourSpace, _ c: Vector) -> Vector {
    switch space {
    case .srgb: c
    case .hsl:
      hue(c.x).map { c.z / 100 - c.y / 100 * min(c.z / 100, 1 - c.z / 100) * $0 }
    case .hwb:
      c.y + c.z >= 100
        ? Vector(1, 1, 1).map { $0 * c.y / (c.y + c.z) }
        : hue(c.x).map { (0.5 - 0.5 * $0) * (1 - c.y / 100 - c.z / 100) + c.y / 100 }
    default: linear(of: space, c).map(encoded)
    }
  }

  private static func linear(of space: ColourSpace, _ c: Vector) -> Vector {
    switch space {
    case .srgb, .hsl, .hwb: encoded(of: space, c).map(decoded)
    case .srgbLinear: c
    case .lab: Matrix.xyzToLinear * (Matrix.d50ToD65 * Lab(l: c.x, a: c.y, b: c.z).xyz(white: Lab.d50))
    case .lch: linear(of: .lab, cartesian(c))
    // Ottosson, "A perceptual color space for image processing" (2020).
    case .oklab: Matrix.lmsToLinear * (Matrix.oklabToLMS * c).map { $0 * $0 * $0 }
    case .oklch: linear(of: .oklab, cartesian(c))
    case .displayP3: Matrix.xyzToLinear * (Matrix.p3ToXYZ * c.map(decoded))
    case .a98: Matrix.xyzToLinear * (Matrix.a98ToXYZ * c.map { signed($0) { pow($0, 563.0 / 256) } })
    case .prophoto:
      Matrix.xyzToLinear
        * (Matrix.d50ToD65
          * (Matrix.prophotoToXYZD50 * c.map { signed($0) { $0 <= 16.0 / 512 ? $0 / 16 : pow($0, 1.8) } }))
    case .rec2020:
      Matrix.xyzToLinear
        * (Matrix.rec2020ToXYZ
          * c.map { value in
            signed(value) {
              $0 < 0.08124285829863151 ? $0 / 4.5 : pow(($0 + 0.09929682680944) / 1.09929682680944, 1 / 0.45)
            }
          })
    case .xyzD65: Matrix.xyzToLinear * c
    case .xyzD50: Matrix.xyzToLinear * (Matrix.d50ToD65 * c)
    }
  }

  /// The components of the colour in a space, in the units of `init(_:_:alpha:)`, which is the inverse. The hue of a
  /// grey is 0.
  func components(in space: ColourSpace) -> [Double] {
    let xyz = Matrix.linearToXYZ * linear
    let c: Vector
    switch space {
    case .srgb: c = Vector(red, green, blue)
    case .srgbLinear: c = linear
    case .hsl, .hwb:
      let (maximum, minimum) = (max(red, green, blue), min(red, green, blue))
      let (range, lightness) = (maximum - minimum, (maximum + minimum) / 2)
      let sector =
        range < 1e-12
        ? 0
        : maximum == red
          ? (green - blue) / range : maximum == green ? (blue - red) / range + 2 : (red - green) / range + 4
      let hue = sector < 0 ? sector * 60 + 360 : sector * 60
      let saturation = range < 1e-12 ? 0 : range / 2 / min(lightness, 1 - lightness)
      c =
        space == .hwb ? Vector(hue, 100 * minimum, 100 - 100 * maximum) : Vector(hue, 100 * saturation, 100 * lightness)
    case .lab, .lch:
      let lab = Lab(xyz: Matrix.d50ToD65.inverse * xyz, white: Lab.d50)
      c = space == .lab ? Vector(lab.l, lab.a, lab.b) : Self.polar(Vector(lab.l, lab.a, lab.b))
    case .oklab, .oklch:
      let lab = Matrix.lmsToOklab * (Matrix.linearToLMS * linear).map { cbrt($0) }
      c = space == .oklab ? lab : Self.polar(lab)
    case .displayP3: c = (Matrix.p3ToXYZ.inverse * xyz).map(Self.encoded)
    case .a98: c = (Matrix.a98ToXYZ.inverse * xyz).map { Self.signed($0) { pow($0, 256 / 563.0) } }
    case .prophoto:
      c = (Matrix.prophotoToXYZD50.inverse * (Matrix.d50ToD65.inverse * xyz)).map {
        Self.signed($0) { $0 <= 1.0 / 512 ? $0 * 16 : pow($0, 1 / 1.8) }
      }
    case .rec2020:
      c = (Matrix.rec2020ToXYZ.inverse * xyz).map {
        Self.signed($0) {
          $0 < 0.018053968510807 ? $0 * 4.5 : 1.09929682680944 * pow($0, 0.45) - 0.09929682680944
        }
      }
    case .xyzD65: c = xyz
    case .xyzD50: c = Matrix.d50ToD65.inverse * xyz
    }
    // The last digits of a conversion are noise, which would be written.
    return [c.x, c.y, c.z].map { space == .srgb ? $0 : ($0 * 1e10).rounded() / 1e10 + 0 }
  }

  /// Lightness, chroma and hue, from lightness and two axes.
  private static func polar(_ c: Vector) -> Vector {
    let chroma = (c.y * c.y + c.z * c.z).squareRoot()
    let hue = chroma < 1e-5 ? 0 : atan2(c.z, c.y) * 180 / .pi
    return Vector(c.x, chroma, hue < 0 ? hue + 360 : hue)
  }

  /// The value of a curve continued to negative values as an odd function.
  private static func signed(_ value: Double, _ curve: (Double) -> Double) -> Double {
    value < 0 ? -curve(-value) : curve(value)
  }

  /// The channels of a hue in degrees, from -1 (full) to 1 (none): CSS Color 4, section 7.
  private static func hue(_ degrees: Double) -> Vector {
    Vector(0, 8, 4).map { offset in
      let sector = (offset + degrees / 30).truncatingRemainder(dividingBy: 12)
      let position = sector < 0 ? sector + 12 : sector
      return max(-1, min(position - 3, 9 - position, 1))
    }
  }

  /// Lightness and two axes, from lightness, chroma and hue.
  private static func cartesian(_ c: Vector) -> Vector {
    Vector(c.x, c.y * cos(c.z * .pi / 180), c.y * sin(c.z * .pi / 180))
  }

  init(linear: Vector, alpha: Double = 1) {
    let encoded = linear.map(Self.encoded)
    self.init(red: encoded.x, green: encoded.y, blue: encoded.z, alpha: alpha)
  }

  // MARK: Gamma

  /// The linear light of an encoded component: IEC 61966-2-1 with the threshold 0.04045, as in WCAG 2.2.
  public static func decoded(_ value: Double) -> Double {
    let size = abs(value)
    return (value < 0 ? -1 : 1) * (size <= 0.04045 ? size / 12.92 : pow((size + 0.055) / 1.055, 2.4))
  }

  /// The encoded component of linear light.
  public static func encoded(_ value: Double) -> Double {
    let size = abs(value)
    return (value < 0 ? -1 : 1) * (size <= 0.0031308 ? size * 12.92 : 1.055 * pow(size, 1 / 2.4) - 0.055)
  }

  var linear: Vector { Vector(red, green, blue).map(Self.decoded) }

  // MARK: Gamut and compositing

  /// True if the colour is in the gamut of sRGB, within a tolerance of 1e-6.
  public var isInGamut: Bool { [red, green, blue].allSatisfy { (-1e-6...1 + 1e-6).contains($0) } }

  /// The colour itself if it is in the gamut of sRGB, else a colour of the same lightness and hue with the largest
  /// OKLCH chroma in the gamut: CSS Color 4, section 13, without its local clipping.
  public var mapped: Colour {
    if isInGamut { return clipped }
    let lms = (Matrix.linearToLMS * linear).map { cbrt($0) }
    let lab = Matrix.lmsToOklab * lms
    if lab.x >= 1 { return Colour(red: 1, green: 1, blue: 1, alpha: alpha) }
    if lab.x <= 0 { return Colour(red: 0, green: 0, blue: 0, alpha: alpha) }
    var (low, high) = (0.0, 1.0)
    for _ in 0..<40 {
      let middle = (low + high) / 2
      let one = Colour(linear: Self.linear(of: .oklab, Vector(lab.x, lab.y * middle, lab.z * middle)))
      if one.isInGamut { low = middle } else { high = middle }
    }
    return Colour(linear: Self.linear(of: .oklab, Vector(lab.x, lab.y * low, lab.z * low)), alpha: alpha).clipped
  }

  var clipped: Colour {
    let inside = Vector(red, green, blue).map { min(1, max(0, $0)) }
    return Colour(red: inside.x, green: inside.y, blue: inside.z, alpha: alpha)
  }

  /// The colour composited over another, in encoded sRGB as in browsers: W3C Compositing and Blending 1, section 9.
  public func over(_ backdrop: Colour) -> Colour {
    let opacity = alpha + backdrop.alpha * (1 - alpha)
    guard opacity > 0 else { return Colour(red: 0, green: 0, blue: 0, alpha: 0) }
    func mix(_ top: Double, _ below: Double) -> Double {
      (top * alpha + below * backdrop.alpha * (1 - alpha)) / opacity
    }
    return Colour(
      red: mix(red, backdrop.red), green: mix(green, backdrop.green), blue: mix(blue, backdrop.blue), alpha: opacity)
  }

  // MARK: Texts

  /// Eight bits a channel, rounded: `#rrggbb`, or `#rrggbbaa` for a colour that is not opaque.
  public var hex: String {
    var text = "#"
    for value in alpha < 1 ? [red, green, blue, alpha] : [red, green, blue] {
      let byte = Int((min(1, max(0, value)) * 255).rounded())
      text += byte < 16 ? "0" : ""
      text += String(byte, radix: 16)
    }
    return text
  }

  /// A colour in the notation of CSS and design tools: `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, `rgb(119, 119, 119)`,
  /// `rgb(46% 46% 46% / 50%)`, `rgba(#abc123, 0.5)`, `hsl(…)`, `hwb(…)`, `lab(…)`, `lch(…)`, `oklab(…)`, `oklch(…)`,
  /// `color(display-p3 …)`, the 148 names, `transparent`; `nil` for any other text, and for values that no colour has,
  /// such as `lab(50 1e300 0)`.
  ///
  /// Values out of range are clamped where CSS Color 4 clamps them: opacities, the channels of `rgb()`, lightness,
  /// negative saturation and chroma; `hsl()` and `hwb()` are clipped to sRGB.
  public init?(css text: String) {
    let text = text.trimmingCharacters(in: .whitespaces).lowercased()
    if text == "transparent" {
      self.init(red: 0, green: 0, blue: 0, alpha: 0)
    } else if let value = Self.named[text] {
      self.init(
        bytes: UInt8(truncatingIfNeeded: value >> 16), UInt8(truncatingIfNeeded: value >> 8),
        UInt8(truncatingIfNeeded: value))
    } else if text.hasPrefix("#") {
      self.init(hex: text.dropFirst())
    } else {
      self.init(function: text)
    }
  }

  private init?(hex digits: Substring) {
    let values = digits.compactMap(\.hexDigitValue).map(Double.init)
    guard values.count == digits.count, [3, 4, 6, 8].contains(values.count) else { return nil }
    var channels = values.map { $0 * 17 }
    if values.count > 4 {
      channels = stride(from: 0, to: values.count, by: 2).map { position in values[position] * 16 + values[position + 1]
      }
    }
    self.init(
      red: channels[0] / 255, green: channels[1] / 255, blue: channels[2] / 255,
      alpha: channels.count > 3 ? channels[3] / 255 : 1)
  }

  private init?(function text: String) {
    guard text.hasSuffix(")"), let open = text.firstIndex(of: "(") else { return nil }
    var words = text[text.index(after: open)...].dropLast().split { " ,/".contains($0) }.map(String.init)
    if text.hasPrefix("rgb"), words.count == 2, let base = Colour(css: words[0]) {
      guard let alpha = Self.number(words[1], hundred: 1) else { return nil }
      self = base
      self.alpha = alpha
      return
    }
    if text.hasPrefix("color("), !words.isEmpty { words.removeFirst() }
    guard let space = ColourSpace(css: text), (3...4).contains(words.count) else { return nil }
    let isBytes = space == .srgb && text.hasPrefix("rgb")
    let hundreds: [Double] =
      switch space {
      case .lab: [100, 125, 125]
      case .lch: [100, 150, 360]
      case .oklab: [1, 0.4, 0.4]
      case .oklch: [1, 0.4, 360]
      case .hsl, .hwb: [360, 100, 100]
      default: isBytes ? [255, 255, 255] : [1, 1, 1]
      }
    var values = zip(words, hundreds).compactMap { Self.number($0, hundred: $1) }
    guard values.count == 3, let alpha = words.count == 4 ? Self.number(words[3], hundred: 1) : 1 else { return nil }
    switch space {
    case .lab, .oklab: values[0] = min(hundreds[0], max(0, values[0]))
    case .lch, .oklch: (values[0], values[1]) = (min(hundreds[0], max(0, values[0])), max(0, values[1]))
    case .hsl, .hwb: values[1...] = [min(100, max(0, values[1])), min(100, max(0, values[2]))]
    default: if isBytes { values = values.map { min(1, max(0, $0 / 255)) } }
    }
    guard zip(values, space.plausible).allSatisfy({ $1.contains($0) }) else { return nil }
    self.init(space, values, alpha: min(1, max(0, alpha)))
  }

  /// A component: a number, a percentage of `hundred`, an angle, or `none`.
  static func number(_ word: String, hundred: Double) -> Double? {
    if word == "none" { return 0 }
    if word.hasSuffix("%") {
      return Double(word.dropLast()).map { $0 / 100 * hundred }.flatMap { $0.isFinite ? $0 : nil }
    }
    let units = [("deg", 1), ("grad", 0.9), ("rad", 180 / Double.pi), ("turn", 360)]
    let unit = units.first { word.hasSuffix($0.0) } ?? ("", 1)
    let value = Double(word.dropLast(unit.0.count)).map { $0 * unit.1 }
    return value?.isFinite == true ? value : nil
  }
}

/// Three numbers.
struct Vector: Hashable, Sendable {
  var x, y, z: Double

  init(_ x: Double, _ y: Double, _ z: Double) { (self.x, self.y, self.z) = (x, y, z) }

  func map(_ change: (Double) -> Double) -> Vector { Vector(change(x), change(y), change(z)) }
}

/// Three rows of three numbers.
struct Matrix: Hashable, Sendable {
  let rows: [Vector]

  init(_ a: [Double], _ b: [Double], _ c: [Double]) { rows = [a, b, c].map { Vector($0[0], $0[1], $0[2]) } }

  static func * (matrix: Matrix, vector: Vector) -> Vector {
    func dot(_ row: Vector) -> Double { row.x * vector.x + row.y * vector.y + row.z * vector.z }
    return Vector(dot(matrix.rows[0]), dot(matrix.rows[1]), dot(matrix.rows[2]))
  }

  /// The inverse of a matrix that has one, by its adjugate.
  var inverse: Matrix {
    func cross(_ a: Vector, _ b: Vector) -> [Double] {
      [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
    }
    let columns = [cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1])]
    let determinant = rows[0].x * columns[0][0] + rows[0].y * columns[0][1] + rows[0].z * columns[0][2]
    func row(_ index: Int) -> [Double] { columns.map { $0[index] / determinant } }
    return Matrix(row(0), row(1), row(2))
  }

  // From the primaries and whites of CSS Color 4, section 10 and its sample code.
  static let xyzToLinear = Matrix(
    [3.2409699419045226, -1.537383177570094, -0.4986107602930034],
    [-0.9692436362808796, 1.8759675015077202, 0.04155505740717559],
    [0.05563007969699366, -0.20397695888897652, 1.0569715142428786])
  static let linearToXYZ = Matrix(
    [0.41239079926595934, 0.357584339383878, 0.1804807884018343],
    [0.21263900587151027, 0.715168678767756, 0.07219231536073371],
    [0.01933081871559182, 0.11919477979462598, 0.9505321522496607])
  static let p3ToXYZ = Matrix(
    [0.4865709486482162, 0.26566769316909306, 0.1982172852343625],
    [0.2289745640697488, 0.6917385218365064, 0.079286914093745],
    [0, 0.04511338185890264, 1.043944368900976])
  static let a98ToXYZ = Matrix(
    [0.5766690429101305, 0.1855582379065463, 0.1882286462349947],
    [0.29734497525053605, 0.6273635662554661, 0.07529145849399788],
    [0.02703136138641234, 0.07068885253582723, 0.9913375368376388])
  static let prophotoToXYZD50 = Matrix(
    [0.7977666449006423, 0.13518129740053308, 0.0313477341283922],
    [0.2880748288194013, 0.711835234241873, 0.00008993693872564],
    [0, 0, 0.8251046025104602])
  static let rec2020ToXYZ = Matrix(
    [0.6369580483012914, 0.14461690358620832, 0.1688809751641721],
    [0.2627002120112671, 0.6779980715188708, 0.05930171646986196],
    [0, 0.028072693049087428, 1.060985057710791])
  static let d50ToD65 = Matrix(
    [0.9554734527042182, -0.023098536874261423, 0.0632593086610217],
    [-0.028369706963208136, 1.0099954580058226, 0.021041398966943008],
    [0.012314001688319899, -0.020507696433477912, 1.3303659366080753])
  static let linearToLMS = Matrix(
    [0.4122214694707629, 0.5363325372617349, 0.05144599326750220],
    [0.2119034958178251, 0.6806995506452344, 0.1073969535369406],
    [0.08830245919005640, 0.2817188391361215, 0.6299787016738222])
  static let lmsToLinear = Matrix(
    [4.076741636075957, -3.307711539258063, 0.2309699031821043],
    [-1.268437973285031, 2.609757349287689, -0.3413193760026570],
    [-0.004196076138675526, -0.7034186179359363, 1.707614694074612])
  static let oklabToLMS = Matrix(
    [1, 0.3963377773761749, 0.2158037573099136], [1, -0.1055613458156586, -0.0638541728258133],
    [1, -0.0894841775298119, -1.2914855480194092])
  static let lmsToOklab = Matrix(
    [0.2104542683093140, 0.7936177747023054, -0.0040720430116193],
    [1.9779985324311684, -2.4285922420485799, 0.4505937096174110],
    [0.0259040424655478, 0.7827717124575296, -0.8086757549230774])
}
