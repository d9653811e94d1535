// SPDX-License-Identifier: GPL-3.0-or-later

// The seeds of blocks, and the errors: what of it needs no GSL is its own module, for the property engine.
@_exported public import SeededWords
