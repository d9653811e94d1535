// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import BlackjackCore

/// Which game is played.
struct RuleOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The rules, tokens joined by '-'; what is left out is the common game. Example: --rules 1d-h17-nodas-d10-ls-bj65",
      discussion: """
        1d to 8d or inf, s17|h17, das|nodas, spl1|spl2|spl3, rsa, hsa, doa|d9|d10, ls|es, peek|enhc|obo, \
        bj32|bj65|bj11|bj21, cut10 to cut95 (percent dealt before the shuffle).
        """,
      valueName: "name"),
    completion: Completions.rules)
  var rules = "6d-s17-das"

  /// The rules of that name.
  func parsed() throws(BlackjackError) -> Rules { try Rules(name: rules) }
}
