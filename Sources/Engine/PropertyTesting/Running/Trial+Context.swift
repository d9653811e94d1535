// SPDX-License-Identifier: GPL-3.0-or-later

extension Trial {
  /// The same trial, with the remarks of a context cleared before every case and a recorded failure counted after it.
  ///
  /// - Parameter context: Must be the current one wherever the trial is attempted.
  /// - Returns: A trial that leaves the remarks on its last case in the context.
  func heard(by context: CaseContext) -> Trial {
    var heard = self
    let attempt = attempt
    heard.attempt = { draws, isWanted in
      context.clear()
      let verdict = attempt(&draws, isWanted)
      if context.isSilent { return verdict }
      // What was recorded happened before whatever ended the case.
      let recorded = context.withRemarks { $0.failure }
      return recorded.map(Verdict.failed) ?? verdict
    }
    return heard
  }
}
