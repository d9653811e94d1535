// SPDX-License-Identifier: GPL-3.0-or-later
internal import Pages
internal import Scenarios

/// The figures of a report, drawn: once for the page, whose captions have the titles, and once as files.
struct Drawings {
  /// What the page shows, by figure; one that could not be drawn is missing, and the page shows its data instead.
  private(set) var inline: [Figure: String] = [:]
  /// Names and texts of the files, in the order of the report.
  private(set) var files: [(name: String, text: String)] = []
  /// What could not be drawn and why, in whole sentences.
  private(set) var remarks: [String] = []

  /// Draws what the sections show.
  ///
  /// - Parameters:
  ///   - sections: the report's.
  ///   - gnuplot: what draws; `nil` where it is not installed.
  init(of sections: [ReportSection], by gnuplot: Gnuplot?) {
    let figures = sections.flatMap(\.blocks).flatMap(\.figures)
    guard let gnuplot else {
      if !figures.isEmpty {
        remarks = ["Figures are shown as tables: gnuplot was not found; Debian's package is \(Gnuplot.package)."]
      }
      return
    }
    var names: Set<String> = []
    for figure in figures where inline[figure] == nil {
      do {
        inline[figure] = try gnuplot.svg(figure, heading: false)
        let text = try gnuplot.svg(figure)
        files.append((Self.free(figure.id, among: &names), text))
      } catch {
        remarks.append("The figure '\(figure.title)' is shown as a table: \(error)")
      }
    }
  }

  /// The file of a figure; several figures of one name are told apart by numbers.
  private static func free(_ id: String, among names: inout Set<String>) -> String {
    var (name, count) = (id, 1)
    while !names.insert(name).inserted {
      count += 1
      name = "\(id)-\(count)"
    }
    return "\(RunFolder.Name.figures.rawValue)/\(name).svg"
  }
}

extension ReportBlock {
  /// The figures in it, from above to below.
  fileprivate var figures: [Figure] {
    switch self {
    case .figure(let figure): [figure]
    case .details(_, let blocks), .part(_, _, let blocks): blocks.flatMap(\.figures)
    case .paragraph, .list, .table, .grid, .code: []
    }
  }
}
