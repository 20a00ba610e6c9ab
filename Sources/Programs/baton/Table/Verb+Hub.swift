import Configuration

/// Verbs for the hub itself: devices, users and health.
extension Verb {
    static let hub: [Verb] = [
        Verb(
            "pair",
            usages: [
                ("pair [HUB]", "be let in by a hub elsewhere; asks for the code that it shows"),
                ("pair --open [--role ROLE]", "let a device in: shows digits and a QR code, and waits"),
            ],
            options: [
                .init("open", .flag, help: "let a device in, here at the hub"),
                .role,
            ], isOfRoom: false, json: ["": .own("paired")], run: pair),
        Verb(
            "devices",
            usages: [
                ("devices", "who is paired, as what, and when they were last seen"), ("devices role DEVICE ROLE", "what it may do"),
                ("devices rename DEVICE NAME", "what it is called"),
                ("devices person DEVICE NAME", "whose places in books it moves; home at first"),
                ("devices revoke DEVICE", "send it away, at once"),
                ("devices rotate", "a new key for this machine"),
            ], options: [.yes], isOfRoom: false,
            json: ["": .answer(.deviceList), "role": .told, "rename": .told, "person": .told, "revoke": .told, "rotate": .told],
            run: devices),
        Verb(
            "signin",
            usages: [
                ("signin NAME", "sign in at the hub as a user; asks for the password"), ("signin --guest [NAME]", "without an account"),
            ],
            options: [
                .init("guest", .flag, help: "without an account")
            ], isOfRoom: false, json: ["": .own("signedIn")], run: signIn),
        Verb(
            "signup", usages: [("signup NAME", "make an account at the hub; asks for a password")], isOfRoom: false,
            json: ["": .own("signedIn")], run: signUp),
        Verb("signout", usages: [("signout", "sign out at the hub")], isOfRoom: false, json: ["": .told], run: signOut),
        Verb(
            "me", usages: [("me", "who is signed in here, and what that user may do")], isOfRoom: false, json: ["": .answer(.userMe)],
            run: me),
        Verb(
            "user",
            usages: [
                ("user", "who has an account, as what, and who waits for approval"),
                ("user add NAME [--role ROLE]", "make an account; asks for its first password"),
                ("user role NAME ROLE", "what a user may do: listener, guest, remote or admin"),
                ("user passwd [NAME]", "another password, your own or that of a user"), ("user approve NAME", "let a new account in"),
                ("user sessions [NAME]", "where you are, or a user is, signed in"),
                ("user revoke SESSION, user revoke --of NAME [SESSION]", "end a session; --all: all but this one"),
                ("user remove NAME", "the account, and everything that is kept for it"),
                ("user export [NAME]", "everything that is kept for you, or a user, as JSON"),
                ("user link DEVICE [NAME]", "whose device it is; without a name: no user's"),
                ("user adopt [PERSON] NAME", "give a user what belongs to a person of devices, or to all"),
            ],
            options: [
                .yes, .role,
                .init("of", .value("NAME"), help: "of this user"),
                .all,
            ], isOfRoom: false,
            json: [
                "": .answer(.userList), "sessions": .answer(.userSessions), "export": .own("export"), "add": .told, "role": .told,
                "passwd": .told, "approve": .told, "revoke": .told, "remove": .told, "link": .told, "adopt": .told,
            ], run: user),
        Verb(
            "mpd",
            usages: [
                ("mpd", "whether programs of MPD reach the hub, where, and which are connected"),
                ("mpd on|off", "let them connect, or not"),
                ("mpd password list", "the passwords of programs, by their names"),
                ("mpd password add NAME [--role ROLE]", "make one; asks for it. Programs on other machines need one"),
                ("mpd password remove NAME", "remove one, and disconnect the programs that came in by it"),
            ], options: [.role], isOfRoom: false,
            json: ["": .answer(.dialectList), "on": .told, "off": .told, "password": .answer(.dialectPasswordList)], run: mpd),
        Verb(
            "backup", usages: [("backup FILE [--with-secrets]", "save all data of the hub on this machine in one file, while it plays")],
            options: [
                .yes,
                .init("with-secrets", .flag, help: "also keys of the hub, passwords and the secrets of accounts"),
            ], isOfRoom: false, json: ["": .own("backup")], run: backup),
        Verb(
            "restore",
            usages: [
                ("restore FILE", "take the data of a backup over; the hub starts again with it"),
                ("restore FILE --other-hub", "the same with a backup of another hub, which this one becomes"),
            ],
            options: [
                .yes,
                .init("other-hub", .flag, help: "also the backup of another hub, which this one becomes"),
            ], isOfRoom: false, json: ["": .own("restored")], run: restore),
        Verb(
            "log",
            usages: [
                ("log [--level L] [--lines N]", "what the hub has logged lately; for admins"), ("log --follow", "the same, and what comes"),
            ],
            options: [
                .init("lines", .value("N"), help: "how many of the newest lines [20]"),
                .init("level", .value("LEVEL"), help: "of this level and those above: trace, debug, notice, warning or error"),
                .follow,
            ], isOfRoom: false, json: ["": .own("logLine")], run: log),
        Verb(
            "hub", usages: [("hub resume", "let the work go on that the hub holds back after crashes")], isOfRoom: false,
            json: ["resume": .told], run: resumeWork),
        Verb("discover", usages: [("discover", "the hubs on this network")], isOfRoom: false, json: ["": .own("hubs")], run: discover),
        Verb(
            "doctor", usages: [("doctor", "what is installed, reachable, announced, audible and kept, and what to do about the rest")],
            isOfRoom: false, json: ["": .own("doctor")], run: doctor),
        Verb(
            "ping", usages: [("ping [COUNT]", "round trip, and how far the clocks are apart")], isOfRoom: false, json: ["": .own("ping")],
            run: ping),
        Verb(
            "web",
            usages: [("web", "the page; on the hub's machine a link that makes one browser admin, once, for 2 minutes")],
            isOfRoom: false, json: ["": .own("pages")], run: web),
        Verb(
            "mpris",
            usages: [
                ("mpris", "the rooms as players on this desktop, for its media keys and applets, until Ctrl-C"),
                ("mpris --room ROOM", "that room alone"),
            ], json: ["": .told], run: mpris),
        Verb(
            "raw", usages: [("raw '{\"t\":...}'", "send a message by hand, print the answer")], isOfRoom: false,
            json: ["": .own("messages")], run: raw),
    ]
}
