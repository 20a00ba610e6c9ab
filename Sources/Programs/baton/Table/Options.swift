import BatonCore
import Configuration

/// Options shared by several verbs. Options of a single verb are in its row.
extension Arguments.Option {
    static let yes = Self("yes", short: "y", .flag, "delete without asking")
    static let ceiling = Self("ceiling", .value("LEVEL"), "how loud the room may become")
    static let floor = Self("floor", .value("LEVEL"), "how quiet")
    static let startMax = Self("start-max", .value("LEVEL"), "how loud it may be after a restart")
    static let role = Self("role", .value("ROLE"), "listener, guest, remote or admin [remote]")
    static let output = Self("output", .value("DEVICE"), "where the room is heard")
    static let long = Self("long", .flag, "more of each: who added it, and when; or the device and since when")
    static let play = Self("play", .number, "play the first row, or the Nth")
    static let add = Self("add", .number, "add it to the end of the queue")
    static let next = Self("next", .number, "put it behind what plays")
    static let all = Self("all", .flag, "all rows, or all that they hold")
    static let kind = Self("kind", .value("KIND"), "track, album, artist, genre, folder or playlist")
    static let source = Self("source", .value("NAME"), "of this source alone")
    static let unfold = Self("unfold", .flag, "each place of a track as a row of its own")
    static let available = Self("available", .flag, "only what can be played now")
    static let off = Self("off", .flag, "take it back")
    static let named = Self("name", .value("NAME"), "how it shall be called")
    static let follow = Self(
        "follow", .word(EndlessFollow.allCases.map(\.rawValue)), "what a next piece goes on from; of a log: what comes later")
    static let noQueue = Self("no-queue", .flag, "make it, and queue it nowhere")
    static let worker = Self("worker", .value("NAME"), "which worker makes it")
    static let wait = Self("wait", .flag, "until it is done")
    static let user = Self("user", .value("USER"), "the user's name at the server")
    static let passwordFile = Self("password-file", .value("FILE"), "its first line is the password; else it is asked for")
    static let url = Self("url", .value("URL"), "where the server is")
    static let untested = Self("untested", .flag, "keep it without asking its server first")
    static let preset = Self("preset", .value("NAME"), "the line of that name")
}
