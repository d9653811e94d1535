// SPDX-License-Identifier: Apache-2.0
public import PropertyTesting
public import Testing

/// Tests, inside a `@Test`, a statement about a value whose type the closure names.
///
/// ```swift
/// @Test func text() async throws {
///   try await check { (number: Int, text: String) in
///     #expect(Int(String(number)) == number && text.utf8.count >= text.count)
///   }
/// }
/// ```
///
/// The values come from the generators of their types (`Generable`). Otherwise like the `check` of generators. More
/// than four are drawn as one tuple, by `zip`.
public func check<A: Generable, Result>(
  settings: CheckSettings = CheckSettings(), cases: Int? = nil, named name: String? = nil,
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping (A) throws -> Result
) async throws {
  try await check(
    A.generator, settings: settings, cases: cases, named: name, isolation: isolation,
    sourceLocation: sourceLocation, body: body)
}

/// Tests a statement about two values whose types the closure names.
public func check<A: Generable, B: Generable, Result>(
  settings: CheckSettings = CheckSettings(), cases: Int? = nil, named name: String? = nil,
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping (A, B) throws -> Result
) async throws {
  try await check(
    A.generator, B.generator, settings: settings, cases: cases, named: name, isolation: isolation,
    sourceLocation: sourceLocation, body: body)
}

/// Tests a statement about three values whose types the closure names.
public func check<A: Generable, B: Generable, C: Generable, Result>(
  settings: CheckSettings = CheckSettings(), cases: Int? = nil, named name: String? = nil,
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping (A, B, C) throws -> Result
) async throws {
  try await check(
    A.generator, B.generator, C.generator, settings: settings, cases: cases, named: name, isolation: isolation,
    sourceLocation: sourceLocation, body: body)
}

/// Tests a statement about four values whose types the closure names.
public func check<A: Generable, B: Generable, C: Generable, D: Generable, Result>(
  settings: CheckSettings = CheckSettings(), cases: Int? = nil, named name: String? = nil,
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping (A, B, C, D) throws -> Result
) async throws {
  try await check(
    A.generator, B.generator, C.generator, D.generator, settings: settings, cases: cases, named: name,
    isolation: isolation,
    sourceLocation: sourceLocation, body: body)
}

/// Tests an asynchronous statement about a value whose type the closure names.
@_disfavoredOverload
public func check<A: Generable, Result>(
  settings: CheckSettings = CheckSettings(), cases: Int? = nil, named name: String? = nil,
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping (A) async throws -> Result
) async throws {
  try await check(
    A.generator, settings: settings, cases: cases, named: name, isolation: isolation,
    sourceLocation: sourceLocation, body: body)
}

/// Tests an asynchronous statement about two values whose types the closure names.
@_disfavoredOverload
public func check<A: Generable, B: Generable, Result>(
  settings: CheckSettings = CheckSettings(), cases: Int? = nil, named name: String? = nil,
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping (A, B) async throws -> Result
) async throws {
  try await check(
    A.generator, B.generator, settings: settings, cases: cases, named: name, isolation: isolation,
    sourceLocation: sourceLocation, body: body)
}

/// Tests an asynchronous statement about three values whose types the closure names.
@_disfavoredOverload
public func check<A: Generable, B: Generable, C: Generable, Result>(
  settings: CheckSettings = CheckSettings(), cases: Int? = nil, named name: String? = nil,
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping (A, B, C) async throws -> Result
) async throws {
  try await check(
    A.generator, B.generator, C.generator, settings: settings, cases: cases, named: name, isolation: isolation,
    sourceLocation: sourceLocation, body: body)
}

/// Tests an asynchronous statement about four values whose types the closure names.
@_disfavoredOverload
public func check<A: Generable, B: Generable, C: Generable, D: Generable, Result>(
  settings: CheckSettings = CheckSettings(), cases: Int? = nil, named name: String? = nil,
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  body: @escaping (A, B, C, D) async throws -> Result
) async throws {
  try await check(
    A.generator, B.generator, C.generator, D.generator, settings: settings, cases: cases, named: name,
    isolation: isolation,
    sourceLocation: sourceLocation, body: body)
}
