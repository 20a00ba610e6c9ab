import BatonCore
package import BatonProtocol

/// The JSON form of `ItemAnswer` and its parts.
extension ItemAnswer {
    /// Names, chapters and lyrics fill the page up to its limit; longer lyrics are cut.
    package func encode(into writer: inout JSONWriter, bytes: Int) {
        let start = writer.count
        writer.object { answer in
            answer.member("item", object: details.row.encodeMembers)
            details.encodeMembers(into: &answer, upTo: start + bytes / 2)
            if let media { answer.member("media", object: media.encodeMembers) }
            if !files.isEmpty {
                answer.member("files", array: { list in for file in files { list.object(file.encodeMembers) } })
            }
            if let lyrics { answer.member("lyrics", object: { lyrics.encodeMembers(into: &$0, upTo: start + bytes) }) }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        self.init(
            try ItemDetails(from: fields),
            lyrics: try fields.fields("lyrics").map { lyrics throws(ProtocolFault) in try Lyrics(from: lyrics) },
            media: try fields.fields("media").map(MediaLink.init(from:)),
            files: try fields.elements("files", File.init(from:)) ?? [])
    }
}

extension ItemDetails {
    private static let textBytes = DisplayText(bytes: 256)
    private static let aboutBytes = DisplayText(bytes: 2048)
    private static let mostNames = 32

    fileprivate func encodeMembers(into answer: inout JSONWriter, upTo end: Int) {
        // Names may take half of the page, so that there is space left for chapters.
        let endOfNames = answer.count + max(0, end - answer.count) / 2
        func names(_ name: StaticString, _ values: [String], into writer: inout JSONWriter) {
            guard !values.isEmpty else { return }
            _ = writer.member(name, values.prefix(Self.mostNames), upTo: endOfNames) { $1.string($1.shown($0, Self.textBytes)) }
        }
        names("genres", genres, into: &answer)
        names("composers", composers, into: &answer)
        names("labels", labels, into: &answer)
        answer.flag("compilation", isCompilation)
        if let format { answer.member("fmt", object: format.encodeMembers) }
        if let gain { answer.member("gain", object: gain.encodeMembers) }
        answer.flag("hasLyrics", hasLyrics)
        if let about { answer.member("about", answer.shown(about, Self.aboutBytes)) }
        answer.member("recipe", ifPresent: recipe)
        answer.member("similar", ifPresent: similar?.text)
        answer.member("top", ifPresent: top?.text)
        answer.member("related", ifPresent: related?.text)
        answer.member("path", ifPresent: path)
        answer.member("addedMs", ifPresent: addedAtMs)
        guard !chapters.isEmpty else { return }
        _ = answer.member("chapters", chapters, upTo: end) { $1.object($0.encodeMembers) }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(row: try ItemRow(from: try fields.required("item", fields.fields("item"))))
        genres = try fields.texts("genres") ?? []
        composers = try fields.texts("composers") ?? []
        labels = try fields.texts("labels") ?? []
        isCompilation = try fields.flag("compilation")
        format = try fields.fields("fmt").map { format throws(ProtocolFault) in try SoundFormat(from: format) }
        gain = try fields.fields("gain").map { gain throws(ProtocolFault) in try ReplayGain(from: gain) }
        hasLyrics = try fields.flag("hasLyrics")
        about = try fields.text("about")
        recipe = try fields.text("recipe")
        similar = try fields.text("similar").map { ItemURI($0) }
        top = try fields.text("top").map { ItemURI($0) }
        related = try fields.text("related").map { ItemURI($0) }
        path = try fields.text("path")
        addedAtMs = try fields.int64("addedMs").map { Milliseconds($0) }
        chapters = try fields.elements("chapters", Chapter.init(from:)) ?? []
    }
}

extension ReplayGain {
    /// Decibels and parts of full scale, as decimal numbers.
    fileprivate func encodeMembers(into writer: inout JSONWriter) {
        func number(_ name: StaticString, _ value: Int?, unit: Double, into writer: inout JSONWriter) {
            guard let value else { return }
            writer.name(name)
            writer.double(Double(value) / unit)
        }
        number("track", track, unit: 100, into: &writer)
        number("album", album, unit: 100, into: &writer)
        number("trackPeak", trackPeak, unit: 1_000_000, into: &writer)
        number("albumPeak", albumPeak, unit: 1_000_000, into: &writer)
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        func number(_ name: String, _ unit: Double) throws(ProtocolFault) -> Int? {
            // Rounds to the nearest number without the math library, which programs that link this may lack.
            try fields.double(name).flatMap { abs($0) < 1e9 ? Int($0 * unit + ($0 < 0 ? -0.5 : 0.5)) : nil }
        }
        self.init(
            track: try number("track", 100), album: try number("album", 100), trackPeak: try number("trackPeak", 1_000_000),
            albumPeak: try number("albumPeak", 1_000_000))
    }
}

extension Lyrics {
    fileprivate func encodeMembers(into writer: inout JSONWriter, upTo end: Int) {
        let limit = DisplayText(bytes: 1024)
        writer.flag("timed", isTimed)
        let written = writer.member("lines", lines, upTo: end) { line, list in
            list.array {
                if let atMs = line.atMs { $0.int(atMs) }
                $0.string($0.shown(line.text, limit))
            }
        }
        if written < lines.count { writer.member("more", lines.count - written) }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            lines: try fields.list("lines", count: 0...Int.max, of: "a line") { line in
                guard let parts = line.array, let text = parts.last?.string else { return nil }
                return Line(atMs: parts.count > 1 ? parts[0].int.map { Milliseconds($0) } : nil, text: text)
            } ?? [])
    }
}
