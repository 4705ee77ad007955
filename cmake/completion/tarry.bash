# bash completion for tarry. Commands, options, their values, searches and explorers are asked of the tool itself.

# Prints a column of what the tool lists: _tarry_column COMMAND NUMBER [NAME]
_tarry_column() {
  "${COMP_WORDS[0]}" "$1" --words 2>/dev/null | awk -F '\t' -v n="$2" -v name="${3-}" 'name == "" || $1 == name { print $n }'
}

_tarry_names() {
  "${COMP_WORDS[0]}" list "$1" 2>/dev/null | sed -n 's/^ *\([a-z][a-z0-9-]*\)  .*/\1/p'
}

_tarry() {
  local word=$2 previous=$3 command=${COMP_WORDS[1]} value=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "$(_tarry_column help 1) --help --version" -- "$word")
    return
  fi
  case $command in cc | c++ | build) return ;; esac
  [[ $previous == -* ]] && value=$(_tarry_column "$command" 2 "$previous")
  case $value in
    '' | '['*) ;;  # it takes no value of its own
    'NAME[:'*) mapfile -t COMPREPLY < <(compgen -W "$(_tarry_names searches)" -- "$word"); return ;;
    'NAME|FILE')
      mapfile -t COMPREPLY < <(compgen -W "$(_tarry_names explorers)" -- "$word"; compgen -f -X '!*.cpp' -- "$word")
      return ;;
    *[A-Z]*)
      if [[ $value == *FILE* || $value == *FOLDER* ]]; then
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
      fi
      return ;;
    *) mapfile -t COMPREPLY < <(compgen -W "${value//|/ }" -- "$word"); return ;;
  esac
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_tarry_column "$command" 1)" -- "$word")
  elif [[ $command == list ]]; then
    mapfile -t COMPREPLY < <(compgen -W 'searches explorers' -- "$word")
  else
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -F _tarry tarry
