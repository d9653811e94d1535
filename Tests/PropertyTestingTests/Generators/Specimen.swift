// SPDX-License-Identifier: GPL-3.0-or-later
import Randomness
import Testing

@testable import PropertyTesting

/// A generator with the rule that all its values keep, whatever their type.
struct Specimen: Sendable, CustomTestStringConvertible {
  /// What a draw came to.
  struct Sighting: Equatable {
    let value: String
    let isLegal: Bool
    let tape: Tape
  }

  let testDescription: String
  private let draw: @Sendable (inout Draws) throws -> (value: String, isLegal: Bool)

  init<Value>(_ name: String, _ generator: Gen<Value>, _ isLegal: @escaping @Sendable (Value) -> Bool) {
    testDescription = name
    draw = { draws in
      let value = try draws.draw(generator)
      return (String(reflecting: value), isLegal(value))
    }
  }

  /// Draws at random.
  func random(_ draws: inout Draws) throws -> Sighting {
    draws.begin()
    let (value, isLegal) = try draw(&draws)
    return Sighting(value: value, isLegal: isLegal, tape: draws.tape)
  }

  /// Draws from a tape; nil when the generator gives the case up.
  func replay(_ tape: Tape, _ draws: inout Draws) throws -> Sighting? {
    draws.begin(reading: tape)
    do {
      let (value, isLegal) = try draw(&draws)
      return Sighting(value: value, isLegal: isLegal, tape: draws.tape)
    } catch is Discard {
      return nil
    }
  }
}

/// Lists specimens one by one, so that each is a statement of its own to the compiler.
@resultBuilder
enum Specimens {
  static func buildExpression(_ specimen: Specimen) -> [Specimen] { [specimen] }
  static func buildExpression(_ specimens: [Specimen]) -> [Specimen] { specimens }
  static func buildBlock(_ specimens: [Specimen]...) -> [Specimen] { specimens.flatMap { $0 } }
}

extension Tape {
  /// Tapes like this one with something changed, as shrinking and careless editing of stored tapes make them.
  func mutants(_ words: inout Draws) -> [Tape] {
    var mutants: [Tape] = [Tape()]
    let matches = matches()
    let every = Swift.max(1, entries.count / 40)
    for index in Swift.stride(from: 0, to: entries.count, by: every) {
      let entry = entries[index]
      mutants.append(Tape(Array(entries[..<index])))
      mutants.append(removing(index...index))
      mutants.append(removing(index...matches[index]))
      guard entry.tag.isChoice else { continue }
      let wild = UInt64(words.words.next()) << 32 | UInt64(words.words.next())
      let halves = entry.distance / 2
      let lowered = entry.value >= entry.target ? entry.target &+ halves : entry.target &- halves
      let values = [
        entry.lower, entry.upper, entry.target, lowered, entry.value &- 1, entry.value &+ 1, wild, 0, .max,
        entry.value ^ 1 << (wild & 63), entry.lower &+ wild % Swift.max(1, entry.upper &- entry.lower),
      ]
      for value in values {
        var copy = self
        copy.entries[index].value = value
        mutants.append(copy)
      }
      var tagged = self
      tagged.entries[index].tag = [.integer, .length, .branch, .real, .word][Int(wild % 5)]
      mutants.append(tagged)
    }
    for keep in [TapeEntry.Tag.length, .branch, .integer, .real, .word] {
      var simplest = self
      for index in entries.indices where entries[index].tag != keep && entries[index].tag.isChoice {
        simplest.entries[index].value = entries[index].target
      }
      mutants.append(simplest)
    }
    return mutants
  }

  private func removing(_ range: ClosedRange<Int>) -> Tape {
    var copy = self
    copy.entries.removeSubrange(range)
    return copy
  }
}
