// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A type with a default generator, so that a property can take its values by naming the type.
///
/// ```swift
/// try await check { (number: Int, text: String) in
///   #expect(String(number).isEmpty == false && text + "" == text)
/// }
/// ```
///
/// The types of the standard library and of Foundation conform. A type of your own that is `Decodable` needs no more
/// than `extension Order: Generable {}`: its generator is then `derived()`. In a derived generator, a part that
/// conforms comes from its own generator.
public protocol Generable: SendableMetatype {
  /// The generator of values of this type.
  static var generator: Gen<Self> { get }
}

extension Generable where Self: Decodable {
  /// The values that the type decodes.
  public static var generator: Gen<Self> { .derived() }
}

extension Int: Generable {
  /// The values of `integers()`.
  public static var generator: Gen<Int> { .integers() }
}
extension Int8: Generable {
  /// The values of `integers()`.
  public static var generator: Gen<Int8> { .integers() }
}
extension Int16: Generable {
  /// The values of `integers()`.
  public static var generator: Gen<Int16> { .integers() }
}
extension Int32: Generable {
  /// The values of `integers()`.
  public static var generator: Gen<Int32> { .integers() }
}
extension Int64: Generable {
  /// The values of `integers()`.
  public static var generator: Gen<Int64> { .integers() }
}
extension Int128: Generable {
  /// The values of `integers()`.
  public static var generator: Gen<Int128> { .integers() }
}
extension UInt: Generable {
  /// The values of `integers()`.
  public static var generator: Gen<UInt> { .integers() }
}
extension UInt8: Generable {
  /// The values of `integers()`.
  public static var generator: Gen<UInt8> { .integers() }
}
extension UInt16: Generable {
  /// The values of `integers()`.
  public static var generator: Gen<UInt16> { .integers() }
}
extension UInt32: Generable {
  /// The values of `integers()`.
  public static var generator: Gen<UInt32> { .integers() }
}
extension UInt64: Generable {
  /// The values of `integers()`.
  public static var generator: Gen<UInt64> { .integers() }
}
extension UInt128: Generable {
  /// The values of `integers()`.
  public static var generator: Gen<UInt128> { .integers() }
}

extension Bool: Generable {
  /// The values of `booleans()`.
  public static var generator: Gen<Bool> { .booleans() }
}
extension Double: Generable {
  /// The values of `doubles()`.
  public static var generator: Gen<Double> { .doubles() }
}
extension Float: Generable {
  /// The values of `floats()`.
  public static var generator: Gen<Float> { .floats() }
}
extension String: Generable {
  /// The values of `strings()`.
  public static var generator: Gen<String> { .strings() }
}
extension Character: Generable {
  /// The values of `characters()`.
  public static var generator: Gen<Character> { .characters() }
}
extension Unicode.Scalar: Generable {
  /// The values of `unicodeScalars()`.
  public static var generator: Gen<Unicode.Scalar> { .unicodeScalars() }
}
extension Duration: Generable {
  /// The values of `durations()`.
  public static var generator: Gen<Duration> { .durations() }
}

extension Calendar: Generable {
  /// The values of `calendars()`.
  public static var generator: Gen<Calendar> { .calendars() }
}
extension CharacterSet: Generable {
  /// The characters of drawn strings.
  public static var generator: Gen<CharacterSet> { Gen<String>.strings().map(CharacterSet.init(charactersIn:)) }
}
extension Data: Generable {
  /// The values of `data()`.
  public static var generator: Gen<Data> { .data() }
}
extension Date: Generable {
  /// The values of `dates()`.
  public static var generator: Gen<Date> { .dates() }
}
extension DateInterval: Generable {
  /// The values of `dateIntervals()`.
  public static var generator: Gen<DateInterval> { .dateIntervals() }
}
extension Decimal: Generable {
  /// The values of `decimals()`.
  public static var generator: Gen<Decimal> { .decimals() }
}
extension IndexPath: Generable {
  /// Up to four indices from 0 to 999.
  public static var generator: Gen<IndexPath> {
    Gen<[Int]>.arrays(of: .integers(in: 0...999), count: 0...4).map(IndexPath.init(indexes:))
  }
}
extension IndexSet: Generable {
  /// The values of `indexSets()`.
  public static var generator: Gen<IndexSet> { .indexSets() }
}
extension Locale: Generable {
  /// The values of `locales()`.
  public static var generator: Gen<Locale> { .locales() }
}
extension TimeZone: Generable {
  /// The values of `timeZones()`.
  public static var generator: Gen<TimeZone> { .timeZones() }
}
extension URL: Generable {
  /// The values of `urls()`.
  public static var generator: Gen<URL> { .urls() }
}
extension URLComponents: Generable {
  /// The components of the values of `urls()`.
  public static var generator: Gen<URLComponents> {
    Gen<URL>.urls().map { url in
      guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: false) else { throw Discard.filtered }
      return parts
    }
  }
}
extension UUID: Generable {
  /// The values of `uuids()`.
  public static var generator: Gen<UUID> { .uuids() }
}

extension Optional: Generable where Wrapped: Generable {
  /// Nil, or a value of the wrapped type.
  public static var generator: Gen<Wrapped?> { .optionals(of: Wrapped.generator) }
}
extension Array: Generable where Element: Generable {
  /// Up to 20 elements.
  public static var generator: Gen<[Element]> { .arrays(of: Element.generator) }
}
extension Set: Generable where Element: Generable {
  /// Up to 20 elements.
  public static var generator: Gen<Set<Element>> { .sets(of: Element.generator) }
}
extension Dictionary: Generable where Key: Generable, Value: Generable {
  /// Up to 20 pairs.
  public static var generator: Gen<[Key: Value]> { .dictionaries(of: Key.generator, to: Value.generator) }
}
extension Range: Generable where Bound: Generable {
  /// Ranges between two bounds.
  public static var generator: Gen<Range<Bound>> {
    zip(Bound.generator, Bound.generator).map { Range(halfOpening: try spanned($0, $1)) }
  }
}
extension ClosedRange: Generable where Bound: Generable {
  /// Ranges between two bounds.
  public static var generator: Gen<ClosedRange<Bound>> {
    zip(Bound.generator, Bound.generator).map { try spanned($0, $1) }
  }
}

/// The range from the lower of two values to the other; a case with values that have no order is discarded.
func spanned<Bound: Comparable>(_ first: Bound, _ second: Bound) throws -> ClosedRange<Bound> {
  let (lower, upper) = second < first ? (second, first) : (first, second)
  guard lower <= upper else { throw Discard.filtered }
  return lower...upper
}

extension Range {
  /// A closed range without its upper bound.
  init(halfOpening range: ClosedRange<Bound>) { self = range.lowerBound..<range.upperBound }
}
