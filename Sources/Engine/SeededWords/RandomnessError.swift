// SPDX-License-Identifier: Apache-2.0

/// All errors of a request for randomness.
public enum RandomnessError: Error, Equatable, Sendable, CustomStringConvertible {
  case unknownGenerator(name: String, known: [String])
  /// The seed is a fixed point of the generator's recurrence, which would repeat a few numbers forever.
  case degenerateSeed(generator: String, seed: UInt32)
  case outOfMemory(what: String)
  case invalidParameter(of: String, name: String, value: String, expected: String)
  /// A family of streams needs at least one experiment.
  case noExperiments
  /// Two experiments of one family share a name, and therefore their randomness.
  case duplicateExperiment(name: String)
  case unknownExperiment(name: String, known: [String])
  case experimentOutOfRange(ordinal: Int, count: Int)
  /// The experiment has no seed for this block.
  case blockOutOfRange(block: Int, blocksPerExperiment: Int)

  /// One sentence: the problem, and the expected value.
  public var description: String {
    switch self {
    case .unknownGenerator(let name, let known):
      return "There is no generator '\(name)'. Known generators: \(known.joined(separator: ", "))."
    case .degenerateSeed(let generator, let seed):
      return "Seed \(seed) makes generator '\(generator)' repeat itself at once; choose another seed."
    case .outOfMemory(let what):
      return "There is no memory for \(what)."
    case .invalidParameter(let subject, let name, let value, let expected):
      return "\(subject): \(name) is \(value), expected \(expected)."
    case .noExperiments:
      return "A family of streams needs at least one experiment."
    case .duplicateExperiment(let name):
      return "Two experiments are called '\(name)'; each needs a unique name, which determines its randomness."
    case .unknownExperiment(let name, let known):
      return "There is no experiment '\(name)'. Known experiments: \(known.joined(separator: ", "))."
    case .experimentOutOfRange(let ordinal, let count):
      return "There is no experiment number \(ordinal); there are \(count), counted from 0."
    case .blockOutOfRange(let block, let blocksPerExperiment):
      return "Block \(block) is out of range: an experiment has blocks 0 to \(blocksPerExperiment - 1)."
    }
  }
}

/// Throws an error unless a condition on a parameter holds; for NaN no comparison holds.
package func require<Parameter>(
  _ condition: Bool, _ distribution: String, _ name: String, _ value: Parameter, _ expected: String
) throws(RandomnessError) {
  guard condition else {
    throw .invalidParameter(of: distribution, name: name, value: "\(value)", expected: expected)
  }
}
