// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting

extension FaultSchedule {
  /// Reads a schedule from its text form.
  ///
  /// - Parameter text: As `description` writes it; a time that is only a number is in seconds, a share may be written
  ///   as 0.05 or 5%, parameters may come in any order, and those with a usual value may be left out.
  /// - Throws: `LiveLabError` naming the place in the text, what was found there and what was expected; the schedule of
  ///   another version is refused as such.
  package init(reading text: String) throws(LiveLabError) {
    var reader = ScheduleReader(text)
    self = try reader.schedule()
  }
}

/// Reads the text form of a schedule, word by word.
private struct ScheduleReader {
  private struct Word {
    let text: String
    /// Of its first character, from 1.
    let position: Int
  }

  private let words: [Word]
  private let length: Int
  private var next = 0

  init(_ text: String) {
    var words: [Word] = []
    var (word, start) = ("", 0)
    func end() {
      if !word.isEmpty { words.append(Word(text: word, position: start)) }
      word = ""
    }
    for (place, character) in text.enumerated() {
      if character == ";" || character.isWhitespace {
        end()
        if character == ";" { words.append(Word(text: ";", position: place + 1)) }
      } else {
        if word.isEmpty { start = place + 1 }
        word.append(character)
      }
    }
    end()
    (self.words, length) = (words, text.count)
  }

  mutating func schedule() throws(LiveLabError) -> FaultSchedule {
    try version()
    var (duration, limit): (Interval?, Interval?)
    while let word = plainWord() {
      let (key, value) = try pair(word, among: ["for", "limit"])
      let time = try time(value, at: word, key)
      guard (key == "for" ? duration : limit) == nil else { throw bad(word, expected: "\(key) only once") }
      if key == "for" { duration = time } else { limit = time }
    }
    guard let duration else { throw badHere(expected: "for=, how long the session is, such as for=30m") }
    try FaultSchedule.check(duration: duration, limit: limit, count: words.count { $0.text == ";" })
    var faults: [TimedFault] = []
    while next < words.count {
      next += 1
      // A semicolon behind the last fault does no harm.
      if next < words.count { faults.append(try fault(within: duration)) }
    }
    return try FaultSchedule(faults, duration: duration, limit: limit)
  }

  private mutating func version() throws(LiveLabError) {
    let expected = "a schedule, which begins by \(FaultSchedule.version)"
    guard let word = plainWord() else { throw badHere(expected: expected) }
    guard word.text.hasPrefix("live/") else { throw bad(word, expected: expected) }
    guard word.text == FaultSchedule.version else {
      throw bad(word, expected: "\(FaultSchedule.version); a schedule of another version cannot be replayed")
    }
  }

  private mutating func fault(within duration: Interval) throws(LiveLabError) -> TimedFault {
    guard let first = plainWord() else { throw badHere(expected: "when a fault happens, such as 5m20s") }
    let at = try time(first.text, at: first, nil)
    let names = Fault.Kind.allCases.map(\.rawValue)
    let all = "the name of a fault, one of \(names.joined(separator: ", "))"
    guard let word = plainWord() else { throw badHere(expected: all) }
    guard let kind = Fault.Kind(rawValue: word.text) else {
      let hint = Self.hint(word.text, among: names)
      throw bad(word, expected: hint.isEmpty ? all : "the name of a fault" + hint)
    }
    let parameters = kind.parameters
    var values = SIMD4<Int64>(repeating: 0)
    var seen: Set<String> = []
    for (place, parameter) in parameters.enumerated() { values[place] = parameter.standard ?? 0 }
    var lasting = Interval.zero
    while let word = plainWord() {
      let (key, value) = try pair(word, among: (kind.isMoment ? [] : ["for"]) + parameters.map(\.name))
      guard seen.insert(key).inserted else { throw bad(word, expected: "\(key) only once") }
      guard let place = parameters.firstIndex(where: { $0.name == key }) else {
        lasting = try time(value, at: word, key)
        continue
      }
      guard let number = parameters[place].value(value) else {
        throw bad(word, expected: "\(key)= and \(parameters[place].expectation)")
      }
      values[place] = number
    }
    if let missing = parameters.first(where: { $0.standard == nil && !seen.contains($0.name) }) {
      throw badHere(expected: "\(missing.name)= of \(kind.rawValue), \(missing.expectation)")
    }
    if !kind.isMoment, !seen.contains("for") { throw badHere(expected: "for= of \(kind.rawValue), such as for=20s") }
    let timed = TimedFault(Fault(kind, values: values), at: .zero + at, lasting: lasting)
    try timed.check(within: duration, named: "schedule, character \(first.position), \(kind.rawValue)")
    return timed
  }

  private mutating func plainWord() -> Word? {
    guard next < words.count, words[next].text != ";" else { return nil }
    next += 1
    return words[next - 1]
  }

  private func pair(_ word: Word, among keys: [String]) throws(LiveLabError) -> (key: String, value: String) {
    guard let sign = word.text.firstIndex(of: "=") else {
      throw bad(
        word, expected: keys.isEmpty ? "; or the end" : "\(keys.map { $0 + "=" }.joined(separator: " or ")), or ;")
    }
    let key = String(word.text[..<sign])
    guard keys.contains(key) else {
      throw bad(
        word,
        expected: (keys.isEmpty ? "; or the end" : keys.map { $0 + "=" }.joined(separator: " or "))
          + Self.hint(key, among: keys))
    }
    return (key, String(word.text[word.text.index(after: sign)...]))
  }

  private func time(_ text: String, at word: Word, _ key: String?) throws(LiveLabError) -> Interval {
    guard let nanoseconds = FaultText.readTime(text) else {
      throw bad(word, expected: "\(key.map { $0 + "= and " } ?? "")a time such as 5m20s, 1.5s or 250ms")
    }
    return Interval(nanoseconds: nanoseconds)
  }

  private func bad(_ word: Word, expected: String) -> LiveLabError {
    .badValue(field: "schedule, character \(word.position)", found: "'\(word.text)'", expected: expected)
  }

  /// The error of the word that comes next, or of the end of the text.
  private func badHere(expected: String) -> LiveLabError {
    guard next < words.count else {
      return .badValue(field: "schedule, character \(length + 1)", found: "the end", expected: expected)
    }
    return bad(words[next], expected: expected)
  }

  private static func hint(_ word: String, among names: [String]) -> String {
    Spelling.nearest(to: word, among: names).map { " (did you mean '\($0)'?)" } ?? ""
  }
}
