# SPDX-License-Identifier: GPL-3.0-or-later
# Prints what bash offers behind a line. usage: bash complete.bash FOLDER LINE
source "$1/assay.bash"
read -ra COMP_WORDS <<<"$2"
COMP_LINE="$2" COMP_POINT="${#2}" COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_TYPE=9 COMP_KEY=9 COMPREPLY=()
_assay assay "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
