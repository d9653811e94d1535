// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import LeagueConnections
internal import LeagueCore
internal import LeagueHTTP
internal import Reporting
internal import Synchronization
internal import Workbench

/// A league that is named by its service and number in place of files: `sleeper:784462448236363776`, `espn:1234567`.
struct LeagueAddress: Sendable {
  let text: String
  private let platform: LeaguePlatform
  private let number: String

  /// Returns nil for the name of a file.
  init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":"), let platform = LeaguePlatform(rawValue: text[..<colon].lowercased())
    else {
      return nil
    }
    (self.text, self.platform, number) = (text, platform, String(text[colon...].dropFirst()))
  }

  /// Fetches the league with the games of every week that is over.
  ///
  /// - Parameters:
  ///   - season: The season; without one, that of a Sleeper league, or ESPN's current one.
  ///   - base: The address of the service, if it is not the default one.
  ///   - folder: The folder that keeps the documents.
  /// - Returns: The league.
  /// - Throws: Errors of the service, of its answer, and of the folder.
  func fetch(season: Int?, from base: String?, savingTo folder: String?) throws -> League {
    let connection = LeagueConnection(
      platform: platform, leagueID: number,
      season: season ?? (platform == .espn ? Self.currentSeason : LeagueConnection.anySeason))
    try connection.check()
    let credentials = try ESPNCredentials.given(for: platform)
    let service = LeagueService(RetryingTransport(CurlTransport()), address: base)
    let answer = Mutex<(league: League, documents: [LeagueService.Document])?>(nil)
    try UntilInterrupted.run {
      let fetched = try await service.fetch(connection, credentials: credentials, withWeeks: true)
      answer.withLock { $0 = fetched }
    }
    guard let (league, documents) = answer.withLock(\.self) else { throw CancellationError() }
    if let folder { try Self.save(documents, of: league, to: folder) }
    return league
  }

  /// The year in which the latest season began: American football begins in September.
  private static var currentSeason: Int {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let today = calendar.dateComponents([.year, .month], from: Date())
    return (today.year ?? 0) - ((today.month ?? 12) < 9 ? 1 : 0)
  }

  /// Writes the documents, each by a name that `league rank` reads again. A folder with other files is refused, because
  /// its documents would be read as those of this league.
  private static func save(
    _ documents: [LeagueService.Document], of league: League, to folder: String
  ) throws {
    let url = URL(fileURLWithPath: folder)
    let present = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    if !present.isEmpty {
      let kept = try? LeagueDocument(
        Data(TextFile.read(url.appendingPathComponent("league.json").path).utf8), named: "league.json")
      guard let kept, kept.connection == league.connection else {
        throw CommandError.badValue(
          option: "--save", found: "'\(folder)' with other files",
          expected: "a new or empty folder, or one with this league")
      }
    }
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw ReportingError.unwritable(path: folder, cause: SystemCause.message(of: error), cure: "name another folder")
    }
    for document in documents {
      try OutputFile(url.appendingPathComponent(document.name).path).write(document.data)
    }
    Console.say("saved \(documents.count == 1 ? "1 document" : "\(documents.count) documents") in \(folder)")
  }
}
