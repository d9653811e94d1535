// SPDX-License-Identifier: GPL-3.0-or-later
package import ArgumentParser
package import PropertyTesting
package import Workbench

/// A program for tests of the command line and its reports, called `assay` like the one that ships. It has one property
/// of each known outcome, samples with known ends, and a command with an unexpected error.
@main package enum Specimens: WorkbenchProgram {
  package static let name = "assay"
  package static let commands: [any ParsableCommand.Type] = [CrashTestCommand.self]
  package static let labs = [
    Lab("specimen", "Samples with known ends.", experiments: [SpecimenSample.self], properties: [catalogue])
  ]

  /// All properties, with a mutant for which none holds.
  package static let catalogue = PropertyCatalogue(
    core: "Specimens", properties: [holds, failing, trap, silentTrap, hang, empty, recursion, generatorTrap],
    mutants: [Mutant("specimen-broken", "Nothing holds.", properties: { [broken] })])

  private static let numbers = Gen.arrays(of: Gen<Int>.integers(in: 0...1000), count: 0...20)

  private static let holds = Property("specimen.holds", "A list is as long as its reverse", numbers) { list in
    try require(list.reversed().count == list.count)
  }

  private static let broken = Property("specimen.holds", "A list is as long as its reverse", numbers) { list in
    try require(list.reversed().count == list.count + 1, "the reverse has another length")
  }

  private static let failing = Property(
    "specimen.fails", "No list holds a number above 500", arguments: ["numbers"], numbers
  ) { list in
    try require(list.allSatisfy { $0 <= 500 }, "one is above 500")
  }

  private static let trap = Property(
    "specimen.trap", "Every list has a third element, or ends the process", arguments: ["numbers"], numbers
  ) { list in
    try require(list.count < 2 || list[2] >= 0)
  }

  private static let silentTrap = Property(
    "specimen.overflow", "Sums of bytes fit a byte, or end the process", arguments: ["bytes"],
    Gen.arrays(of: Gen<Int8>.integers(), count: 0...20)
  ) { bytes in
    try require(bytes.reduce(Int8(0), +) != 77, "the sum is 77")
  }

  private static let hang = Property("specimen.hang", "Counting down to 0 ends", Gen<Int>.integers(in: -1000...1000)) {
    start in
    let begun = ContinuousClock.now
    while start < 0 && begun <= .now {}
  }

  private static let empty = Property(
    "specimen.empty", "There is no number below 0 and above 0", Gen<Int>.integers().filter { $0 < 0 && $0 > 0 }
  ) { _ in }

  private static let recursion = Property(
    "specimen.recursion", "No recursion goes on for ever", arguments: ["depth"], Gen<Int>.integers(in: 0...1000)
  ) { depth in
    let times = try draw(Gen<Int>.integers(in: 1...3), "times")
    for _ in 0..<times { try require(descend(depth) == depth, "it returns another depth") }
  }

  private static let generatorTrap = Property(
    "specimen.generator", "A generator may divide by what it drew", Gen<Int>.integers(in: 0...9).map { 90 / $0 }
  ) { quotient in
    try require(quotient >= 10)
  }

  private static func descend(_ depth: Int) -> Int { depth == 0 ? 0 : 1 + descend(depth > 100 ? depth : depth - 1) }
}
