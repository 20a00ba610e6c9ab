import BatonComposer

/// What the FLAC file says of itself.
enum Tags {
    static func of(_ score: Score, prompt: String, title: String, font: String) -> [(String, String)] {
        var tags = [
            ("TITLE", title), ("ARTIST", "baton-composer"), ("GENRE", score.recipe.style.rawValue), ("BPM", String(score.recipe.tempo)),
            ("INITIALKEY", score.recipe.key.name), ("SOUNDFONT", font), ("COMMENT", score.recipe.text),
        ]
        if !prompt.isEmpty { tags.append(("PROMPT", prompt)) }
        return tags
    }
}
