/// All that `baton` can do, as one table: the dispatcher and the help both read it.
struct Verb: Sendable {
    let name: String
    let usage: String
    let summary: String
    let run: @Sendable (Invocation, Satellite) async throws -> Void

    static let all: [Verb] = [
        Verb(name: "status", usage: "status [--format TEXT]", summary: "what plays, where, how loud", run: Verb.status),
        Verb(name: "watch", usage: "watch", summary: "the same, live; --json: one object a line", run: Verb.watch),
        Verb(name: "play", usage: "play [URI|PATH|URL...]", summary: "resume, or play this instead of the queue", run: Verb.play),
        Verb(name: "pause", usage: "pause", summary: "pause", run: Verb.pause),
        Verb(name: "toggle", usage: "toggle", summary: "pause when playing, play when not", run: Verb.toggle),
        Verb(name: "stop", usage: "stop", summary: "stop, and forget the position", run: Verb.stop),
        Verb(name: "next", usage: "next", summary: "the next entry", run: Verb.next),
        Verb(name: "prev", usage: "prev", summary: "back to the start, or to the entry before", run: Verb.previous),
        Verb(name: "seek", usage: "seek 1:23|+15|-15|40%", summary: "go to a position", run: Verb.seek),
        Verb(name: "volume", usage: "volume [35|+5|-5]", summary: "show or set the volume, 0 to 100", run: Verb.volume),
        Verb(name: "mute", usage: "mute [on|off]", summary: "mute, or hear it again", run: Verb.mute),
        Verb(name: "mode", usage: "mode [repeat off|one|all]", summary: "how the room plays; also: mode speed 1.25", run: Verb.mode),
        Verb(name: "queue", usage: "queue [list]", summary: "the queue; add|next URI..., remove|jump N...,", run: Verb.queue),
        Verb(name: "", usage: "", summary: "move N PLACE, clear; N counts from 1", run: { _, _ in }),
        Verb(name: "discover", usage: "discover", summary: "the hubs on this network", run: Verb.discover),
        Verb(name: "ping", usage: "ping [COUNT]", summary: "round trip, and how far the clocks are apart", run: Verb.ping),
        Verb(name: "raw", usage: "raw '{\"t\":...}'", summary: "send a message by hand, print the answer", run: Verb.raw),
        Verb(name: "web", usage: "web", summary: "the address of the web remote", run: Verb.web),
    ]

    static func named(_ name: String) -> Verb? { all.first { !$0.name.isEmpty && $0.name == name } }
}
