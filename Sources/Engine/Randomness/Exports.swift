// SPDX-License-Identifier: GPL-3.0-or-later

// The seeds of blocks, and the errors: what of it needs no GSL is a module of its own, for the property engine.
@_exported public import SeededWords
