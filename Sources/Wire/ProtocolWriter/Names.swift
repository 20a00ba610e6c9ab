/// Swift names for wire names.
enum Names {
    /// Full words for the short forms in wire names.
    private static let words = ["vol": "volume", "pl": "playlist", "dev": "device", "del": "delete"]

    /// Types whose names do not follow from those of the commands.
    private static let types = [
        "prev": "Previous", "queue.get": "QueueWindow", "lib.search": "Search", "lib.browse": "Browse", "lib.item": "Item",
        "lib.folders": "Folders", "lib.folder": "FolderSet", "lib.history": "PlayedHistory", "fav.set": "FavouriteSet",
        "rate.set": "RatingSet", "lib.split": "Split", "pl.list": "Playlists", "pl.get": "Playlist", "room.control": "RoomControlSet",
        "art.get": "Picture", "source.list": "Sources", "radio.edit": "RadioChange", "podcast.list": "PodcastListing",
        "progress.report": "ProgressTold", "progress.list": "ProgressListing", "gen.parse": "PromptParse", "gen.prompts": "PromptList",
        "gen.set": "PromptSet", "gen.preset": "PromptPresetSet", "gen.forget": "PromptForget", "gen.endless": "Endless",
        "gen.steer": "SteerNext", "gen.vary": "Vary", "gen.again": "Again", "job.start": "JobBegin", "worker.list": "Workers",
        "mark.list": "Marks", "dev.list": "Devices", "user.list": "Users", "user.passwd": "UserPassword", "user.link": "UserLinkSet",
        "user.signup": "UserSignUp", "user.signin": "UserSignIn", "user.signout": "UserSignOut", "hub.info": "Info", "hub.log": "ReadLog",
        "hub.resume": "Resume", "hub.ticket": "NewTicket", "hub.scan": "Scan", "dialect.list": "Dialects",
        "dialect.password.list": "DialectPasswords",
    ]

    /// The name of a command's case: `volumeSet` for `vol.set`.
    static func kind(of command: String) -> String {
        let parts = command.split(separator: ".").map { words[String($0)] ?? String($0) }
        return (parts.first ?? "") + parts.dropFirst().map(capitalised).joined()
    }

    /// The name of its type in `Commands`.
    static func type(of command: String) -> String { types[command] ?? capitalised(kind(of: command)) }

    /// The name of a word's case: `badRequest` for `bad_request`.
    static func word(_ word: String) -> String {
        let parts = word.split(separator: "_").map(String.init)
        return (parts.first ?? "") + parts.dropFirst().map(capitalised).joined()
    }

    /// The name, with backticks if it is a Swift keyword.
    static func marked(_ name: String) -> String {
        ["repeat", "for", "in", "is", "default", "continue", "private", "internal"].contains(name) ? "`\(name)`" : name
    }

    /// The type of a number that counts parts of a second, as its name says.
    static func unit(of name: String) -> String? {
        if name == "ms" || name.hasSuffix("Ms") { return "Milliseconds" }
        return name == "us" || name.hasSuffix("Us") ? "Microseconds" : nil
    }

    static func capitalised(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}
