// SPDX-License-Identifier: GPL-3.0-or-later
// An app on BlackjackCore alone. Built and run by scripts/check-core-alone.

import BlackjackCore

print("linked")
