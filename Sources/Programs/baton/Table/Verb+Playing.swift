import BatonClient
import BatonProtocol
import Configuration

/// Verbs that show and control playback.
extension Verb {
    static let playing: [Verb] = [
        Verb(
            "status", usages: [("status", "what plays, where, how loud"), ("status --format TEXT", "in a form of your own")], formats: true,
            run: status),
        Verb(
            "current", usages: [("current", "what plays, in one line"), ("current --format TEXT", "in a form of your own")], formats: true,
            run: current),
        Verb(
            "idle",
            usages: [
                ("idle", "wait for a change, and say what has changed"),
                ("idle SECTION...", "of these alone: now, tl, vol, modes, queue; also player, mixer, playlist, options"),
            ], json: ["": .own("idle")], run: idle),
        Verb(
            "watch", usages: [("watch", "the same, live, until Ctrl-C"), ("watch --json", "one object a line")], formats: true, run: watch),
        Verb(
            "top",
            usages: [
                ("top", "a whole screen: what plays, the queue, the library while you type, rooms, lyrics; ? shows its keys, q ends it")
            ],
            json: [:], isFullScreen: true, run: top),
        Verb(
            "play",
            usages: [
                ("play", "go on"), ("play URI|PATH|URL...", "play this instead of the queue; what holds others plays whole"),
                ("play WORDS...", "what a search finds best"),
                ("play WORDS... --kind artist", "that artist; also album, playlist and others"),
                ("play N", "a row of the last listing; numbers of rows work in every verb that takes items"),
            ], options: [.kind], formats: true, run: play),
        Verb("pause", usages: [("pause", "pause")], formats: true, run: sends { _ in Commands.Pause() }),
        Verb("toggle", usages: [("toggle", "pause when playing, play when not")], formats: true, run: sends { $0.toggle }),
        Verb("stop", usages: [("stop", "stop, and forget the position")], formats: true, run: sends { _ in Commands.Stop() }),
        Verb(
            "next", usages: [("next", "the next entry; two people who press at once skip once")], formats: true,
            run: steps { Commands.Next(from: $0) }),
        Verb(
            "prev", usages: [("prev", "back to the start, or within its first 3 s to the entry before")], formats: true,
            run: steps { Commands.Previous(from: $0) }),
        Verb(
            "seek",
            usages: [
                ("seek 1:23", "to a position"), ("seek +15, seek -0:30", "forward or back"), ("seek 40%", "to a part of the whole"),
            ], formats: true, run: seek),
        Verb(
            "skip", usages: [("skip", "30 seconds on in speech, 15 in music"), ("skip back", "15 seconds back")], formats: true, run: skip),
        Verb(
            "volume",
            usages: [
                ("volume", "how loud it is"), ("volume 35", "set it, 0 to 100; also 35%"),
                ("volume +5, volume -5", "louder, quieter; also +5%"),
                ("volume --ceiling 60", "how loud it may become"),
            ], options: [.ceiling, .floor, .startMax], run: volume),
        Verb(
            "shuffle", usages: [("shuffle", "on, or off if it is on"), ("shuffle on|off", "one of them")],
            run: switches({ $0.modes?.modes.shuffle == true }, by: { Commands.ModeSet(shuffle: $0) }, then: reportModes)),
        Verb("repeat", usages: [("repeat", "on, or off if it is on"), ("repeat on|off|one|all", "one of them")], run: `repeat`),
        Verb(
            "single", usages: [("single", "stop after each entry, or off if it is on"), ("single on|off|once", "one of them")],
            run: modeSwitch("single", \.single, by: { Commands.ModeSet(single: $0) })),
        Verb(
            "consume", usages: [("consume", "remove what was played, or off if it is on"), ("consume on|off|once", "one of them")],
            run: modeSwitch("consume", \.consume, by: { Commands.ModeSet(consume: $0) })),
        Verb(
            "mute", usages: [("mute", "mute, or hear it again"), ("mute on|off", "one of them")],
            run: switches({ $0.volume?.isMuted == true }, by: { Commands.VolumeMute($0) }, then: reportVolume)),
        Verb("mode", usages: ModePart.usages, options: ModePart.options, run: mode),
    ]
}
