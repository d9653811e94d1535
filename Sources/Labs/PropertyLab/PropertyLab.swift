// SPDX-License-Identifier: GPL-3.0-or-later

/// Puts catalogues of properties on trial.
enum PropertyLab {}
