// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness
internal import Reporting
internal import Scenarios

/// The events in the simulated time of a sample that was drawn alone: a table, and a picture of who waited for what and
/// had what.
struct SampleLog {
  /// The most rows of the table above the details, and of the picture.
  private static let (maximumRows, maximumNames) = (30, 12)

  let happenings: [DrawRecord.Happening]

  var blocks: [ReportBlock] {
    guard !happenings.isEmpty else { return [] }
    let (shown, count) = (happenings.prefix(Self.maximumRows), NumberFormat.grouped(happenings.count))
    let isPart = shown.count < happenings.count
    return [.table(table(shown), caption: isPart ? "The first of \(count) events." : "What happened.")]
      + (isPart ? [.details(summary: "\(count) events", [.table(table(happenings[...]))])] : [])
      + [figure.map(ReportBlock.figure)].compactMap(\.self)
  }

  private func table(_ rows: ArraySlice<DrawRecord.Happening>) -> Table {
    Table(
      [], numbers: ["time"], ["who", "what"],
      rows: rows.map { [NumberFormat.readable($0.time, decimals: 4), $0.who, $0.text] })
  }

  private struct Bar {
    let row: Int
    let from: Double
    let to: Double
    let isWait: Bool
  }

  /// The times for which the first processes waited for something and had it; `nil` if none did.
  private var figure: Figure? {
    var rows: [String: Int] = [:]
    var begun: [String: [(thing: String, from: Double, isWait: Bool)]] = [:]
    var bars: [Bar] = []
    func end(_ who: String, _ thing: String?, at time: Double) {
      guard let row = rows[who] else { return }
      begun[who]?.removeAll { one in
        guard thing == nil || one.thing == thing else { return false }
        if time > one.from { bars.append(Bar(row: row, from: one.from, to: time, isWait: one.isWait)) }
        return true
      }
    }
    for one in happenings {
      if rows[one.who] == nil {
        guard rows.count < Self.maximumNames else { continue }
        if case .waits = one.change { rows[one.who] = rows.count }
        if case .has = one.change { rows[one.who] = rows.count }
        if rows[one.who] == nil { continue }
      }
      switch one.change {
      case .waits(let thing), .has(let thing):
        end(one.who, thing, at: one.time)
        let isWait = if case .waits = one.change { true } else { false }
        begun[one.who, default: []].append((thing, one.time, isWait))
      case .leaves(let thing): end(one.who, thing, at: one.time)
      case .ended: end(one.who, nil, at: one.time)
      case .told: break
      }
    }
    let names = rows.sorted { $0.value > $1.value }.map(\.key)
    for who in names { end(who, nil, at: happenings.last?.time ?? 0) }
    guard !bars.isEmpty else { return nil }
    func series(_ name: String, _ style: Figure.Series.Style, isWait: Bool) -> Figure.Series {
      Figure.Series(
        name, style: style,
        points: bars.filter { $0.isWait == isWait }.flatMap { bar in
          let y = Double(names.count - 1 - bar.row)
          return [Figure.Point(bar.from, y), Figure.Point(bar.to, y), Figure.Point(bar.to, .nan)]
        })
    }
    return Figure(
      id: "timeline", title: "Who waited, and who had something",
      alternative: "A row for each of the first \(names.count) that waited for something or had it, with the times for "
        + "which they did.",
      x: Figure.Axis("time"), y: Figure.Axis("who", scale: .names(names)),
      series: [series("waits", .reference, isWait: true), series("has", .line, isWait: false)]
        .filter { !$0.points.isEmpty })
  }
}
