// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting
package import Scenarios

extension LeagueReport {
  /// The seasons as sections of a report: each question with its picture and the table that answers it.
  package var reportSections: [ReportSection] {
    [
      ReportSection(
        id: "league-seasons", title: heading,
        blocks: [
          .list(origin), part(finding, findingTheBest), part(knowing, knowingAll, misled), part(ties),
          part(causes, origins),
        ])
    ]
  }

  private func part(_ answer: Answer, _ figures: Figure...) -> ReportBlock {
    let caption = answer.note.isEmpty ? answer.question : "\(answer.question) \(sentence(answer.note))"
    return .part(
      title: answer.question, judgement: nil,
      figures.map(ReportBlock.figure) + [.table(ReportTable(caption: caption, answer.table))])
  }

  /// A note as a sentence of its own.
  private func sentence(_ note: String) -> String { note.prefix(1).uppercased() + note.dropFirst() + "." }
}
