import BatonSeams

/// Sentences for playback failures, with the item's usual name and the reason.
enum Failure {
    static func sentence(for playable: Playable, status: MPVStatus, log: [String]) -> String {
        "“\(playable.name)” cannot be played: \(reason(for: playable, status: status, log: log))."
    }

    /// The failure of an item that ended without any sound.
    static func silent(_ playable: Playable) -> String {
        "“\(playable.name)” cannot be played: \(fileReason(playable) ?? "there is no sound in it")."
    }

    static func playlist(_ playable: Playable) -> String {
        "“\(playable.name)” cannot be played: it is a list of other things, not sound."
    }

    static func stopped(_ playable: Playable, _ sentence: String) -> String {
        sentence.contains("“\(playable.name)”") ? sentence : "“\(playable.name)” cannot be played on: \(sentence)"
    }

    static func refused(_ playable: Playable, _ why: String) -> String {
        "“\(playable.name)” cannot be played: \(why)"
    }

    private static func reason(for playable: Playable, status: MPVStatus, log: [String]) -> String {
        if let reason = fileReason(playable) { return reason }
        if looksLikeList(playable) { return "it is a list of other things, not sound" }
        if playable.kind == .url, let reason = networkReason(log) { return reason }
        switch status {
        case .unknownFormat: return "its format is not known"
        case .nothingToPlay: return "there is no sound in it"
        case .outputFailed: return "the audio device could not be opened"
        case .loadingFailed: return playable.kind == .url ? "the server did not give it" : "it could not be read"
        default: return status.text
        }
    }

    /// Reads the file for the reason, since libmpv reports only that opening failed.
    private static func fileReason(_ playable: Playable) -> String? {
        switch playable.location {
        case .file(let file) where file.content.stamp.size == 0: "the file is empty"
        case .parts(let parts): parts.first { $0.file.content.stamp.size == 0 }.map { "its part “\($0.title)” is empty" }
        default: nil
        }
    }

    private static let listEndings = [".asx", ".cue", ".m3u", ".m3u8", ".pls", ".xspf"]

    private static func looksLikeList(_ playable: Playable) -> Bool {
        let name = playable.name.lowercased()
        return listEndings.contains { name.hasSuffix($0) }
    }

    /// Texts of the network layer in libmpv's log, and their meanings.
    private static let networkReasons: [(sign: String, meaning: String)] = [
        ("HTTP error 401", "the server wants a login (401)"),
        ("HTTP error 403", "the server does not allow it (403)"),
        ("HTTP error 404", "the server does not have it (404)"),
        ("HTTP error 4", "the server refused it"),
        ("HTTP error 5", "the server has a fault of its own"),
        ("Connection refused", "the server does not answer"),
        ("Failed to resolve hostname", "the server's name is not known"),
        ("No route to host", "the server cannot be reached"),
        ("Network is unreachable", "the server cannot be reached"),
        ("timed out", "the server took too long"),
        ("certificate", "the server's certificate is not trusted"),
    ]

    private static func networkReason(_ log: [String]) -> String? {
        networkReasons.first { reason in log.contains { $0.contains(reason.sign) } }?.meaning
    }
}
