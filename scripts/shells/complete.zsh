# SPDX-License-Identifier: GPL-3.0-or-later
# Presses the tabulator key in an interactive zsh and prints the line that comes of it, or the list it shows.
# usage: zsh complete.zsh FOLDER LINE
zmodload zsh/zpty zsh/zselect
folder="$(mktemp -d)"
cat >"$folder/.zshrc" <<END
fpath=(${(q)1} \$fpath)
autoload -Uz compinit
compinit -u -D
show() { print -r -- "\$BUFFER" >${(q)folder}/part; mv ${(q)folder}/part ${(q)folder}/line }
zle -N show
bindkey '^I' complete-word
bindkey '^T' show
unsetopt beep auto_menu
zle-line-init() { : >${(q)folder}/ready }
zle -N zle-line-init
END
export ZDOTDIR="$folder" TERM=dumb
zpty shell zsh -i
await() {
  local seen
  integer tries=0
  # What the other shell shows has to be read, or it waits.
  until [[ -e "$1" ]] || ((++tries > 400)); do
    zpty -rt shell seen
    zselect -t 5
  done
}
await "$folder/ready"
zpty -wn shell "$2"$'\t\x14'
await "$folder/line"
cat "$folder/line"
zpty -d shell
rm -rf "$folder"
