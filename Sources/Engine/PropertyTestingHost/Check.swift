// SPDX-License-Identifier: GPL-3.0-or-later
@_exported public import PropertyTesting
public import Testing

/// Tests, inside a `@Test`, a statement about values that generators make.
///
/// ```swift
/// @Test("reversing twice changes nothing") func twice() async throws {
///   try await check(.arrays(of: Gen<Int>.integers())) { numbers in
///     #expect(numbers.reversed().reversed() == numbers)
///   }
/// }
/// ```
///
/// A false statement records exactly one issue, at the line of the call, with the simplest case that was found. A case
/// fails by `#expect`, `#require`, `Issue.record` or `claim`, in the body or in what it calls, by any other error, or
/// by returning false; `assume` discards it. The issues of the cases themselves are not reported; warnings and known
/// issues are.
///
/// All cases follow from the seed, which is 0 unless the settings say another, so every run tests the same ones. The
/// environment may ask for something else: `ASSAY_SEED` for another seed and `ASSAY_CASES` for another number of cases
/// of every property; `ASSAY_PROFILE` for the settings of `ci` or `nightly`; `ASSAY_REPORT=1` for what was tried of the
/// properties that hold; `ASSAY_REPLAY` for one case of one property, as its failure printed it. Failing cases are kept
/// in `.assay/examples` and tried first if there is such a folder where the tests run; `ASSAY_EXAMPLES` names another
/// folder, or none when it is empty.
///
/// In replays and among the stored cases the property is called after the file and the test unless it is named, and the
/// second place in the test that checks something has `.2` behind that. The cases of a parameterised test share a name:
/// name them where they are to be distinguished. Throws what is wrong with the settings or the environment, and
/// `CancellationError` when the test is cancelled.
public func check<A, Result>(
  _ a: Gen<A>,
  settings: CheckSettings = CheckSettings(), cases: Int? = nil, named name: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping @Sendable (A) throws -> Result
) async throws {
  try await Host(settings, cases: cases, at: sourceLocation).check(named: name, a, body: body)
}

// One declaration for each usual number of arguments: the compiler does not match a closure's parameters with a pack
// whose length it has yet to find, and then tries every overload of every operator in the body.

/// Tests a statement about two values; otherwise like the `check` of one.
public func check<A, B, Result>(
  _ a: Gen<A>, _ b: Gen<B>,
  settings: CheckSettings = CheckSettings(), cases: Int? = nil, named name: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping @Sendable (A, B) throws -> Result
) async throws {
  try await Host(settings, cases: cases, at: sourceLocation).check(named: name, a, b, body: body)
}

/// Tests a statement about three values; otherwise like the `check` of one.
public func check<A, B, C, Result>(
  _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>,
  settings: CheckSettings = CheckSettings(), cases: Int? = nil, named name: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping @Sendable (A, B, C) throws -> Result
) async throws {
  try await Host(settings, cases: cases, at: sourceLocation).check(named: name, a, b, c, body: body)
}

/// Tests a statement about four values; otherwise like the `check` of one. More are drawn as one tuple, by `zip`: an
/// optimised asynchronous function of four values and a pack frees memory in the wrong order (Swift 6.3).
public func check<A, B, C, D, Result>(
  _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>, _ d: Gen<D>,
  settings: CheckSettings = CheckSettings(), cases: Int? = nil, named name: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping @Sendable (A, B, C, D) throws -> Result
) async throws {
  try await Host(settings, cases: cases, at: sourceLocation).check(named: name, a, b, c, d, body: body)
}

/// Tests, inside a `@Test`, a statement that has to wait for something, such as an actor.
///
/// Otherwise like the `check` whose body does not wait. Under a virtual clock a body that does not wait is enough:
/// `VirtualClock.run` returns when its own has ended.
@_disfavoredOverload
public func check<A, Result>(
  _ a: Gen<A>,
  settings: CheckSettings = CheckSettings(), cases: Int? = nil, named name: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping @Sendable @concurrent (A) async throws -> Result
) async throws {
  try await Host(settings, cases: cases, at: sourceLocation).check(named: name, a, waits: true) {
    (a: A) -> Result in
    let values = UncheckedTransfer(a)
    return try waiting { try await body(values.content) }
  }
}

/// Tests a statement about two values that has to wait for something.
@_disfavoredOverload
public func check<A, B, Result>(
  _ a: Gen<A>, _ b: Gen<B>,
  settings: CheckSettings = CheckSettings(), cases: Int? = nil, named name: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping @Sendable @concurrent (A, B) async throws -> Result
) async throws {
  try await Host(settings, cases: cases, at: sourceLocation).check(named: name, a, b, waits: true) {
    (a: A, b: B) -> Result in
    let values = UncheckedTransfer((a, b))
    return try waiting { try await body(values.content.0, values.content.1) }
  }
}

/// Tests a statement about three values that has to wait for something.
@_disfavoredOverload
public func check<A, B, C, Result>(
  _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>,
  settings: CheckSettings = CheckSettings(), cases: Int? = nil, named name: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping @Sendable @concurrent (A, B, C) async throws -> Result
) async throws {
  try await Host(settings, cases: cases, at: sourceLocation).check(named: name, a, b, c, waits: true) {
    (a: A, b: B, c: C) -> Result in
    let values = UncheckedTransfer((a, b, c))
    return try waiting { try await body(values.content.0, values.content.1, values.content.2) }
  }
}

/// Tests a statement about four values that has to wait for something. More are drawn as one tuple, by `zip`.
@_disfavoredOverload
public func check<A, B, C, D, Result>(
  _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>, _ d: Gen<D>,
  settings: CheckSettings = CheckSettings(), cases: Int? = nil, named name: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping @Sendable @concurrent (A, B, C, D) async throws -> Result
) async throws {
  try await Host(settings, cases: cases, at: sourceLocation).check(named: name, a, b, c, d, waits: true) {
    (a: A, b: B, c: C, d: D) -> Result in
    let values = UncheckedTransfer((a, b, c, d))
    return try waiting { try await body(values.content.0, values.content.1, values.content.2, values.content.3) }
  }
}

/// Tests, inside a `@Test`, a property that a lab holds as a value, as the command line tests it.
///
/// ```swift
/// @Test("The properties hold", arguments: BlackjackProperties.all)
/// func holds(_ property: Property) async throws { try await check(property) }
/// ```
public func check(
  _ property: Property, settings: CheckSettings = CheckSettings(), cases: Int? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  try await Host(settings, cases: cases, at: sourceLocation).check(property)
}

extension Property: CustomTestStringConvertible {
  /// Its name and what is claimed, such as `league.2: The order of the teams never matters`.
  public var testDescription: String { "\(id): \(sentence)" }
}

extension Mutant: CustomTestStringConvertible {
  /// `dense-ranks, caught by league.5 within 100 cases`.
  public var testDescription: String {
    expectation.map { "\(name), caught by \($0.property) within \($0.cases) cases" } ?? name
  }

  /// Expects that the property that the mutation names catches the mutant from three seeds, with the smallest
  /// counterexample where there is only one.
  ///
  /// ```swift
  /// @Test("Mutants are caught", arguments: BlackjackProperties.catalogue.mutants)
  /// func caught(mutant: Mutant) throws { try mutant.expectCaught() }
  /// ```
  ///
  /// A case that ends the process, or takes longer than the limit, is printed on stderr before.
  public func expectCaught(
    caseLimit: Duration? = .seconds(60), sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let expected = try #require(expectation, "no property is named", sourceLocation: sourceLocation)
    let property = try #require(
      properties.first { $0.id == expected.property }, "there is no property \(expected.property)",
      sourceLocation: sourceLocation)
    var settings = CheckSettings(cases: expected.cases, caseLimit: caseLimit, explains: false)
    for seed in 0..<UInt64(3) {
      settings.seed = seed
      let counterexample = try #require(
        try property.check(settings).counterexample, "not caught from seed \(seed)", sourceLocation: sourceLocation)
      if !expected.smallest.isEmpty {
        #expect(counterexample.arguments == expected.smallest, sourceLocation: sourceLocation)
      }
    }
  }
}
