# SPDX-License-Identifier: GPL-3.0-or-later
# Prints what fish offers behind a line. usage: fish complete.fish FOLDER LINE
source $argv[1]/assay.fish
complete --do-complete $argv[2]
