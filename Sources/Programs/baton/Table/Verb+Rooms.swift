import BatonProtocol
import Configuration

/// Verbs for the queue, rooms and the people in them.
extension Verb {
    static let rooms: [Verb] = [
        Verb(
            "queue",
            usages: [
                ("queue [--long]", "what plays and what comes; who added it, and when"), ("queue add URI...", "at the end"),
                ("queue next URI...", "behind what plays"), ("queue add 3 5-7", "rows of the last listing"),
                ("queue load LIST", "a playlist, at the end"),
                ("queue remove N...", "take entries out; N counts from 1, and 2-4 is a range"), ("queue crop", "all but what plays"),
                ("queue move N PLACE", "put one elsewhere; PLACE: a number, top, next or end"), ("queue jump N", "play it now"),
                ("queue clear", "all of it"),
                ("queue shuffle", "a new order for what comes"),
                ("queue similar [N]", "add what is like the current entry, or like entry N, where its source knows it"),
                ("queue save SOURCE", "keep it at a server, for other players of the account"),
                ("queue continue SOURCE", "go on with the queue that a server keeps"),
                ("queue undo", "take the last of those back, also that of another person"),
                ("queue history", "who did what, and what undo would take back"),
            ], options: [.long], formats: true,
            json: [
                "": .answer(.queueGet), "add": .status, "next": .status, "jump": .status, "clear": .status, "similar": .status,
                "save": .answer(.queueSave), "continue": .status, "load": .status, "history": .answer(.queueHistory),
            ], run: chooses(queueEdits)),
        Verb(
            "rooms",
            usages: [
                ("rooms", "what plays where, how loud, for whom"),
                ("rooms create NAME [--output DEVICE] [--when-empty pause]", "a new one"),
                ("rooms rename ROOM NAME", "its id stays"), ("rooms delete ROOM", "and its queue with it"),
                ("rooms restore ID", "bring a deleted room back, with its queue"),
                ("rooms set ROOM --ceiling N", "how loud it may become; also --floor, --start-max"),
                ("rooms set ROOM --output DEVICE", "where it is heard; none is where the hub is, null is no speaker"),
                ("rooms set ROOM --when-empty pause", "a room without a speaker pauses while no device plays it along; play: goes on"),
                ("rooms control ROOM [all|users|NAME...]", "who controls it: all, who is signed in, or users by name; --off: not NAME"),
                ("rooms outputs", "what a room may have as its output"),
            ],
            options: [
                .yes, .ceiling, .floor, .startMax, .output,
                .init("when-empty", .value("play|pause"), help: "what a room without a speaker does while nobody listens"),
                .off,
            ], isOfRoom: false,
            json: ["": .own("rooms"), "create": .own("room"), "control": .answer(.roomControl), "outputs": .section("outputs")],
            run: chooses(roomEdits)),
        Verb(
            "move",
            usages: [
                ("move ROOM [--keep]", "what plays here goes on in ROOM"), ("move --from ROOM", "what plays in ROOM goes on here"),
                ("move --from ROOM ROOM", "from one to the other; here is --room, or the first room"),
            ],
            options: [
                .init("from", .value("ROOM"), help: "the room that gives what it plays"),
                .init("keep", .flag, help: "leave it playing there too"),
            ], formats: true, run: move),
        Verb(
            "join",
            usages: [
                ("join SOURCE [ROOM]", "this room plays along with a room of a server, and what is pressed here goes there"),
                ("join [--events]", "how well it does, and who is in that room"),
            ],
            options: [
                .init("events", .flag, help: "what happened lately between this room and the other one")
            ], json: ["": .answer(.roomJoined)], run: join),
        Verb(
            "leave", usages: [("leave", "this room has its own queue and position again")], formats: true,
            run: sends({ _ in Commands.RoomUnjoin() }, unchanged: "This room plays its own queue already.")),
        Verb(
            "people",
            usages: [
                ("people", "who is connected, in which room, since when"),
                ("people --long", "those in the room: with which device, since when, and whether they play it themselves"),
                ("people kick NAME [--minutes 10]", "send a person out of the room, who is refused for so long"),
            ],
            options: [
                .long,
                .init("minutes", .value("N"), help: "for how long"),
            ], json: ["": .section("people"), "kick": .told], run: people),
        Verb(
            "vote", usages: [("vote", "for skipping what plays"), ("vote rule half|off|40%", "how many of those who hear it that takes")],
            json: ["": .told], run: vote),
    ]
}
