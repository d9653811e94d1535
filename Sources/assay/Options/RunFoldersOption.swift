// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser

/// Where the folders of runs lie.
struct RunFoldersOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder in which runs have their folders. Example: --runs /tmp/Results/runs", valueName: "folder"),
    completion: .directory)
  var runs = "Results/runs"
}
