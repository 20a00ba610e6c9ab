#!/bin/sh
# A remote in shell: curl and nothing else.
#
#   baton.sh status | play | pause | next | vol N | find WORDS | watch
#
# It speaks over the unix socket of this machine's hub, where no password is needed. For a hub elsewhere
# BATON_URL is its address (https://host:9443), BATON_BEARER what follows from the key of a paired device, and BATON_PIN the
# hash of the hub's key, which curl compares before it sends BATON_BEARER. All three come from a device that was paired before:
#
#   remote.py pair wss://host:9443 && eval "$(remote.py env)"
set -eu

socket=${BATON_SOCKET:-${XDG_RUNTIME_DIR:-/run/user/$(id -u)}/baton/hub.sock}
[ -S "$socket" ] || [ -n "${BATON_URL:-}" ] || socket=/run/baton/hub.sock

if [ -n "${BATON_BEARER:-}" ] && [ -z "${BATON_PIN:-}" ]; then
    echo "baton.sh: BATON_BEARER is sent only to a hub whose key BATON_PIN names, and BATON_PIN is not set" >&2
    exit 2
fi

ask() {
    path=$1
    shift
    if [ -n "${BATON_URL:-}" ]; then
        # The certificate is the hub's own, not signed by an authority: its key is compared instead.
        curl -sS --max-time 10 ${BATON_PIN:+-k --pinnedpubkey "sha256//$BATON_PIN"} \
            ${BATON_BEARER:+-H "Authorization: Bearer $BATON_BEARER"} "$@" "$BATON_URL/baton$path"
    else
        curl -sS --max-time 10 --unix-socket "$socket" "$@" "http://hub/baton$path"
    fi
}

# Keys count over HTTP too: the same one for every try, so that a press whose answer was lost is not pressed twice. For five seconds it
# is tried again when no answer came (curl's codes 7, 28, 52, 56), and when a busy hub says how long to wait. Any other refusal is the end.
press() {
    key=$(od -An -N6 -tx1 /dev/urandom | tr -d ' \n')
    ends=$(($(date +%s) + 5))
    while :; do
        code=0 wait_ms=
        answer=$(ask /cmd -d "{\"t\":\"cmd\",\"id\":1,\"m\":\"$1\",\"k\":\"$key\",\"p\":${2:-{\}}}") || code=$?
        case $code$answer in
            7 | 28* | 52 | 56*) wait_ms=1000 ;;
            *'"code":"busy"'* | *'"code":"rate_limited"'*) wait_ms=$(printf '%s' "$answer" | sed -n 's/.*"afterMs":\([0-9]*\).*/\1/p') ;;
        esac
        wait=$(((${wait_ms:-0} + 999) / 1000))
        [ -n "$wait_ms" ] && [ $(($(date +%s) + wait)) -lt "$ends" ] || break
        sleep "$wait"
    done
    [ -z "$answer" ] || printf '%s\n' "$answer"
    return $code
}

# One member of the watch's short sections, which need no JSON reader: "v":[30,0] is the level and mute.
member() { printf '%s' "$state" | sed -n "s/.*$1.*/\\1/p"; }

status() {
    state=$(ask "/state?view=watch")
    title=$(member '"n":{[^}]*"t":"\([^"]*\)"')
    echo "${title:-Nothing is playing} · $(member '"v":\[\([0-9]*\),')%"
}

case ${1:-status} in
    status) status ;;
    play | pause | stop | next | prev) press "$1" ;;
    vol) press vol.set "{\"level\":${2:?how loud, 0 to 100?}}" ;;
    mute) press vol.mute '{"on":true}' ;;
    unmute) press vol.mute '{"on":false}' ;;
    find)
        shift
        # The first row's uri; words with quotation marks or backslashes in them need a JSON writer.
        uri=$(ask /cmd -d "{\"t\":\"cmd\",\"id\":1,\"m\":\"lib.search\",\"p\":{\"q\":\"$*\",\"limit\":1}}" | sed -n 's/.*"rows":\[{"uri":"\([^"]*\)".*/\1/p')
        [ -n "$uri" ] || { echo "Nothing is called $*" >&2; exit 1; }
        press play "{\"uri\":\"$uri\"}"
        ;;
    watch) while :; do status; sleep 2; done ;;
    *) echo "baton.sh: there is no \"$1\"; there are status, play, pause, stop, next, prev, vol N, mute, unmute, find WORDS, watch" >&2; exit 2 ;;
esac
