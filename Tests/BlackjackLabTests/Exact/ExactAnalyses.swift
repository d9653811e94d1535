// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import BlackjackLab
import Synchronization

/// Analyses that several tests ask for, each made once: a second apiece in a debug build.
enum ExactAnalyses {
  private static let known = Mutex<[String: ExactAnalysis]>([:])

  /// The analysis of those rules.
  static func of(_ name: String) throws -> ExactAnalysis {
    let rules = try Rules(name: name)
    if let analysis = known.withLock({ $0[rules.name] }) { return analysis }
    let analysis = ExactAnalysis(rules: rules)
    return known.withLock { known in
      known[rules.name] = analysis
      return analysis
    }
  }
}
