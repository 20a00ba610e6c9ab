#!/bin/bash
# Two hosts on one cable, inside this machine: discovery between them is real, and none of it
# reaches the network outside.
#
# Each host is a network, mount and host-name namespace with a /run, a system bus and an
# avahi-daemon of its own; a veth pair is the cable. Nothing is named outside the namespaces, so
# any number of pairs may exist at once, and everything ends with the processes inside. A host's
# /run is DIR/A/run or DIR/B/run, hence its bus can be spoken to from outside as well:
# DBUS_SYSTEM_BUS_ADDRESS=unix:path=DIR/A/run/dbus/system_bus_socket.
set -u
umask 022
# A host's programs speak to its own bus, whichever one the caller speaks to.
unset DBUS_SYSTEM_BUS_ADDRESS

usage() {
    cat >&2 <<'USAGE'
two-hosts.sh up DIR [OWNER]           makes hosts A and B below DIR and prints their addresses;
                                      they end with the process OWNER, if one is given
two-hosts.sh run DIR A|B COMMAND...   becomes COMMAND on that host, in this working directory
two-hosts.sh avahi DIR A|B VERB       start starts avahi-daemon there, kill kills it with -9,
                                      stop lets it hang, go lets it work again
two-hosts.sh bus DIR A|B VERB         the same for the system bus
two-hosts.sh down DIR                 ends every process on both hosts; removes DIR if nothing else is in it
DIR is an absolute path of at most 60 characters. Exit 77: this machine does not allow it.
USAGE
    exit 64
}

cannot() {
    echo "two-hosts.sh: $1" >&2
    exit 77
}

fail() {
    echo "two-hosts.sh: $1" >&2
    exit 1
}

# A process is known by its number and its start time, because numbers come back. One that ended
# and was not yet asked for its status has no start time.
started() {
    local stat
    stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
    stat=${stat##*) }
    set -- $stat
    [ "$1" != Z ] && echo "${20}"
}

# Waits for the end of a process that was killed.
ended() { while started "$1" >/dev/null; do sleep 0.01; done; }

# The sleeper that keeps a host's namespaces; fails when it is gone.
keeper() {
    local pid start
    read -r pid start 2>/dev/null <"$dir/$1/keeper" || return 1
    [ "$(started "$pid")" = "$start" ] || return 1
    echo "$pid"
}

# What outlives this script must not hold what its caller has open: a caller may wait for the end of
# a pipe, and some learn of our end in no other way. Descriptor 255 is bash's own.
let_go() {
    local fd
    for fd in /proc/self/fd/*; do
        fd=${fd##*/}
        [ "$fd" -le 2 ] || [ "$fd" = 255 ] || eval "exec $fd>&-"
    done
}

enter() {
    local pid
    pid=$(keeper "$1") || fail "there is no host $1 below $dir"
    shift
    exec nsenter -t "$pid" -n -m -u "$@"
}

# All processes on a host: those with both its network and its mounts.
inhabitants() {
    local net mnt
    read -r net mnt 2>/dev/null <"$dir/$1/namespaces" || return 0
    comm -12 <(having net "$net") <(having mnt "$mnt")
}

having() {
    # The name of a namespace has brackets, which a pattern takes literally only behind a backslash.
    local pattern=${2/[/\\[}
    find /proc/[0-9]*/ns/"$1" -maxdepth 0 -lname "${pattern/]/\\]}" 2>/dev/null | cut -d / -f 3 | sort
}

make_host() {
    local host=$1 name=$2 pid
    mkdir -p "$dir/$host/run/dbus" "$dir/$host/run/avahi-daemon" || fail "$dir cannot be written"
    cat >"$dir/$host/run/avahi.conf" <<'CONF'
[server]
use-ipv4=yes
use-ipv6=yes
allow-interfaces=cable
ratelimit-interval-usec=1000000
ratelimit-burst=1000
[publish]
publish-hinfo=no
publish-workstation=no
CONF
    # The keeper writes its own number when its host is furnished; unshare execs, so it stays the same.
    (let_go; exec unshare -n -m -u bash -c '
        hostname "$2" && mount --make-rprivate / && mount --bind "$1/run" /run && ip link set lo up || exit 1
        echo $$ >"$1/ready"
        exec sleep infinity' keeper "$dir/$host" "$name") </dev/null >"$dir/$host/log" 2>&1 &
    pid=$!
    disown
    until [ -s "$dir/$host/ready" ]; do
        kill -0 "$pid" 2>/dev/null || cannot "namespaces cannot be made here ($(tail -n 1 "$dir/$host/log"))"
        sleep 0.01
    done
    echo "$pid $(started "$pid")" >"$dir/$host/keeper"
    echo "$(readlink "/proc/$pid/ns/net") $(readlink "/proc/$pid/ns/mnt")" >"$dir/$host/namespaces"
}

# Inside the host, so that the cable's ends never appear outside.
lay_cable() {
    local a b
    a=$(keeper A) && b=$(keeper B) || fail "a host ended while it was made"
    nsenter -t "$a" -n ip link add cable type veth peer name cable netns "$b" ||
        cannot "no veth pair can be made here"
    plug_in "$a" "$1.1"
    plug_in "$b" "$1.2"
}

plug_in() {
    # Without duplicate address detection the IPv6 address can be used at once.
    nsenter -t "$1" -n bash -c '
        echo 0 >/proc/sys/net/ipv6/conf/cable/accept_dad
        ip address add "$1/24" dev cable && ip link set cable up multicast on' plug "$2" 2>/dev/null ||
        fail "the address $2 could not be given"
}

service() {
    local host=$1 name=$2 verb=$3 file
    case $name in
    avahi) file="$dir/$host/run/avahi-daemon/pid" ;;
    bus) file="$dir/$host/run/dbus/pid" ;;
    esac
    case $name-$verb in
    # Until its parent has seen it end, a dead daemon's number looks alive to the next one; and until it has ended, its name on the
    # bus is taken.
    *-kill) kill -9 "$(cat "$file")" && ended "$(cat "$file")" && rm -f "$file" ;;
    *-stop) kill -STOP "$(cat "$file")" ;;
    *-go) kill -CONT "$(cat "$file")" ;;
    avahi-start)
        (let_go; enter "$host" avahi-daemon -f /run/avahi.conf --no-drop-root --no-chroot --no-rlimits -D) \
            </dev/null >>"$dir/$host/log" 2>&1
        ;;
    bus-start)
        (let_go; enter "$host" dbus-daemon --system --fork --nopidfile --print-pid) \
            </dev/null >"$file" 2>>"$dir/$host/log"
        ;;
    *) usage ;;
    esac || fail "the $name of host $host could not be told to $verb; $(tail -n 5 "$dir/$host/log")"
}

up() {
    local owner=${1:-} subnet=10.77.$(($$ % 256)) host
    [ "$(id -u)" = 0 ] || cannot "only root can make network namespaces"
    for tool in unshare nsenter ip dbus-daemon avahi-daemon; do
        command -v $tool >/dev/null || cannot "$tool is not installed"
    done
    [ ! -e "$dir/A" ] && [ ! -e "$dir/B" ] || fail "$dir already holds hosts; take them down first"
    trap down EXIT
    make_host A baton-a
    make_host B baton-b
    lay_cable "$subnet"
    for host in A B; do
        service $host bus start
        service $host avahi start
    done
    trap - EXIT
    if [ -n "$owner" ]; then
        (let_go; exec setsid "$self" watch "$dir" "$owner" "$(started "$owner")") \
            </dev/null >/dev/null 2>&1 &
        echo "$! $(started $!)" >"$dir/watch"
    fi
    echo "A $subnet.1"
    echo "B $subnet.2"
}

down() {
    local host pid start round
    if read -r pid start 2>/dev/null <"$dir/watch" && [ "$(started "$pid")" = "$start" ] && [ "$pid" != $$ ]; then
        kill -9 -- "-$pid" 2>/dev/null
    fi
    for host in A B; do
        # A process may be starting another one while this looks: look until there is none.
        for round in 1 2 3 4 5; do
            pid=$(inhabitants $host)
            [ -n "$pid" ] || break
            kill -9 $pid 2>/dev/null
        done
        rm -rf "${dir:?}/$host"
    done
    rm -f "$dir/watch"
    rmdir "$dir" 2>/dev/null || true
}

[ $# -ge 2 ] || usage
verb=$1 dir=$2
self=$(readlink -f "$0")
shift 2
[[ $dir == /* && ${#dir} -le 60 ]] || usage
case $verb in
watch)
    while [ "$(started "$1")" = "$2" ]; do sleep 1; done
    down
    ;;
up) up "$@" ;;
down) down ;;
run)
    [ $# -ge 2 ] || usage
    host=$1
    shift
    enter "$host" --wdns="$PWD" -- "$@"
    ;;
avahi | bus)
    [ $# = 2 ] || usage
    service "$1" "$verb" "$2"
    ;;
*) usage ;;
esac
