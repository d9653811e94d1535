// SPDX-License-Identifier: GPL-3.0-or-later
internal import Scenarios

/// The picture of a result that has figures in its report.
enum LivePicture {
  /// The first figure of a report's sections.
  ///
  /// - Parameter sections: The sections, in the order of the report.
  /// - Returns: The figure; nil where the report has none.
  static func first(in sections: [ReportSection]) -> Picture? {
    sections.lazy.compactMap { figure(in: $0.blocks) }.first.map(Picture.figure)
  }

  private static func figure(in blocks: [ReportBlock]) -> Figure? {
    blocks.lazy.compactMap { block in
      switch block {
      case .figure(let figure): figure
      case .details(_, let inner), .part(_, _, let inner): figure(in: inner)
      default: nil
      }
    }.first
  }
}
