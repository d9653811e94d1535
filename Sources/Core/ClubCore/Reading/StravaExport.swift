// SPDX-License-Identifier: Apache-2.0
internal import CoreDates
internal import CoreTables

/// Reads `activities.csv` of a member's export from Strava, in any language: its columns are known by their headings,
/// or else by their places. Its dates are in UTC.
struct StravaExport {
  private let table: TextTable
  private let columns: ExportColumns
  private let numbers: DecimalSign
  private let dates: ExportDates

  /// A text that begins like a table of several columns and not like JSON.
  static func isTable(_ bytes: [UInt8]) -> Bool {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.dropFirst(bytes.starts(with: mark) ? 3 : 0).prefix(1 << 16).drop { $0 <= 0x20 }
    guard let first = text.first, !"{[".utf8.contains(first) else { return false }
    let line = text.prefix { $0 != 0x0A && $0 != 0x0D }
    let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].map { sign in line.count { $0 == sign } }
    return (separators.max() ?? 0) >= 2 && !line.contains(UInt8(ascii: "{"))
  }

  /// Reads the heading.
  ///
  /// - Throws: `ClubError` for a table of another kind.
  init(_ bytes: [UInt8], source: String) throws(ClubError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .badFeed(
        FeedLocation(source: source, line: 1), field: "", found: "a table that is not UTF-8",
        expected: "Strava's activities.csv as exported, in UTF-8")
    }
    let table: TextTable
    do throws(TableError) {
      table = try TextTable(text, file: source)
    } catch {
      throw .badFeed(
        FeedLocation(source: source, line: error.line ?? 1), field: error.column, found: error.found,
        expected: error.expected)
    }
    guard let columns = ExportColumns(table.heading) else {
      throw .badFeed(
        FeedLocation(source: source, line: table.headingLine ?? 1), field: "",
        found: "a table with the columns \(Excerpt.of(table.heading.joined(separator: ", ").utf8))",
        expected: "activities.csv of Strava's export, whose first columns are Activity ID, Activity Date, Activity Name"
          + " and Activity Type in any language")
    }
    (self.table, self.columns) = (table, columns)
    numbers = DecimalSign(table.rows.lazy.compactMap { $0.cells[checked: columns.distance] })
    dates = ExportDates(table.rows.lazy.compactMap { $0.cells[checked: columns.date] })
  }

  /// Reads the rows.
  func read(into reading: inout FeedReading) {
    for row in table.rows {
      let location = FeedLocation(source: table.file, line: row.line)
      do throws(FeedFault) {
        let (entry, missing) = try entry(row, at: location)
        reading.entries.append(entry)
        if let missing { reading.addIncomplete(missing.error(at: location)) }
      } catch {
        reading.addSkipped(error.error(at: location))
      }
    }
    if table.rows.isEmpty {
      reading.failure = .badFeed(
        FeedLocation(source: table.file, line: table.headingLine ?? 1), field: "",
        found: "a heading without activities",
        expected: "a line for each activity")
    }
  }

  private func entry(
    _ row: TextTable.Row, at location: FeedLocation
  ) throws(FeedFault) -> (entry: FeedEntry, missing: FeedFault?) {
    let id = try text(columns.id, of: row)
    let date = try text(columns.date, of: row)
    guard let start = dates.moment(date) else {
      throw fault(
        columns.date, date,
        expected: dates.isAmbiguous
          ? "a date whose day and month differ visibly, such as 2026-11-22 15:24:36"
          : "a date and a time such as Nov 22, 2026, 3:24:36 PM")
    }
    let sport = ExportSports.sport(try text(columns.sport, of: row))
    let elapsed = try seconds(columns.elapsed, of: row)
    var missing: FeedFault?
    func lacking(_ index: Int?, _ name: String) -> FeedFault {
      FeedFault(
        field: index.map { table.heading[$0] } ?? name, found: "nothing", expected: "a number in every row")
    }
    var moving = elapsed
    if let index = columns.moving, row.cells[checked: index]?.isEmpty == false {
      moving = try seconds(index, of: row)
    } else {
      missing = lacking(columns.moving, "Moving Time")
    }
    var distance = Length.zero
    if let metres = columns.metres, let text = row.cells[checked: metres], !text.isEmpty {
      distance = try length(metres, text, byTenTo: 1)
    } else if let text = row.cells[checked: columns.distance], !text.isEmpty {
      distance = try length(columns.distance, text, byTenTo: columns.isInMetres ? 1 : 4)
    } else {
      throw lacking(columns.distance, "Distance")
    }
    var climb = Length.zero
    if let index = columns.climb, let text = row.cells[checked: index], !text.isEmpty {
      climb = try length(index, text, byTenTo: 1)
    } else {
      missing = missing ?? lacking(columns.climb, "Elevation Gain")
    }
    let title = columns.name.flatMap { row.cells[checked: $0] } ?? ""
    let activity = Activity(
      member: MemberIdentity(name: AthleteName(first: "", last: "")), title: String(title.prefix(1000)), sport: sport,
      distance: distance, movingTime: moving, elapsedTime: elapsed, elevation: climb, start: start)
    return (FeedEntry(activity, id: id, location: location), missing)
  }

  private func text(_ index: Int, of row: TextTable.Row) throws(FeedFault) -> String {
    guard let text = row.cells[checked: index], !text.isEmpty else {
      throw fault(index, "", expected: "a value in every row")
    }
    guard text.utf8.count <= FeedLimits.wordBytes, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
      throw fault(index, text, expected: "a text of at most \(FeedLimits.wordBytes) bytes without line ends")
    }
    return text
  }

  private func seconds(_ index: Int, of row: TextTable.Row) throws(FeedFault) -> Int {
    let text = try text(index, of: row)
    guard let scaled = numbers.decimal(text)?.scaled(byTenTo: 0, upTo: Activity.maxSeconds) else {
      throw fault(index, text, expected: "a number of seconds from 0 to \(Activity.maxSeconds)")
    }
    return scaled.whole
  }

  private func length(_ index: Int, _ text: String, byTenTo power: Int) throws(FeedFault) -> Length {
    guard let scaled = numbers.decimal(text)?.scaled(byTenTo: power, upTo: Length.maxDecimetres),
      let length = Length(decimetres: scaled.nearest)
    else {
      throw fault(
        index, text,
        expected: "a number of \(power == 1 ? "metres" : "kilometres"), with a decimal point or a decimal comma")
    }
    return length
  }

  private func fault(_ index: Int, _ found: String, expected: String) -> FeedFault {
    FeedFault(
      field: table.heading[checked: index] ?? "column \(index + 1)", found: TableError.quoted(found),
      expected: expected)
  }
}

extension Array {
  fileprivate subscript(checked index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

/// The columns of the export.
private struct ExportColumns {
  var id = 0
  var date = 1
  var name: Int? = 2
  var sport = 3
  var elapsed = 5
  /// In kilometres, or in metres in exports before July 2019.
  var distance = 6
  var isInMetres = false
  var moving: Int?
  /// The distance in metres.
  var metres: Int?
  var climb: Int?

  /// The columns by their headings, or else by their places; `nil` for another table.
  init?(_ heading: [String]) {
    let names = heading.map { $0.lowercased().replacing("_", with: " ") }
    func index(_ words: [String]) -> Int? { names.firstIndex(where: words.contains) }
    // The full export has the elapsed time and the distance twice, in any language.
    let isFull =
      names.count > 20 && names[5] == names[15] && names[6] == names[17] && !names[5].isEmpty && !names[6].isEmpty
    if let id = index(Self.ids), let date = index(Self.dates), let sport = index(Self.sports),
      let elapsed = index(Self.elapsed), let distance = index(Self.distances)
    {
      (self.id, self.date, self.sport, self.elapsed, self.distance) = (id, date, sport, elapsed, distance)
      (name, moving, climb) = (index(Self.titles), index(Self.moving), index(Self.climbs))
      metres = names[(distance + 1)...].firstIndex(of: names[distance])
      isInMetres = names[id] == "id"
    } else if names.count >= 7, names[0].hasSuffix("id") || names[0].hasPrefix("id") || isFull {
      if !isFull, names.count > 20 { return nil }
    } else {
      return nil
    }
    if isFull { (moving, metres, climb) = (16, 17, 20) }
  }

  private static let ids = [
    "activity id", "aktivitäts-id", "id de l'activité", "id de l’activité", "id de actividad", "id de la actividad",
    "id attività", "id dell'attività", "activiteits-id", "id da atividade", "id",
  ]
  private static let dates = [
    "activity date", "aktivitätsdatum", "date de l'activité", "date de l’activité", "fecha de actividad",
    "fecha de la actividad", "data attività", "data dell'attività", "datum van activiteit", "data da atividade", "date",
  ]
  private static let titles = [
    "activity name", "name der aktivität", "nom de l'activité", "nom de l’activité", "nombre de la actividad",
    "nome attività", "nome dell'attività", "naam activiteit", "nome da atividade", "name",
  ]
  private static let sports = [
    "activity type", "aktivitätsart", "type d'activité", "type d’activité", "tipo de actividad", "tipo di attività",
    "tipo attività", "activiteitstype", "tipo de atividade", "sport type", "type",
  ]
  private static let elapsed = [
    "elapsed time", "verstrichene zeit", "temps écoulé", "tiempo transcurrido", "tempo trascorso", "verstreken tijd",
    "tempo decorrido",
  ]
  private static let moving = [
    "moving time", "bewegungszeit", "durée de déplacement", "tiempo en movimiento", "tempo in movimento", "beweegtijd",
    "tempo de movimentação", "tempo em movimento",
  ]
  private static let distances = ["distance", "distanz", "distancia", "distanza", "afstand", "distância"]
  private static let climbs = [
    "elevation gain", "höhenzunahme", "dénivelé positif", "desnivel positivo", "dislivello positivo",
    "dislivello in salita", "hoogtewinst", "ganho de elevação", "total elevation gain",
  ]
}

/// The decimal sign of a table, by its distances.
private struct DecimalSign {
  private let isComma: Bool

  init(_ distances: some Sequence<String>) {
    isComma = distances.contains { text in
      let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      return parts.count == 2 && parts[1].count != 3 && !text.contains(".")
    }
  }

  /// A number; `nil` for a text that is none, and for a comma that may separate thousands or decimals.
  func decimal(_ text: String) -> ExactDecimal? {
    let commas = text.count { $0 == "," }
    if text.contains("."), let point = text.lastIndex(of: "."), text[point...].contains(",") { return nil }
    if commas > 0, text.contains(".") { return ExactDecimal(text.filter { $0 != "," }.utf8) }
    guard commas <= 1, commas == 0 || isComma else { return nil }
    return ExactDecimal(text.replacing(",", with: ".").utf8)
  }
}

/// The dates of a table: in one of the ways of many languages, all in UTC.
private struct ExportDates {
  /// True if a day precedes the month in dates of numbers between slashes; `nil` if no date shows it.
  private let isDayFirst: Bool?
  /// True if dates have slashes that no date explains.
  let isAmbiguous: Bool

  init(_ dates: some Sequence<String>) {
    var (day, month, hasSlashes) = (false, false, false)
    for text in dates where text.contains("/") {
      let numbers = Self.numbers(text)
      guard numbers.count >= 3, numbers[0].count < 4, let first = Int(numbers[0]), let second = Int(numbers[1]) else {
        continue
      }
      hasSlashes = true
      if first > 12 { day = true }
      if second > 12 { month = true }
    }
    isDayFirst = day == month ? nil : day
    isAmbiguous = hasSlashes && day == month
  }

  func moment(_ text: String) -> Moment? {
    let numbers = Self.numbers(text)
    let values = numbers.compactMap { Int($0) }
    guard values.count == numbers.count, let yearAt = numbers.firstIndex(where: { $0.count == 4 }) else { return nil }
    let month = text.split { !$0.isLetter }.lazy.compactMap { Self.month(String($0)) }.first
    var (date, rest) = (CivilDate(year: 0, month: 1, dayOfMonth: 1), values[...])
    if let month {
      guard yearAt == 0 || yearAt == 1, values.count >= 2 else { return nil }
      date = CivilDate(year: values[yearAt], month: month, dayOfMonth: values[1 - yearAt])
      rest = values[2...]
    } else {
      guard values.count >= 3, yearAt == 0 || yearAt == 2 else { return nil }
      if yearAt == 0 {
        date = CivilDate(year: values[0], month: values[1], dayOfMonth: values[2])
      } else {
        guard !text.contains("/") || isDayFirst != nil else { return nil }
        let isDayFirst = text.contains("/") ? isDayFirst ?? true : true
        date = CivilDate(
          year: values[2], month: values[isDayFirst ? 1 : 0], dayOfMonth: values[isDayFirst ? 0 : 1])
      }
      rest = values[3...]
    }
    guard date.year > 0, date.exists, (2...3).contains(rest.count) else { return nil }
    let clock = Array(rest)
    var hour = clock[0]
    let tail = text.lowercased().filter { $0.isLetter }
    if tail.hasSuffix("pm") || tail.hasSuffix("am") {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (tail.hasSuffix("pm") ? 12 : 0)
    }
    let second = clock.count == 3 ? clock[2] : 0
    guard hour < 24, clock[1] < 60, second < 60 else { return nil }
    return Moment(seconds: date.day * 86_400 + hour * 3600 + clock[1] * 60 + second)
  }

  private static func numbers(_ text: String) -> [Substring] {
    text.split { !("0"..."9").contains($0) }.map { $0.prefix(5) }
  }

  /// A month by the beginning of its name.
  private static func month(_ word: String) -> Int? {
    let word = word.lowercased()
    return months.firstIndex { $0.contains(where: word.hasPrefix) }.map { $0 + 1 }
  }

  private static let months = [
    ["jan", "ene", "gen", "sty", "янв"], ["feb", "fév", "fev", "lut", "фев"], ["mar", "mär", "mrt", "мар"],
    ["apr", "abr", "avr", "kwi", "апр"], ["may", "mai", "mag", "maj", "mei", "май", "мая"],
    ["jun", "juin", "giu", "cze", "июн"], ["jul", "juil", "lug", "lip", "июл"],
    ["aug", "ago", "aoû", "aou", "sie", "авг"], ["sep", "set", "wrz", "сен"],
    ["oct", "okt", "ott", "out", "paź", "окт"], ["nov", "lis", "ноя"], ["dec", "dez", "déc", "dic", "gru", "дек"],
  ]
}

/// The sports of the export: the words of the service with spaces, or translated.
private enum ExportSports {
  /// The sport of a word; an unknown word is a sport of that name.
  static func sport(_ word: String) -> Sport {
    let key = word.lowercased()
    if let name = translations[key] { return Sport(name) }
    let plain = word.filter { $0.isLetter || $0.isNumber }
    let known = (Sport.cycling + Sport.running + [Sport("WeightTraining"), Sport("Walk"), Sport("Hike")]).first {
      $0.name.lowercased() == plain.lowercased()
    }
    return known ?? (word.utf8.allSatisfy { $0 < 0x80 } ? Sport(plain.isEmpty ? word : plain) : Sport(word))
  }

  private static let translations = [
    "radfahrt": "Ride", "radfahren": "Ride", "virtuelle radfahrt": "VirtualRide", "e-bike-fahrt": "EBikeRide",
    "mountainbike-fahrt": "MountainBikeRide", "gravel-fahrt": "GravelRide", "lauf": "Run", "traillauf": "TrailRun",
    "schwimmen": "Swim", "spaziergang": "Walk", "wanderung": "Hike", "krafttraining": "WeightTraining",
    "vélo": "Ride", "sortie à vélo": "Ride", "vélo virtuel": "VirtualRide", "course à pied": "Run", "trail": "TrailRun",
    "natation": "Swim", "marche": "Walk", "randonnée": "Hike", "bicicleta": "Ride", "ciclismo": "Ride",
    "vuelta ciclista": "Ride", "carrera": "Run", "natación": "Swim", "caminata": "Walk", "giro in bici": "Ride",
    "pedalata": "Ride", "corsa": "Run", "nuoto": "Swim", "camminata": "Walk", "fietsrit": "Ride",
    "virtuele fietsrit": "VirtualRide", "hardloopsessie": "Run", "zwemmen": "Swim", "wandeling": "Walk",
    "pedalada": "Ride", "corrida": "Run", "natação": "Swim", "caminhada": "Walk", "bike": "Ride",
  ]
}
