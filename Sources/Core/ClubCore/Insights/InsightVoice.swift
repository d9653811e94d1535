// SPDX-License-Identifier: Apache-2.0

/// How insights speak.
struct InsightVoice: Sendable {
  /// Who the sentences are about: `You`, or a name.
  let subject: String
  let names: NameStyle
  let noun: ActivityNoun

  /// Ends a sentence: a name that ends with a full stop needs no second one.
  func ended(_ text: String) -> String { text.hasSuffix(".") ? text : text + "." }

  func name(_ member: MemberIdentity) -> String { member.name.shown(names) }

  /// Names with commas between them and a word before the last.
  func list(_ members: [MemberIdentity]) -> String { Self.list(members.map(name)) }

  static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }

  /// A value in a sentence; climbing in whole metres.
  func value(_ metric: Metric, _ value: Ratio?) -> String {
    guard let value else { return "none" }
    switch metric {
    case .distance: return ClubDisplay.distance(value.rounded())
    case .rides: return noun.counted(value.rounded())
    case .speed: return noun == .run ? ClubDisplay.pace(value) : ClubDisplay.speed(value)
    case .elevation: return metres(value)
    }
  }

  /// Decimetres in whole metres.
  func metres(_ decimetres: Ratio) -> String { "\(decimetres.rounded(over: 10)) m" }

  /// How far apart two values are; speeds always per hour, because paces do not subtract.
  func difference(_ metric: Metric, _ gap: Ratio) -> String {
    metric == .speed ? ClubDisplay.speed(gap) : value(metric, gap)
  }

  /// A distance as short as it can be said: `40 km`, `37.5 km`, `62.5 m`.
  func short(_ decimetres: Int) -> String {
    if decimetres > 0, decimetres < 1000 {
      return (decimetres % 10 == 0 ? "\(decimetres / 10)" : ClubDisplay.tenths(decimetres)) + " m"
    }
    let text = ClubDisplay.distance(decimetres)
    return text.hasSuffix(".0 km") ? String(text.dropLast(5)) + " km" : text
  }

  /// What a metric is called within a sentence.
  func word(_ metric: Metric) -> String {
    switch metric {
    case .distance: "distance"
    case .rides: "number of \(noun.plural)"
    case .speed: "average speed"
    case .elevation: "climbing"
    }
  }

  /// A word with its first letter in upper case.
  func opening(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  /// A percentage with its sign: `+1.5%`, `0.0%`.
  func signed(_ tenthsOfPercent: Int) -> String {
    (tenthsOfPercent > 0 ? "+" : "") + ClubDisplay.percentage(tenthsOfPercent)
  }

  /// `one more 40 km ride`, `2 more rides of 38 km each`.
  func more(_ rides: Int, of length: Int) -> String {
    rides == 1 ? "one more \(short(length)) \(noun.rawValue)" : "\(rides) more \(noun.plural) of \(short(length)) each"
  }
}
