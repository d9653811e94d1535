// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import PropertyLab
internal import Reporting

/// What is claimed, and by which broken variants it is tried.
struct PropertiesListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists the properties and the broken subjects.",
    discussion: """
      Example: assay properties list --markdown
      """)

  @Argument(
    help: "Ids, groups such as blackjack, or ids with * in them; all when none is named. Example: blackjack",
    completion: Completions.properties)
  var ids: [String] = []

  @Flag(help: "The same as --format markdown. Example: --markdown")
  var markdown = false

  @OptionGroup var destination: OutputOptions

  func run() throws {
    var destination = destination
    if markdown {
      if let format = destination.format, format != "markdown" {
        throw CommandError.badValue(option: "--markdown", found: "--format \(format)", expected: "one of the two")
      }
      destination.format = "markdown"
    }
    let properties = LabProperties()
    let chosen = try properties.chosen(ids, subject: nil)
    let plan = try destination.plan(for: "properties list", formats: [.text, .markdown, .csv, .json])
    let list = PropertyList(chosen, subjectsOf: properties.catalogues)
    try plan.write { format, _ in list.rendered(as: format) }
  }
}
