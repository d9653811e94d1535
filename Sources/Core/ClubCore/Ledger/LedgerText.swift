// SPDX-License-Identifier: Apache-2.0
internal import Foundation

extension WeekLedger {
  /// The version of the text form that this code writes, and the only one that it reads.
  static let textVersion = 1

  /// The ledger as text: one line of JSON about the whole, then one for each entry, in the order of `entries`.
  ///
  /// Reading it gives an equal ledger, and writing that gives the same bytes.
  ///
  /// - Complexity: O(entries).
  public var encoded: [UInt8] {
    let encoder = LedgerLine.encoder
    var bytes = LedgerLine.bytes(LedgerHeader(self), encoder)
    for entry in entries { bytes += LedgerLine.bytes(EntryRecord(entry), encoder) }
    return bytes
  }

  /// Reads a ledger that `encoded` wrote. Nothing else is accepted: a line that another program wrote in another way,
  /// a key too many or too few, an entry that is missing.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - source: What a person calls it: the file's name.
  /// - Throws: `badFeed` with the line, the key where one is wrong, what was found, and what was expected.
  public init(decoding bytes: [UInt8], source: String) throws(ClubError) {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    var line = LedgerLine(source: source, number: 1, bytes: lines.first ?? [])
    let header: LedgerHeader = try line.decoded()
    self = try header.ledger(line)
    guard bytes.last == 0x0A, header.entries == lines.count - 2 else {
      throw LedgerLine(source: source, number: lines.count, bytes: []).error(
        "entries", "\(lines.count - 2) lines of entries\(bytes.last == 0x0A ? "" : ", the last of them cut off")",
        "\(header.entries), each ending with a line feed")
    }
    var ids: Set<Int> = []
    entries.reserveCapacity(lines.count)
    for (index, text) in lines.dropFirst().dropLast().enumerated() {
      line = LedgerLine(source: source, number: index + 2, bytes: text)
      let record: EntryRecord = try line.decoded()
      guard (0..<nextID).contains(record.id), ids.insert(record.id).inserted else {
        throw line.error("id", "\(record.id)", "a number below \(nextID) that no other entry has")
      }
      entries.append(try record.entry(line))
    }
  }
}

/// A line of a ledger's text.
private struct LedgerLine {
  let source: String
  let number: Int
  let bytes: ArraySlice<UInt8>

  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  static func bytes(_ record: some Encodable, _ encoder: JSONEncoder) -> [UInt8] {
    // Records hold numbers and texts only, which every encoder can write.
    let data = (try? encoder.encode(record)) ?? Data()
    return Array(data) + [0x0A]
  }

  func decoded<Record: Codable>() throws(ClubError) -> Record {
    let record: Record
    do {
      record = try JSONDecoder().decode(Record.self, from: Data(bytes))
    } catch DecodingError.keyNotFound(let key, _) {
      throw error(key.stringValue, "nothing", "a value")
    } catch DecodingError.typeMismatch(let type, let context) {
      throw error(context.codingPath.last?.stringValue ?? "", "another kind of value", "\(type)")
    } catch {
      throw self.error("", excerpt, "a line of a ledger, version \(WeekLedger.textVersion)")
    }
    // Whatever is read otherwise than it would be written is refused: unknown keys, repeated ones, other spellings.
    guard Self.bytes(record, Self.encoder).dropLast() == bytes else {
      throw error("", excerpt, "the line as a ledger writes it, without anything else")
    }
    return record
  }

  private var excerpt: String {
    bytes.isEmpty ? "an empty line" : "'\(String(decoding: bytes.prefix(60), as: UTF8.self))'"
  }

  func error(_ field: String, _ found: String, _ expected: String) -> ClubError {
    .badFeed(FeedPlace(source: source, line: number), field: field, found: found, expected: expected)
  }

  func moment(_ field: String, _ milliseconds: Int) throws(ClubError) -> Moment {
    let moment = Moment(milliseconds: milliseconds)
    let slack = Activity.mostSeconds
    guard moment >= WeekLedger.observable.lowerBound.adding(seconds: -slack), moment <= WeekLedger.observable.upperBound
    else { throw error(field, "\(milliseconds)", "milliseconds since 1970-01-01 of the years 1 to 9999") }
    return moment
  }

  func moment(_ field: String, _ milliseconds: Int?) throws(ClubError) -> Moment? {
    guard let milliseconds else { return nil }
    return try moment(field, milliseconds) as Moment
  }
}

/// The line about the whole.
private struct LedgerHeader: Codable {
  let ledger: Int
  let timeZone: String
  let weeks: Int
  let order: String
  let page: Int?
  let first: Int?
  let last: Int?
  let count: Int
  let pages: [Int]?
  let whole: Bool
  let next: Int
  let entries: Int

  init(_ ledger: WeekLedger) {
    (self.ledger, timeZone, weeks) = (WeekLedger.textVersion, ledger.calendar.timeZone.identifier, ledger.weeksKept)
    (first, last) = (ledger.firstObservation?.milliseconds, ledger.lastObservation?.milliseconds)
    (count, whole, next) = (ledger.lastCount, ledger.lastWasWhole, ledger.nextID)
    entries = ledger.entries.count
    pages = ledger.lastPageStarts.isEmpty ? nil : ledger.lastPageStarts
    switch ledger.order {
    case .byStart: (order, page) = ("start", nil)
    case .byUpload: (order, page) = ("upload", nil)
    case .byUploadInPages(let size): (order, page) = ("upload in pages", size)
    }
  }

  func ledger(_ line: LedgerLine) throws(ClubError) -> WeekLedger {
    guard ledger == WeekLedger.textVersion else {
      throw line.error("ledger", "version \(ledger)", "version \(WeekLedger.textVersion)")
    }
    guard let zone = TimeZone(identifier: timeZone) else {
      throw line.error("timeZone", "'\(timeZone)'", "a time zone that this system knows, such as Europe/Berlin")
    }
    guard weeks >= 2, weeks <= 1_000_000 else { throw line.error("weeks", "\(weeks)", "2 to 1000000") }
    guard count >= 0, next >= 0, entries >= 0 else {
      throw line.error("", "a negative number among count, next and entries", "0 or more")
    }
    guard (first == nil) == (last == nil), first ?? 0 <= last ?? 0 else {
      throw line.error("last", "\(last.map(String.init) ?? "nothing")", "a moment not before `first`, or neither")
    }
    let starts = pages ?? []
    guard starts.allSatisfy({ (0..<count).contains($0) }), zip(starts, starts.dropFirst()).allSatisfy(<),
      pages.map({ !$0.isEmpty && order == "upload in pages" }) ?? true
    else { throw line.error("pages", "\(starts)", "ascending places among the listed, or nothing") }
    var result = WeekLedger(calendar: WeekCalendar(timeZone: zone), keeping: weeks, order: try listingOrder(line))
    result.firstObservation = try line.moment("first", first)
    result.lastObservation = try line.moment("last", last)
    (result.lastCount, result.lastWasWhole, result.nextID) = (count, whole, next)
    result.lastPageStarts = starts
    return result
  }

  private func listingOrder(_ line: LedgerLine) throws(ClubError) -> ListingOrder {
    switch (order, page) {
    case ("start", nil): return .byStart
    case ("upload", nil): return .byUpload
    case ("upload in pages", let size?) where size > 0: return .byUploadInPages(of: size)
    default:
      throw line.error("order", "'\(order)'", "'start', 'upload', or 'upload in pages' with `page` of 1 or more")
    }
  }
}

/// The line about one entry.
private struct EntryRecord: Codable {
  let id: Int
  let firstName: String
  let lastName: String
  let token: String?
  let title: String
  let sport: String
  let distance: Int
  let moving: Int
  let elapsed: Int
  let climb: Int
  let workout: Int?
  let start: Int?
  let seen: Int
  let unseen: Int?
  let week: String?
  let earliest: Int?
  let latest: Int
  let likely: Int?
  let ground: String
  let standing: String
  let since: Int?

  init(_ entry: LedgerEntry) {
    let (activity, dating) = (entry.activity, entry.dating)
    (id, title, sport) = (entry.id, activity.title, activity.sport.name)
    (firstName, lastName) = (activity.member.name.first, activity.member.name.last)
    token = activity.member.token?.value
    (distance, climb) = (activity.distance.decimetres, activity.elevation.decimetres)
    (moving, elapsed, workout) = (activity.movingTime, activity.elapsedTime, activity.workoutType)
    (start, seen, unseen) = (
      activity.start?.milliseconds, entry.firstSeen.milliseconds, entry.unseenAt?.milliseconds
    )
    (week, ground) = (dating.week?.description, dating.ground.rawValue)
    (earliest, latest, likely) = (
      dating.earliest?.milliseconds, dating.latest.milliseconds, dating.likely?.milliseconds
    )
    switch entry.standing {
    case .listed: (standing, since) = ("listed", nil)
    case .fallen: (standing, since) = ("fallen", nil)
    case .gone(let moment): (standing, since) = ("gone", moment.milliseconds)
    }
  }

  func entry(_ line: LedgerLine) throws(ClubError) -> LedgerEntry {
    let activity = Activity(
      member: MemberIdentity(
        name: AthleteName(first: firstName, last: lastName), token: token.flatMap(AthleteToken.init)),
      title: title, sport: Sport(sport), distance: try length("distance", distance, line), movingTime: moving,
      elapsedTime: elapsed, elevation: try length("climb", climb, line), workoutType: workout,
      start: start.map(Moment.init(milliseconds:)))
    let result = LedgerEntry(
      id: id, activity: activity, firstSeen: try line.moment("seen", seen), unseenAt: try line.moment("unseen", unseen),
      dating: try dating(line), standing: try lastStanding(line), fingerprint: ActivityFingerprint(activity))
    // Names are tidied when they are read: one that is written untidily is not a ledger's.
    guard activity.member.name.first == firstName, activity.member.name.last == lastName, token != "" else {
      throw line.error("firstName", "'\(firstName) \(lastName)'", "names without idle spaces, and no empty token")
    }
    return result
  }

  private func length(_ field: String, _ decimetres: Int, _ line: LedgerLine) throws(ClubError) -> Length {
    guard let length = Length(decimetres: decimetres) else {
      throw line.error(field, "\(decimetres)", "0 to \(Length.mostDecimetres) decimetres")
    }
    return length
  }

  private func dating(_ line: LedgerLine) throws(ClubError) -> Dating {
    guard let ground = Dating.Ground(rawValue: ground) else {
      let grounds = Dating.Ground.allCases.map(\.rawValue).joined(separator: ", ")
      throw line.error("ground", "'\(ground)'", "one of \(grounds)")
    }
    let known = week.map(Week.init)
    if case .some(nil) = known { throw line.error("week", "'\(week ?? "")'", "a week such as 2026-W47") }
    return Dating(
      week: known ?? nil, earliest: try line.moment("earliest", earliest), latest: try line.moment("latest", latest),
      likely: try line.moment("likely", likely), ground: ground)
  }

  private func lastStanding(_ line: LedgerLine) throws(ClubError) -> LedgerEntry.Standing {
    switch (standing, since) {
    case ("listed", nil): return .listed
    case ("fallen", nil): return .fallen
    case ("gone", let moment?): return .gone(since: try line.moment("since", moment))
    default:
      throw line.error("standing", "'\(standing)'", "'listed' or 'fallen', or 'gone' with `since`")
    }
  }
}
