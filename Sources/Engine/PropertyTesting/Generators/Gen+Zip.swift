// SPDX-License-Identifier: GPL-3.0-or-later

/// Tuples whose parts are drawn one after the other.
@inlinable
public func zip<each Part>(_ parts: repeat Gen<each Part>) -> Gen<(repeat each Part)> {
  Gen<(repeat each Part)>(span: .tuple) { draws in (repeat try (each parts).make(&draws)) }
}

// The same for the usual numbers of parts. A parameter pack that the optimiser does not see through, as in debug
// builds, looks up the type of every part for every case, which is most of the time that a case takes.

/// Pairs, triples and so on, 2 parts: drawn one after the other.
@inlinable
public func zip<A, B>(
  _ a: Gen<A>, _ b: Gen<B>
) -> Gen<(A, B)> {
  let (a, b) = (a.make, b.make)
  return Gen<(A, B)>(span: .tuple) { draws in
    try (a(&draws), b(&draws))
  }
}

/// Pairs, triples and so on, 3 parts: drawn one after the other.
@inlinable
public func zip<A, B, C>(
  _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>
) -> Gen<(A, B, C)> {
  let (a, b, c) = (a.make, b.make, c.make)
  return Gen<(A, B, C)>(span: .tuple) { draws in
    try (a(&draws), b(&draws), c(&draws))
  }
}

/// Pairs, triples and so on, 4 parts: drawn one after the other.
@inlinable
public func zip<A, B, C, D>(
  _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>, _ d: Gen<D>
) -> Gen<(A, B, C, D)> {
  let (a, b, c, d) = (a.make, b.make, c.make, d.make)
  return Gen<(A, B, C, D)>(span: .tuple) { draws in
    try (a(&draws), b(&draws), c(&draws), d(&draws))
  }
}

/// Pairs, triples and so on, 5 parts: drawn one after the other.
@inlinable
public func zip<A, B, C, D, E>(
  _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>, _ d: Gen<D>, _ e: Gen<E>
) -> Gen<(A, B, C, D, E)> {
  let (a, b, c, d, e) = (a.make, b.make, c.make, d.make, e.make)
  return Gen<(A, B, C, D, E)>(span: .tuple) { draws in
    try (a(&draws), b(&draws), c(&draws), d(&draws), e(&draws))
  }
}

/// Pairs, triples and so on, 6 parts: drawn one after the other.
@inlinable
public func zip<A, B, C, D, E, F>(
  _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>, _ d: Gen<D>, _ e: Gen<E>, _ f: Gen<F>
) -> Gen<(A, B, C, D, E, F)> {
  let (a, b, c, d, e, f) = (a.make, b.make, c.make, d.make, e.make, f.make)
  return Gen<(A, B, C, D, E, F)>(span: .tuple) { draws in
    try (a(&draws), b(&draws), c(&draws), d(&draws), e(&draws), f(&draws))
  }
}

/// Pairs, triples and so on, 7 parts: drawn one after the other.
@inlinable
public func zip<A, B, C, D, E, F, G>(
  _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>, _ d: Gen<D>, _ e: Gen<E>, _ f: Gen<F>, _ g: Gen<G>
) -> Gen<(A, B, C, D, E, F, G)> {
  let (a, b, c, d, e, f, g) = (a.make, b.make, c.make, d.make, e.make, f.make, g.make)
  return Gen<(A, B, C, D, E, F, G)>(span: .tuple) { draws in
    try (a(&draws), b(&draws), c(&draws), d(&draws), e(&draws), f(&draws), g(&draws))
  }
}

/// Pairs, triples and so on, 8 parts: drawn one after the other.
@inlinable
public func zip<A, B, C, D, E, F, G, H>(
  _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>, _ d: Gen<D>, _ e: Gen<E>, _ f: Gen<F>, _ g: Gen<G>, _ h: Gen<H>
) -> Gen<(A, B, C, D, E, F, G, H)> {
  let (a, b, c, d, e, f, g, h) = (a.make, b.make, c.make, d.make, e.make, f.make, g.make, h.make)
  return Gen<(A, B, C, D, E, F, G, H)>(span: .tuple) { draws in
    try (a(&draws), b(&draws), c(&draws), d(&draws), e(&draws), f(&draws), g(&draws), h(&draws))
  }
}

/// Pairs, triples and so on, 9 parts: drawn one after the other.
@inlinable
public func zip<A, B, C, D, E, F, G, H, I>(
  _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>, _ d: Gen<D>, _ e: Gen<E>, _ f: Gen<F>, _ g: Gen<G>, _ h: Gen<H>, _ i: Gen<I>
) -> Gen<(A, B, C, D, E, F, G, H, I)> {
  let (a, b, c, d, e, f, g, h, i) = (a.make, b.make, c.make, d.make, e.make, f.make, g.make, h.make, i.make)
  return Gen<(A, B, C, D, E, F, G, H, I)>(span: .tuple) { draws in
    try (a(&draws), b(&draws), c(&draws), d(&draws), e(&draws), f(&draws), g(&draws), h(&draws), i(&draws))
  }
}

/// Pairs, triples and so on, 10 parts: drawn one after the other.
@inlinable
public func zip<A, B, C, D, E, F, G, H, I, J>(
  _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>, _ d: Gen<D>, _ e: Gen<E>, _ f: Gen<F>, _ g: Gen<G>, _ h: Gen<H>, _ i: Gen<I>,
  _ j: Gen<J>
) -> Gen<(A, B, C, D, E, F, G, H, I, J)> {
  let (a, b, c, d, e, f, g, h, i, j) = (a.make, b.make, c.make, d.make, e.make, f.make, g.make, h.make, i.make, j.make)
  return Gen<(A, B, C, D, E, F, G, H, I, J)>(span: .tuple) { draws in
    try (a(&draws), b(&draws), c(&draws), d(&draws), e(&draws), f(&draws), g(&draws), h(&draws), i(&draws), j(&draws))
  }
}
