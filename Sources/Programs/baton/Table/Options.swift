import BatonCore
import Configuration

/// Options shared by several verbs. Options of a single verb are in its row.
extension Arguments.Option {
    static let yes = Self("yes", short: "y", .flag, help: "delete without asking")
    static let ceiling = Self("ceiling", .value("LEVEL"), help: "how loud the room may become")
    static let floor = Self("floor", .value("LEVEL"), help: "how quiet")
    static let startMax = Self("start-max", .value("LEVEL"), help: "how loud it may be after a restart")
    static let role = Self("role", .value("ROLE"), help: "listener, guest, remote or admin [remote]")
    static let output = Self("output", .value("DEVICE"), help: "where the room is heard")
    static let long = Self("long", .flag, help: "more of each: who added it, and when; or the device and since when")
    static let play = Self("play", .number, help: "play the first row, or the Nth")
    static let add = Self("add", .number, help: "add it to the end of the queue")
    static let next = Self("next", .number, help: "put it behind what plays")
    static let all = Self("all", .flag, help: "all rows, or all that they hold")
    static let kind = Self("kind", .value("KIND"), help: "track, album, artist, genre, folder or playlist")
    static let source = Self("source", .value("NAME"), help: "of this source alone")
    static let unfold = Self("unfold", .flag, help: "each place of a track as a row of its own")
    static let available = Self("available", .flag, help: "only what can be played now")
    static let off = Self("off", .flag, help: "take it back")
    static let named = Self("name", .value("NAME"), help: "how it shall be called")
    static let follow = Self(
        "follow", .word(EndlessFollow.allCases.map(\.rawValue)), help: "what a next piece goes on from; of a log: what comes later")
    static let noQueue = Self("no-queue", .flag, help: "make it, and queue it nowhere")
    static let worker = Self("worker", .value("NAME"), help: "which worker makes it")
    static let wait = Self("wait", .flag, help: "until it is done")
    static let user = Self("user", .value("USER"), help: "the user's name at the server")
    static let passwordFile = Self("password-file", .value("FILE"), help: "its first line is the password; else it is asked for")
    static let url = Self("url", .value("URL"), help: "where the server is")
    static let untested = Self("untested", .flag, help: "keep it without asking its server first")
    static let preset = Self("preset", .value("NAME"), help: "the line of that name")
}
