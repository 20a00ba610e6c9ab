import Configuration

/// Verbs for books, bookmarks and the sleep timer.
extension Verb {
    static let listening: [Verb] = [
        Verb(
            "chapters",
            usages: [
                ("chapters", "those of what plays"), ("chapters 3", "to the beginning of the third"),
                ("chapters +1, chapters -1", "the next, the one before"),
            ], run: chapters),
        Verb(
            "book",
            usages: [
                ("book", "how speech sounds"), ("book voice on", "quiet speech is raised, peaks are limited; music stays as it is"),
                ("book voice off", "speech as it was recorded"),
                ("book trim on|off", "silences are left out of what lies on the hub's disk, once they are found"),
            ], run: book),
        Verb(
            "bookmark",
            usages: [
                ("bookmark [NOTE...]", "keep the place that is heard"), ("bookmark list [--here]", "all, or those of what plays"),
                ("bookmark play N", "from there; what plays stays in its queue"), ("bookmark edit N NOTE...", "another note"),
                ("bookmark delete N, bookmark restore N", "take it away, or have it back"),
                ("bookmark export FILE [--here]", "as Markdown, or as JSON where FILE ends in .json"),
            ],
            options: [
                .yes,
                .init("here", .flag, help: "those of what plays"),
            ],
            json: [
                "": .answer(.markAdd), "list": .own("bookmarks"), "play": .status, "edit": .answer(.markEdit),
                "delete": .answer(.markList), "restore": .answer(.markEdit), "export": .own("file"),
            ], run: bookmark),
        Verb(
            "sleep",
            usages: [
                ("sleep", "how long it plays on"), ("sleep 30", "falls silent after 30 minutes of listening; +10: so much longer"),
                ("sleep track|chapter|queue", "at its end"), ("sleep 3 chapters", "at the end of the third; also tracks"),
                ("sleep 30 --fade [SECONDS]", "grows quieter before, for 20 seconds; what faded is played again"),
                ("sleep off", "plays on"),
            ],
            options: [
                .init("fade", .number, help: "how many seconds the sound grows quieter before the end [20]")
            ], run: sleep),
        Verb(
            "listen",
            usages: [
                ("listen", "this machine plays the room too, in time with it; type + or - for the volume, m to mute, q to end"),
                ("listen --output DEVICE", "by this device, as in pulse/kitchen; also --volume N, at most 50 at the beginning"),
                ("listen --offset MS", "so much earlier, where the device is heard late; kept for the device"),
                ("listen --only ITEM...", "items on this machine alone, in a room of your own; the rooms of the hub go on as they are"),
                ("listen --quality opus64", "fewer bytes for a slow network: auto, original, opus128, opus64 or aac128"),
                ("listen link [ROOM] [NAME...]", "addresses by which a radio, a car or a player hears the room, some seconds late"),
                ("listen links", "the links that were made, without what opens them"),
                ("listen revoke LINK", "take one back; what it has opened ends"),
            ],
            options: [
                .output,
                .init("volume", .value("LEVEL"), help: "how loud it begins, at most 50 [50]"),
                .init("offset", .value("MS"), help: "how much earlier to begin, -500 to 500; kept for the output"),
                .init("quality", .value("NAME"), help: "how it is sent: auto, original, opus128, opus64 or aac128 [auto]"),
                .init("only", .flag, help: "on this machine alone"),
            ],
            json: ["": .told, "link": .answer(.listenLink), "links": .answer(.listenLinks), "revoke": .told], run: listen),
        Verb(
            "progress",
            usages: [
                ("progress [--finished]", "books and episodes that were begun, and where you are in them"),
                ("progress ITEM", "the place, and those of other devices beside it"),
                ("progress restore N [ITEM]", "go on at one of those; without ITEM: of what the room plays"),
                ("progress finish|reset [ITEM]", "heard to its end, or from the beginning again"),
                ("progress asleep [N]", "where a sleep timer ended, where it was set, and the last press; N: go on there"),
                ("progress here", "go on in this room, although the same plays elsewhere too"),
            ],
            options: [
                .init("finished", .flag, help: "those that were heard to their end")
            ],
            json: [
                "": .answer(.progressList), "restore": .answer(.progressRestore), "finish": .answer(.progressFinish),
                "reset": .answer(.progressReset), "asleep": .answer(.progressAsleep), "here": .told,
            ], run: progress),
    ]
}
