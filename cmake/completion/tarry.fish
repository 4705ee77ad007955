# fish completion for tarry. Commands, options, their values, searches and explorers are asked of the tool itself.
function __tarry_names
    tarry list $argv[1] 2>/dev/null | string match -rg '^ *([a-z][a-z0-9-]*)  '
end

# Prints what may stand where the cursor is: a word and its description, with a tab between.
function __tarry_complete
    set -l words (commandline -opc)
    set -l command $words[2]
    set -l previous $words[-1]
    if string match -q -- '-*' $previous
        set -l value (tarry $command --words 2>/dev/null | awk -F '\t' -v name="$previous" '$1 == name { print $2 }')
        switch "$value"
            case '' '[*'
            case 'NAME[:*'
                __tarry_names searches
                return
            case 'NAME|FILE'
                __tarry_names explorers
                __fish_complete_suffix .cpp
                return
            case '*FILE*' '*FOLDER*'
                __fish_complete_path (commandline -ct)
                return
            case '*'
                string match -qr '[A-Z]' -- $value; or string split '|' -- $value
                return
        end
    end
    if string match -q -- '-*' (commandline -ct)
        tarry $command --words 2>/dev/null | awk -F '\t' '{ print $1 "\t" $3 }'
    else if test "$command" = list
        printf '%s\n' searches explorers
    else
        __fish_complete_path (commandline -ct)
    end
end

complete -c tarry -f
complete -c tarry -n __fish_use_subcommand -a "(tarry help --words 2>/dev/null | awk -F '\t' '{ print \$1 \"\t\" \$3 }')"
complete -c tarry -n 'not __fish_use_subcommand; and not __fish_seen_subcommand_from cc c++ build' -a '(__tarry_complete)'
