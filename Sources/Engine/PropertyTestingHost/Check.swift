// SPDX-License-Identifier: Apache-2.0
@_exported public import PropertyTesting
public import Testing

/// Tests, inside a `@Test`, a statement about generated values.
///
/// ```swift
/// @Test("reversing twice changes nothing") func twice() async throws {
///   try await check(.arrays(of: Gen<Int>.integers())) { numbers in
///     #expect(numbers.reversed().reversed() == numbers)
///   }
/// }
/// ```
/// A false statement records exactly one issue, at the line of the call, with the simplest counterexample found. A case
/// fails by `#expect`, `#require`, `Issue.record` or `require`, in the body or in code that it calls, by any other
/// error, or by returning false; `assume` discards it. Results other than a Bool are ignored, such as that of
/// `#expect(throws:)`. The issues of individual cases are not reported; warnings and known issues of the body are. A
/// call within `withKnownIssue` records one known issue, with the counterexample.
///
/// The body runs in the isolation of the test, one case at a time, so it may use what is not `Sendable`: the fixtures
/// of a suite, a class, or a model of the main actor.
///
/// All cases follow from the seed, 0 by default, so every run tests the same ones. Environment variables override this:
/// `ASSAY_SEED` sets another seed and `ASSAY_CASES` another number of cases of every property; `ASSAY_PROFILE` uses the
/// settings of `ci` or `nightly`; `ASSAY_REPORT=1` reports the cases of properties that hold; `ASSAY_REPLAY` runs one
/// case of one property, as printed by its failure. Failing cases are stored in `.assay/examples` where the tests
/// run, and tried first; `ASSAY_EXAMPLES` names another folder, or none if it is empty.
/// `settings: .replaying("TOKEN")` tries a case in every run.
///
/// In replays and stored cases, the property is named after the module, the suites (or the file, without a suite) and
/// the test unless a name is given; the second call in a test has the suffix `.2`. The cases of a parameterised test
/// share a name: give them names to distinguish them. Throws the errors of the settings or the environment, and
/// `CancellationError` when the test is cancelled.
public func check<A, Result>(
  _ a: Gen<A>,
  settings: CheckSettings = CheckSettings(), cases: Int? = nil, named name: String? = nil,
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping (A) throws -> Result
) async throws {
  let body = UncheckedTransfer(body)
  try await Host(settings, cases: cases, at: sourceLocation).check(named: name, a, isolation: isolation) {
    (a: A) -> Result in
    try body.content(a)
  }
}

// One declaration for each usual number of arguments: the compiler does not match a closure's parameters with a pack of
// unknown length, and then tries every overload of every operator in the body.

/// Tests a statement about two values; otherwise like the `check` of one.
public func check<A, B, Result>(
  _ a: Gen<A>, _ b: Gen<B>,
  settings: CheckSettings = CheckSettings(), cases: Int? = nil, named name: String? = nil,
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping (A, B) throws -> Result
) async throws {
  let body = UncheckedTransfer(body)
  try await Host(settings, cases: cases, at: sourceLocation).check(named: name, a, b, isolation: isolation) {
    (a: A, b: B) -> Result in
    try body.content(a, b)
  }
}

/// Tests a statement about three values; otherwise like the `check` of one.
public func check<A, B, C, Result>(
  _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>,
  settings: CheckSettings = CheckSettings(), cases: Int? = nil, named name: String? = nil,
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping (A, B, C) throws -> Result
) async throws {
  let body = UncheckedTransfer(body)
  try await Host(settings, cases: cases, at: sourceLocation).check(named: name, a, b, c, isolation: isolation) {
    (a: A, b: B, c: C) -> Result in
    try body.content(a, b, c)
  }
}

/// Tests a statement about four values; otherwise like the `check` of one. More are drawn as one tuple, by `zip`: an
/// optimised asynchronous function of four values and a pack frees memory in the wrong order (Swift 6.3).
public func check<A, B, C, D, Result>(
  _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>, _ d: Gen<D>,
  settings: CheckSettings = CheckSettings(), cases: Int? = nil, named name: String? = nil,
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping (A, B, C, D) throws -> Result
) async throws {
  let body = UncheckedTransfer(body)
  try await Host(settings, cases: cases, at: sourceLocation).check(named: name, a, b, c, d, isolation: isolation) {
    (a: A, b: B, c: C, d: D) -> Result in
    try body.content(a, b, c, d)
  }
}

/// Tests, inside a `@Test`, a statement that awaits asynchronous code, such as an actor.
///
/// Otherwise like the synchronous `check`. Under a virtual clock a synchronous body is enough: `VirtualClock.run`
/// returns when its own body has ended.
@_disfavoredOverload
public func check<A, Result>(
  _ a: Gen<A>,
  settings: CheckSettings = CheckSettings(), cases: Int? = nil, named name: String? = nil,
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping (A) async throws -> Result
) async throws {
  let body = UncheckedTransfer(body)
  try await Host(settings, cases: cases, at: sourceLocation).check(named: name, a, waits: true) {
    (a: A) -> Result in
    let values = UncheckedTransfer(a)
    return try waiting { try await body.content(values.content) }
  }
}

/// Tests an asynchronous statement about two values.
@_disfavoredOverload
public func check<A, B, Result>(
  _ a: Gen<A>, _ b: Gen<B>,
  settings: CheckSettings = CheckSettings(), cases: Int? = nil, named name: String? = nil,
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping (A, B) async throws -> Result
) async throws {
  let body = UncheckedTransfer(body)
  try await Host(settings, cases: cases, at: sourceLocation).check(named: name, a, b, waits: true) {
    (a: A, b: B) -> Result in
    let values = UncheckedTransfer((a, b))
    return try waiting { try await body.content(values.content.0, values.content.1) }
  }
}

/// Tests an asynchronous statement about three values.
@_disfavoredOverload
public func check<A, B, C, Result>(
  _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>,
  settings: CheckSettings = CheckSettings(), cases: Int? = nil, named name: String? = nil,
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping (A, B, C) async throws -> Result
) async throws {
  let body = UncheckedTransfer(body)
  try await Host(settings, cases: cases, at: sourceLocation).check(named: name, a, b, c, waits: true) {
    (a: A, b: B, c: C) -> Result in
    let values = UncheckedTransfer((a, b, c))
    return try waiting { try await body.content(values.content.0, values.content.1, values.content.2) }
  }
}

/// Tests an asynchronous statement about four values. More are drawn as one tuple, by `zip`.
@_disfavoredOverload
public func check<A, B, C, D, Result>(
  _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>, _ d: Gen<D>,
  settings: CheckSettings = CheckSettings(), cases: Int? = nil, named name: String? = nil,
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping (A, B, C, D) async throws -> Result
) async throws {
  let body = UncheckedTransfer(body)
  try await Host(settings, cases: cases, at: sourceLocation).check(named: name, a, b, c, d, waits: true) {
    (a: A, b: B, c: C, d: D) -> Result in
    let values = UncheckedTransfer((a, b, c, d))
    return try waiting {
      try await body.content(values.content.0, values.content.1, values.content.2, values.content.3)
    }
  }
}

/// Tests, inside a `@Test`, a property value of a lab, as the command line does.
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
  /// Its name and its claim, such as `league.2: The order of the teams never matters`.
  public var testDescription: String { "\(id): \(sentence)" }
}

extension Mutant: CustomTestStringConvertible {
  /// `dense-ranks, caught by league.5 within 100 cases`.
  public var testDescription: String {
    expectation.map { "\(name), caught by \($0.property) within \($0.cases) cases" } ?? name
  }

  /// Expects that the property named by the mutant catches it from three seeds, with the smallest counterexample where
  /// that is unique.
  ///
  /// ```swift
  /// @Test("Mutants are caught", arguments: BlackjackProperties.catalogue.mutants)
  /// func caught(mutant: Mutant) throws { try mutant.expectCaught() }
  /// ```
  ///
  /// A case that ends the process, or exceeds the time limit, is printed on stderr first.
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
