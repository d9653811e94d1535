// SPDX-License-Identifier: GPL-3.0-or-later
package import Reporting

/// A table of a report: a caption, headed columns, and rows whose first cell heads the row.
package struct ReportTable: Hashable, Sendable {
  /// What the table shows, in a sentence.
  package let caption: String
  /// The table itself; the columns that lean to the right hold numbers.
  package let table: Table

  /// A table with its caption.
  package init(caption: String, _ table: Table) {
    (self.caption, self.table) = (caption, table)
  }
}
