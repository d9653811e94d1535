// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness

/// Why a property could not be tested, which is not the same as being false.
public enum CheckError: Error, Sendable, Hashable, Codable {
  /// A setting is outside what makes sense.
  case badSetting(name: String, value: String, expected: String)
  /// There is no random number generator of that name.
  case unknownGenerator(name: String)
  /// The generators give every case up, or nearly: what they can produce and what the property assumes hardly meet.
  case exhausted(passed: Int, discarded: Int)
  /// A generator has nothing to make a value of, such as a choice among no elements; carries what it lacks.
  case impossible(String)
  /// A stored tape no longer fits the generators: they ask for other choices than when it was recorded.
  case staleTape(property: String)
}

extension CheckError: CustomStringConvertible {
  /// What is wrong and how to mend it, in one sentence or two.
  public var description: String {
    switch self {
    case .badSetting(let name, let value, let expected):
      return "\(name) is \(value); expected \(expected)."
    case .unknownGenerator(let name):
      return "There is no generator '\(name)'. Known generators: \(GSLGenerator.names.joined(separator: ", "))."
    case .exhausted(0, let discarded):
      return "The generator can produce nothing: \(discarded) cases were drawn and all were discarded. "
        + "Draw values that fit instead of filtering them, or loosen the assumptions."
    case .exhausted(let passed, let discarded):
      return "Too few cases can be drawn: \(passed) passed and \(discarded) were discarded. "
        + "Draw values that fit instead of filtering them, or loosen the assumptions."
    case .impossible(let reason):
      return "The generator can produce nothing: \(reason)."
    case .staleTape(let property):
      return "The stored case no longer fits the generators of '\(property)': they ask for other choices than when it "
        + "was recorded. Delete it, or check the property anew."
    }
  }
}
