// SPDX-License-Identifier: Apache-2.0

/// A deficiency of colour vision.
public enum ColourDeficiency: String, CaseIterable, Hashable, Sendable {
  /// A deficiency of the cones for long wavelengths.
  case protan
  /// A deficiency of the cones for middle wavelengths.
  case deutan
  /// A deficiency of the cones for short wavelengths.
  case tritan
}

/// The model by which a deficiency is simulated.
public enum DeficiencyModel: Hashable, Sendable {
  /// Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision deficiency", IEEE
  /// TVCG 15 (2009), at a severity from 0 to 1; linear between the published tenths.
  case machado(severity: Double)
  /// Brettel, Vienot and Mollon, "Computerized simulation of color appearance for dichromats", JOSA A 14 (1997), for
  /// the complete deficiency.
  case brettel
}

extension Colour {
  /// The colour as a person with a deficiency sees it, computed on linear light and within the gamut of sRGB.
  public func simulated(_ deficiency: ColourDeficiency, _ model: DeficiencyModel = .brettel) -> Colour {
    let seen: Vector
    switch model {
    case .machado(let severity):
      let index = min(1, max(0, severity)) * 10
      let lower = min(9, Int(index))
      let tables = machadoTables[deficiency] ?? []
      guard tables.count == 11 else { return self }
      let (one, two) = (tables[lower] * linear, tables[lower + 1] * linear)
      let share = index - Double(lower)
      func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
      seen = Vector(mix(one.x, two.x), mix(one.y, two.y), mix(one.z, two.z))
    case .brettel:
      guard let planes = brettelPlanes[deficiency] else { return self }
      let side = planes.normal.x * linear.x + planes.normal.y * linear.y + planes.normal.z * linear.z
      seen = (side >= 0 ? planes.first : planes.second) * linear
    }
    return Colour(linear: seen.map { min(1, max(0, $0)) }, alpha: alpha)
  }
}

/// The two half-planes of a dichromat's colours, and the normal of the plane that divides them.
private struct BrettelPlanes: Sendable {
  let first, second: Matrix
  let normal: Vector
}

/// From libDaltonLens (public domain), on linear sRGB.
private let brettelPlanes: [ColourDeficiency: BrettelPlanes] = [
  .protan: BrettelPlanes(
    first: Matrix([0.1498, 1.19548, -0.34528], [0.10764, 0.84864, 0.04372], [0.00384, -0.0054, 1.00156]),
    second: Matrix([0.1457, 1.16172, -0.30742], [0.10816, 0.85291, 0.03892], [0.00386, -0.00524, 1.00139]),
    normal: Vector(0.00048, 0.00393, -0.00441)),
  .deutan: BrettelPlanes(
    first: Matrix([0.36477, 0.86381, -0.22858], [0.26294, 0.64245, 0.09462], [-0.02006, 0.02728, 0.99278]),
    second: Matrix([0.37298, 0.88166, -0.25464], [0.25954, 0.63506, 0.1054], [-0.0198, 0.02784, 0.99196]),
    normal: Vector(-0.00281, -0.00611, 0.00892)),
  .tritan: BrettelPlanes(
    first: Matrix([1.01277, 0.13548, -0.14826], [-0.01243, 0.86812, 0.14431], [0.07589, 0.805, 0.11911]),
    second: Matrix([0.93678, 0.18979, -0.12657], [0.06154, 0.81526, 0.1232], [-0.37562, 1.12767, 0.24796]),
    normal: Vector(0.03901, -0.02788, -0.01113)),
]

/// The published matrices at severities of 0, 10, to 100 percent, on linear sRGB.
private let machadoTables: [ColourDeficiency: [Matrix]] = [
  .protan: [
    Matrix([1, 0, 0], [0, 1, 0], [0, 0, 1]),
    Matrix([0.856167, 0.182038, -0.038205], [0.029342, 0.955115, 0.015544], [-0.00288, -0.001563, 1.004443]),
    Matrix([0.734766, 0.334872, -0.069637], [0.05184, 0.919198, 0.028963], [-0.004928, -0.004209, 1.009137]),
    Matrix([0.630323, 0.465641, -0.095964], [0.069181, 0.890046, 0.040773], [-0.006308, -0.007724, 1.014032]),
    Matrix([0.539009, 0.579343, -0.118352], [0.082546, 0.866121, 0.051332], [-0.007136, -0.011959, 1.019095]),
    Matrix([0.458064, 0.679578, -0.137642], [0.092785, 0.846313, 0.060902], [-0.007494, -0.016807, 1.024301]),
    Matrix([0.38545, 0.769005, -0.154455], [0.100526, 0.829802, 0.069673], [-0.007442, -0.02219, 1.029632]),
    Matrix([0.319627, 0.849633, -0.169261], [0.106241, 0.815969, 0.07779], [-0.007025, -0.028051, 1.035076]),
    Matrix([0.259411, 0.923008, -0.18242], [0.110296, 0.80434, 0.085364], [-0.006276, -0.034346, 1.040622]),
    Matrix([0.203876, 0.990338, -0.194214], [0.112975, 0.794542, 0.092483], [-0.005222, -0.041043, 1.046265]),
    Matrix([0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]),
  ],
  .deutan: [
    Matrix([1, 0, 0], [0, 1, 0], [0, 0, 1]),
    Matrix([0.866435, 0.177704, -0.044139], [0.049567, 0.939063, 0.01137], [-0.003453, 0.007233, 0.99622]),
    Matrix([0.760729, 0.319078, -0.079807], [0.090568, 0.889315, 0.020117], [-0.006027, 0.013325, 0.992702]),
    Matrix([0.675425, 0.43385, -0.109275], [0.125303, 0.847755, 0.026942], [-0.00795, 0.018572, 0.989378]),
    Matrix([0.605511, 0.52856, -0.134071], [0.155318, 0.812366, 0.032316], [-0.009376, 0.023176, 0.9862]),
    Matrix([0.547494, 0.607765, -0.155259], [0.181692, 0.781742, 0.036566], [-0.01041, 0.027275, 0.983136]),
    Matrix([0.498864, 0.674741, -0.173604], [0.205199, 0.754872, 0.039929], [-0.011131, 0.030969, 0.980162]),
    Matrix([0.457771, 0.731899, -0.18967], [0.226409, 0.731012, 0.042579], [-0.011595, 0.034333, 0.977261]),
    Matrix([0.422823, 0.781057, -0.203881], [0.245752, 0.709602, 0.044646], [-0.011843, 0.037423, 0.974421]),
    Matrix([0.392952, 0.82361, -0.216562], [0.263559, 0.69021, 0.046232], [-0.01191, 0.040281, 0.97163]),
    Matrix([0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]),
  ],
  .tritan: [
    Matrix([1, 0, 0], [0, 1, 0], [0, 0, 1]),
    Matrix([0.92667, 0.092514, -0.019184], [0.021191, 0.964503, 0.014306], [0.008437, 0.054813, 0.93675]),
    Matrix([0.89572, 0.13333, -0.02905], [0.029997, 0.9454, 0.024603], [0.013027, 0.104707, 0.882266]),
    Matrix([0.905871, 0.127791, -0.033662], [0.026856, 0.941251, 0.031893], [0.01341, 0.148296, 0.838294]),
    Matrix([0.948035, 0.08949, -0.037526], [0.014364, 0.946792, 0.038844], [0.010853, 0.193991, 0.795156]),
    Matrix([1.017277, 0.027029, -0.044306], [-0.006113, 0.958479, 0.047634], [0.006379, 0.248708, 0.744913]),
    Matrix([1.104996, -0.046633, -0.058363], [-0.032137, 0.971635, 0.060503], [0.001336, 0.317922, 0.680742]),
    Matrix([1.193214, -0.109812, -0.083402], [-0.058496, 0.97941, 0.079086], [-0.002346, 0.403492, 0.598854]),
    Matrix([1.257728, -0.139648, -0.118081], [-0.078003, 0.975409, 0.102594], [-0.003316, 0.501214, 0.502102]),
    Matrix([1.278864, -0.125333, -0.153531], [-0.084748, 0.957674, 0.127074], [-0.000989, 0.601151, 0.399838]),
    Matrix([1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]),
  ],
]
