// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting

/// Faults of substitution in the simply typed lambda calculus, after the mutants of Etna's workload.
///
/// Terms have de Bruijn indices; source: Pierce, "Types and Programming Languages", 2002, chapters 6 and 9.
package enum LambdaFault: String, Sendable, CaseIterable {
  /// Shifting moves no variable, all of them, all except the first free one, or ignores binders.
  case shift_var_none, shift_var_all, shift_var_leq, shift_abs_no_incr
  /// Substitution replaces all variables or none, or does not shift or count at binders.
  case subst_var_all, subst_var_none, subst_abs_no_shift, subst_abs_no_incr
  /// A reduction does not shift, or does not shift back.
  case substTop_no_shift, substTop_no_shift_back
}

package enum LambdaTasks {
  /// Every fault with both properties: one step, and the reduction to normal form, preserve a closed term's type.
  package static let all: [FaultTask] = FaultTask.all(laws)
  /// The calculus without a fault.
  package static let correct: [FaultTask] = laws.map { $0.task(nil) }

  private static let laws: [Law<Reduction>] = [
    Law("SinglePreserve", terms) { keepsType($1, $0.step($1)) },
    Law("MultiPreserve", terms) { keepsType($1, $0.normalForm($1, steps: 40)) },
  ]

  private static func keepsType(_ term: Term, _ reduced: Term?) -> Bool {
    reduced.map { $0.type(in: []) == term.type(in: []) } ?? true
  }

  private static let terms = LambdaType.types.flatMap { Term.terms($0, in: [], depth: 5) }
}

indirect enum LambdaType: Sendable, Hashable {
  case bool
  case function(LambdaType, LambdaType)

  static let types = Gen<LambdaType>.recursive(.just(.bool), depth: 2) { smaller in
    zip(smaller, smaller).map(LambdaType.function)
  }
}

/// A term; a variable is the number of binders between it and its own binder.
indirect enum Term: Sendable, Hashable {
  case variable(Int)
  case literal(Bool)
  case function(LambdaType, Term)
  case application(Term, Term)

  /// Terms of a type; the simplest is a constant function or a literal.
  static func terms(_ type: LambdaType, in context: [LambdaType], depth: Int) -> Gen<Term> {
    Gen { draws in
      var kinds: [Gen<Term>] = []
      switch type {
      case .bool: kinds.append(Gen<Bool>.booleans().map(Term.literal))
      case .function(let argument, let result):
        kinds.append(terms(result, in: [argument] + context, depth: max(0, depth - 1)).map { .function(argument, $0) })
      }
      let variables = context.indices.filter { context[$0] == type }
      if !variables.isEmpty { kinds.append(Gen<Int>.elements(of: variables).map(Term.variable)) }
      if depth > 0 {
        kinds.append(
          LambdaType.types.flatMap { argument in
            zip(
              terms(.function(argument, type), in: context, depth: depth - 1),
              terms(argument, in: context, depth: depth - 1)
            ).map(Term.application)
          })
      }
      return try draws.draw(.oneOf(weighted: kinds.map { (weight: 1, generator: $0) }))
    }
  }

  /// The type; `nil` for an ill-typed term.
  func type(in context: [LambdaType]) -> LambdaType? {
    switch self {
    case .variable(let index): return context.indices.contains(index) ? context[index] : nil
    case .literal: return .bool
    case .function(let argument, let body): return body.type(in: [argument] + context).map { .function(argument, $0) }
    case .application(let function, let argument):
      guard case .function(let expected, let result) = function.type(in: context),
        argument.type(in: context) == expected
      else { return nil }
      return result
    }
  }

  var size: Int {
    switch self {
    case .variable, .literal: 1
    case .function(_, let body): 1 + body.size
    case .application(let function, let argument): 1 + function.size + argument.size
    }
  }
}

struct Reduction: FaultyOperations {
  let fault: LambdaFault?

  private func shift(_ term: Term, by distance: Int, from first: Int = 0) -> Term {
    switch term {
    case .variable(let index):
      let stays =
        switch fault {
        case .shift_var_none: true
        case .shift_var_all: false
        case .shift_var_leq: index <= first
        default: index < first
        }
      return .variable(stays ? index : index + distance)
    case .literal: return term
    case .function(let type, let body):
      return .function(type, shift(body, by: distance, from: fault == .shift_abs_no_incr ? first : first + 1))
    case .application(let function, let argument):
      return .application(shift(function, by: distance, from: first), shift(argument, by: distance, from: first))
    }
  }

  private func substitute(_ new: Term, for index: Int, in term: Term) -> Term {
    switch term {
    case .variable(let own):
      return fault == .subst_var_all || own == index && fault != .subst_var_none ? new : term
    case .literal: return term
    case .function(let type, let body):
      let shifted = fault == .subst_abs_no_shift ? new : shift(new, by: 1)
      return .function(type, substitute(shifted, for: fault == .subst_abs_no_incr ? index : index + 1, in: body))
    case .application(let function, let argument):
      return .application(substitute(new, for: index, in: function), substitute(new, for: index, in: argument))
    }
  }

  private func reduced(_ body: Term, _ argument: Term) -> Term {
    if fault == .substTop_no_shift { return substitute(argument, for: 0, in: body) }
    let replaced = substitute(shift(argument, by: 1), for: 0, in: body)
    return fault == .substTop_no_shift_back ? replaced : shift(replaced, by: -1)
  }

  /// The term with all redexes reduced in parallel; `nil` for a normal form.
  func step(_ term: Term) -> Term? {
    switch term {
    case .function(let type, let body): return step(body).map { .function(type, $0) }
    case .application(.function(_, let body), let argument):
      return reduced(step(body) ?? body, step(argument) ?? argument)
    case .application(let function, let argument):
      let (first, second) = (step(function), step(argument))
      return first == nil && second == nil ? nil : .application(first ?? function, second ?? argument)
    default: return nil
    }
  }

  /// The normal form, if it is reached within a number of steps and no term on the way is huge.
  func normalForm(_ term: Term, steps: Int) -> Term? {
    var term = term
    for _ in 0..<steps where term.size < 5000 {
      guard let next = step(term) else { return term }
      term = next
    }
    return nil
  }
}
