# bash completion for tarry. The names of searches and explorers are asked of the tool itself.

_tarry_names() {
  "${COMP_WORDS[0]}" list "$1" 2>/dev/null | sed -n 's/^ *\([a-z][a-z0-9-]*\)  .*/\1/p'
}

_tarry_options() {
  { "${COMP_WORDS[0]}" "$1" --help-all 2>/dev/null || "${COMP_WORDS[0]}" "$1" --help 2>/dev/null; } | grep -oE '^  -[^ ]+(, --[a-z0-9-]+)?' | tr ',' '\n' | tr -d ' '
}

_tarry() {
  local word=$2 previous=$3
  COMPREPLY=()
  case $previous in
    --search) mapfile -t COMPREPLY < <(compgen -W "$(_tarry_names searches)" -- "$word") ; return ;;
    --explorer)
      mapfile -t COMPREPLY < <(compgen -W "$(_tarry_names explorers)" -- "$word"; compgen -f -X '!*.cpp' -- "$word")
      return ;;
    --store) mapfile -t COMPREPLY < <(compgen -W 'exact bitstate' -- "$word") ; return ;;
    --cache) mapfile -t COMPREPLY < <(compgen -W 'none program program+explorer' -- "$word") ; return ;;
    --when-full) mapfile -t COMPREPLY < <(compgen -W 'stop replace' -- "$word") ; return ;;
    --choice-cost) mapfile -t COMPREPLY < <(compgen -W 'value unit' -- "$word") ; return ;;
    --races | --samaritan) mapfile -t COMPREPLY < <(compgen -W 'error report ignore' -- "$word") ; return ;;
    --points) mapfile -t COMPREPLY < <(compgen -W 'needed all p' -- "$word") ; return ;;
    --color) mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$word") ; return ;;
    --trace | --junit | --suppressions | -o | --output | --target) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word") ; return ;;
    --seed | --time | --memory | --jobs | -j | --max-depth | --max-delays | --max-preemptions | --samples | --step-timeout | -s | -D) return ;;
  esac
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W 'check replay verify run schedules cc c++ build list version --help --version' -- "$word")
    return
  fi
  case ${COMP_WORDS[1]} in
    check)
      if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_tarry_options check)" -- "$word")
      else
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -d -- "$word"; compgen -f -X '!*.@(c|cpp|cc|cxx|so)' -- "$word")
      fi ;;
    replay)
      if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_tarry_options replay)" -- "$word")
      else
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -d -- "$word"; compgen -f -X '!*.tarry' -- "$word")
      fi ;;
    list) mapfile -t COMPREPLY < <(compgen -W 'searches explorers --json --help' -- "$word") ;;
  esac
}
# For the patterns with @() above.
shopt -s extglob
complete -F _tarry tarry
