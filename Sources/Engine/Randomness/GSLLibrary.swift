// SPDX-License-Identifier: GPL-3.0-or-later
internal import CGSL

/// The GNU Scientific Library that is linked, and whether its generators are what they were.
public enum GSLLibrary {
  /// Its version, for example `2.7.1`.
  public static var version: String { unsafe String(cString: assay_gsl_version()) }

  /// What became of a generator that was tried.
  public enum Trial: Equatable, Sendable {
    /// It draws what it always drew.
    case asKnown
    /// It draws something else than it did: what it drew, and what was known.
    case differs(found: UInt32, known: UInt32)
    /// It starts and draws; nobody noted what to expect, since it is new in this version.
    case unknown
    /// It does not start.
    case refused(RandomnessError)
  }

  /// Starts every generator anew and draws a word of each.
  ///
  /// - Returns: what became of each, sorted by name; one that is known and no longer there was refused.
  public static func trials() -> [(name: String, trial: Trial)] {
    Set(GSLGenerator.names).union(firstWords.keys).sorted().map { ($0, trial(of: $0)) }
  }

  private static func trial(of name: String) -> Trial {
    do throws(RandomnessError) {
      var generator = try GSLGenerator(named: name, seed: 4357)
      let word = generator.next()
      guard let known = firstWords[name] else { return .unknown }
      return word == known ? .asKnown : .differs(found: word, known: known)
    } catch {
      return .refused(error)
    }
  }

  /// The first word of every generator with seed 4357.
  static let firstWords: [String: UInt32] = [
    "borosh13": 2621870512, "cmrg": 112781194, "coveyou": 18940834, "fishman18": 4180683359, "fishman20": 420641924,
    "fishman2x": 66058803, "gfsr4": 2901276280, "knuthran": 678506943, "knuthran2": 494141433,
    "knuthran2002": 1112999212, "lecuyer21": 354583122, "minstd": 146414642, "mrg": 2958205343, "mt19937": 4293858116,
    "mt19937_1998": 3510405877, "mt19937_1999": 2867219139, "r250": 2968675620, "ran0": 895494809, "ran1": 3881638109,
    "ran2": 3677899264, "ran3": 2595471222, "rand": 3895057044, "rand48": 1101602813, "random-bsd": 2263916795,
    "random-glibc2": 4046504002, "random-libc5": 4019506394, "random128-bsd": 2263916795,
    "random128-glibc2": 4046504002, "random128-libc5": 4019506394, "random256-bsd": 1521248736,
    "random256-glibc2": 103216001, "random256-libc5": 660670825, "random32-bsd": 2694565878,
    "random32-glibc2": 1467119543, "random32-libc5": 1906474832, "random64-bsd": 1407790704,
    "random64-glibc2": 1242001140, "random64-libc5": 3625289235, "random8-bsd": 3895057044,
    "random8-glibc2": 3895057044, "random8-libc5": 3895057044, "randu": 571132990, "ranf": 0, "ranlux": 1138554641,
    "ranlux389": 1138554641, "ranlxd1": 1384669406, "ranlxd2": 1988443684, "ranlxs0": 2941553482,
    "ranlxs1": 1021357431, "ranlxs2": 3146945612, "ranmar": 2293466129, "slatec": 538660050, "taus": 1777360508,
    "taus113": 1904126984, "taus2": 1777360508, "transputer": 2957390401, "tt800": 143268239, "uni": 3591196649,
    "uni32": 1605058366, "vax": 300933634, "waterman14": 3019724005, "zuf": 263558295,
  ]
}
