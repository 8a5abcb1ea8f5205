# The words of the line up to the cursor: bash has cut them at = and : as well.
__commsplit_words()
{
    local line=${COMP_LINE:0:COMP_POINT} i word
    words=() cword=-1
    for ((i = 0; i <= COMP_CWORD; i++)); do
        if [[ cword -lt 0 || $line == [[:blank:]]* ]]; then
            line=${line#"${line%%[![:blank:]]*}"}
            words[++cword]=""
        fi
        word=${COMP_WORDS[i]:0:${#line}}
        words[cword]+=$word
        line=${line:${#word}}
    done
    cur=${words[cword]} prev=""
    if ((cword > 0)); then
        prev=${words[cword-1]}
    fi
}

