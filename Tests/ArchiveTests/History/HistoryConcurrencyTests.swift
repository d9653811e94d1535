// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
import Synchronization
import Testing

@testable import Archive

@Suite("Several runs record at once")
struct HistoryConcurrencyTests {
  private static let writers = 8

  @Test("eight connections that open, record and read at once lose nothing")
  func many() throws {
    let fixture = try HistoryFixture()
    let path = fixture.path
    let errors = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: Self.writers) { writer in
      do {
        let history = try History.open(path)
        for minutes in 0..<10 {
          try history.record(
            HistoryFixture.document(slug: "writer\(writer)"), HistoryFixture.record(at: minutes),
            folder: "runs/\(writer)-\(minutes)")
          _ = try history.run(named: "writer\(writer)")
        }
      } catch {
        errors.withLock { $0.append("\(error)") }
      }
    }
    #expect(errors.withLock(\.self) == [])
    let runs = try History.open(path).runs()
    #expect(runs.count == Self.writers * 10 && Set(runs.map(\.id)).count == runs.count)
  }

  @Test("of several that find it damaged one sets it aside, and what all record is kept")
  func damaged() throws {
    let fixture = try HistoryFixture()
    let path = fixture.path
    try fixture.write("this is no database, whatever its name says", as: "history.sqlite")
    let remarks = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: Self.writers) { writer in
      do {
        let history = try History.open(path)
        try history.record(HistoryFixture.document(), HistoryFixture.record(), folder: "runs/\(writer)")
        remarks.withLock { $0 += history.remarks }
      } catch {
        remarks.withLock { $0.append("\(error)") }
      }
    }
    #expect(remarks.withLock(\.count) == 1)
    #expect(try fixture.names().count { $0.contains("damaged") } == 1)
    #expect(try History.open(path).runs().count == Self.writers)
  }
}
