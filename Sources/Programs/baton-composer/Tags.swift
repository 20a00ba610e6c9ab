import BatonComposer

/// The tags of a FLAC file. The artist is the program that generated the piece, and the performer is the person who
/// asked for it.
enum Tags {
    static func of(_ score: Score, _ request: ComposerRequest, title: String, font: String) -> [(String, String)] {
        [
            ("TITLE", title), ("ARTIST", "baton-composer"), ("GENRE", score.recipe.style.rawValue), ("BPM", String(score.recipe.tempo)),
            ("INITIALKEY", score.recipe.key.name), ("SOUNDFONT", font), ("COMMENT", score.recipe.text),
        ] + known([("PERFORMER", request.author), ("PROMPT", request.prompt)])
    }

    static func of(_ request: StoreRequest) -> [(String, String)] {
        known([
            ("TITLE", request.title), ("ARTIST", request.artist), ("PERFORMER", request.author),
            ("BPM", request.tempo.map { String($0) }), ("INITIALKEY", request.key), ("PROMPT", request.prompt),
        ])
    }

    private static func known(_ tags: [(String, String?)]) -> [(String, String)] {
        tags.compactMap { name, value in value.flatMap { $0.isEmpty ? nil : (name, $0) } }
    }
}
