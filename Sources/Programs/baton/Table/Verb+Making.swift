import Configuration

/// Verbs for generated music.
extension Verb {
    static let making: [Verb] = [
        Verb(
            "imagine",
            usages: [
                ("imagine WORDS...", "have music made from words, and queue it; /duration 60 /seed 7 and others may stand among them"),
                ("imagine WORDS... --play", "play it as soon as it is ready; also --next, --add, --no-queue"),
                ("imagine WORDS... --worker NAME", "by this worker; --wait: until it is there"),
                ("imagine --preset NAME [WORDS...]", "a line of baton presets, and what follows"),
                ("imagine /duration 60", "for all your prompts that follow; /reset takes it back, /show and /help tell more"),
            ], options: [.play, .add, .next, .noQueue, .worker, .wait, .preset], json: ["": .answer(.jobStart)], run: imagine),
        Verb(
            "compose", usages: [("compose WORDS...", "the same by the composer in the hub, which needs no network; options as of imagine")],
            options: [.play, .add, .next, .noQueue, .wait, .preset], json: ["": .answer(.jobStart)], run: compose),
        Verb(
            "prompts",
            usages: [
                ("prompts", "your settings and your earlier prompts"), ("prompts forget [N]", "one of them, or all"),
            ], options: [.yes], isOfRoom: false, json: ["": .answer(.genPrompts), "forget": .told], run: chooses(promptChoices)),
        Verb(
            "presets",
            usages: [
                ("presets", "lines with a name: those of the hub, and yours"), ("presets save NAME WORDS...", "keep a line"),
                ("presets remove NAME", "one of yours"),
            ], options: [.yes], isOfRoom: false, json: ["": .answer(.genPrompts), "save": .told, "remove": .told],
            run: chooses(presetChoices)),
        Verb(
            "endless",
            usages: [
                ("endless", "whether the music of the room goes on without end"),
                ("endless on WORDS... --ahead 2", "have pieces made and queued before they are needed"),
                ("endless on --follow motif", "each goes on from the piece before; prompt: from the words again"),
                ("endless off", "end with what is queued"),
            ],
            options: [
                .follow,
                .init("ahead", .value("N"), help: "so many pieces behind the one that plays [2]"),
                .worker,
            ], json: ["": .told], run: chooses(endlessChoices)),
        Verb(
            "clips",
            usages: [
                ("clips start WORDS...", "begin a session: loops of six layers in three scenes, on one plan; --name NAME, --worker W"),
                ("clips, clips show [SESSION]", "all sessions; the grid of one, or of the newest"),
                ("clips add LAYER [WORDS...]", "have a loop made; --scene 2, --bars 8; words choose the instruments"),
                ("clips remove LAYER", "take it out of its scene; --scene 2"),
                ("clips off LAYER, clips on LAYER", "leave it out of the loop, and take it in again; --scene 2"),
                ("clips scene N", "let this scene be heard from the next round on; --play: play the session here"),
                ("clips resume [SESSION]", "go on with an earlier one; clips that could not be made are made again; --play"),
                ("clips continue [SESSION]", "have a whole piece made on its motif; --seconds 90, --play, --next"),
                ("clips scene N --name NAME", "name it; --session SESSION: of another one than the newest"),
            ],
            options: [
                .play, .add, .next, .named, .noQueue,
                .init("scene", .value("1-3"), help: "the scene of a session [1]"),
                .init("bars", .value("1-64"), help: "how long a clip is [4]"),
                .init("session", .value("SESSION"), help: "which session of clips; else the newest"),
                .init("seconds", .value("10-180"), help: "how long a piece is [90]"),
                .worker,
            ],
            json: [
                "": .answer(.clipsList), "start": .answer(.clipsStart), "add": .answer(.clipsAdd),
                "continue": .answer(.clipsContinue), "remove": .told, "off": .told, "on": .told, "scene": .told, "resume": .told,
            ], run: chooses(clipChoices)),
        Verb(
            "steer", usages: [("steer calmer|livelier|brighter|darker", "shape the next piece that the composer makes here")],
            json: ["": .answer(.genSteer)], run: steer),
        Verb(
            "vary", usages: [("vary [URI] --amount 30", "another piece from the plan of what plays, or of this one; --play, --next")],
            options: [
                .play, .add, .next, .noQueue,
                .init("amount", .value("0-100"), help: "how different it is [50]"),
            ], json: ["": .answer(.genVary)], run: vary),
        Verb(
            "again", usages: [("again RECIPE", "the very piece of a recipe, which jobs recipe N shows; --play, --next")],
            options: [.play, .add, .next, .noQueue], json: ["": .answer(.genAgain)], run: again),
        Verb(
            "jobs",
            usages: [
                ("jobs", "what is being made, how far it is, and what was made"), ("jobs cancel N|ID", "make it no longer"),
                ("jobs retry N|ID", "make it anew after it failed"), ("jobs recipe N|ID", "the line by which baton again makes it again"),
                ("jobs approve N|ID", "let what a guest has asked for be made"),
                ("jobs keep N|ID, jobs unkeep N|ID", "never remove its sound to make room; or do so again"),
            ], isOfRoom: false,
            json: [
                "": .answer(.jobList), "cancel": .told, "retry": .told, "recipe": .told, "approve": .told, "keep": .told, "unkeep": .told,
            ], run: chooses(jobChoices)),
        Verb(
            "worker",
            usages: [
                ("worker", "what makes music, and how each is; * is used where no other is named"),
                ("worker add NAME URL [--token-file FILE]", "a service on the network; --map REMOTE:LOCAL where its files are seen here"),
                ("worker add NAME --program PATH", "a program of this machine; --no-sandbox lets it reach network and files"),
                ("worker test NAME", "ask it now whether it can be used"), ("worker default NAME", "use it where no other is named"),
                ("worker remove NAME", "what it made stays"),
            ],
            options: [
                .yes, .untested,
                .init("token-file", .value("FILE"), help: "its first line is the token of the service"),
                .init("program", .value("PATH"), help: "a program of the hub's machine, with its arguments"),
                .init("no-sandbox", .flag, help: "with network, and with the files of the hub's user"),
                .init("map", .value("REMOTE:LOCAL"), help: "where a folder of the service is seen here"),
            ], isOfRoom: false,
            json: ["": .answer(.workerList), "add": .answer(.workerTest), "test": .answer(.workerTest)], run: chooses(workerChoices)),
    ]
}
