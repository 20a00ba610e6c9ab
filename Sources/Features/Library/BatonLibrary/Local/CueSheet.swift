/// A cue sheet: the list of tracks in one long audio file, as written by programs that copy discs.
///
/// Parsing is lenient, as in other players: lines that are unknown or invalid are skipped.
import BatonCore
import BatonSeams

struct CueSheet: Equatable {
    /// Facts about the whole record.
    struct Record: Equatable {
        var title = ""
        var performer = ""
        var genre = ""
        var year: Int?
        var disc: Int?
        var gain: Int?
        var peak: Int?
    }

    struct Track: Equatable {
        var number: Int
        var title = ""
        var performer = ""
        var songwriter = ""
        var gain: Int?
        var peak: Int?
        /// The position in the file at which the track begins.
        var startMs: Milliseconds?
    }

    struct File: Equatable {
        var name: String
        var record = Record()
        var tracks: [Track] = []
    }

    private(set) var files: [File] = []

    static let mostBytes = 1 << 20
    static let mostTracks = 999
    static let mostLines = 20_000

    init(text: String) {
        var reader = Reader()
        for line in text.split(whereSeparator: \.isNewline).prefix(Self.mostLines) { reader.take(line) }
        files = reader.files.map { file in
            var file = file
            file.record = reader.record
            return file
        }
    }

    /// The tracks of an audio file. The sheet names the file that was copied, which is often compressed later, so a
    /// name with another suffix matches, too.
    func file(named name: String) -> File? {
        let (whole, stem) = (name.lowercased(), FileName.stem(of: name).lowercased())
        return files.first { $0.name.lowercased() == whole } ?? files.first { FileName.stem(of: $0.name).lowercased() == stem }
    }

    /// Parses a sheet line by line, with the state that earlier lines set.
    private struct Reader {
        var record = Record()
        var files: [File] = []
        private var track: Track?
        private var count = 0

        init() {}

        mutating func take(_ line: Substring) {
            var words = Words(line)
            guard let keyword = words.next()?.uppercased() else { return }
            switch keyword {
            case "FILE": files.append(File(name: Self.lastName(words.next() ?? "")))
            case "TRACK": begin(words.next(), kind: words.next())
            case "INDEX": index(words.next(), words.next())
            case "TITLE": say(words.rest, ofRecord: \.title, ofTrack: \.title)
            case "PERFORMER": say(words.rest, ofRecord: \.performer, ofTrack: \.performer)
            case "SONGWRITER": if track != nil { track?.songwriter = words.rest }
            case "REM": remark(words.next()?.uppercased() ?? "", words.rest)
            default: break
            }
        }

        private mutating func begin(_ number: String?, kind: String?) {
            track = nil
            guard kind?.uppercased() == "AUDIO", let number = number.flatMap({ Int($0) }), (0...999).contains(number) else { return }
            track = Track(number: number)
        }

        /// Adds the track to the file in which its music begins, even if its pause is in the previous file.
        private mutating func index(_ number: String?, _ time: String?) {
            guard number.flatMap({ Int($0) }) == 1, let ms = time.flatMap(Self.milliseconds), !files.isEmpty else { return }
            guard var begun = track, begun.startMs == nil, count < CueSheet.mostTracks else { return }
            begun.startMs = ms
            track = begun
            count += 1
            files[files.count - 1].tracks.append(begun)
        }

        private mutating func say(
            _ text: String, ofRecord: WritableKeyPath<Record, String>, ofTrack: WritableKeyPath<Track, String>
        ) {
            change({ $0[keyPath: ofRecord] = text }, { $0[keyPath: ofTrack] = text })
        }

        private mutating func remark(_ name: String, _ value: String) {
            switch name {
            case "GENRE": record.genre = value
            case "DATE": record.year = Int(value.prefix(4)).flatMap { (1_000...9_999).contains($0) ? $0 : nil }
            case "DISCNUMBER": record.disc = Int(value).flatMap { (1...999).contains($0) ? $0 : nil }
            case "REPLAYGAIN_ALBUM_GAIN": record.gain = Self.hundredths(value)
            case "REPLAYGAIN_ALBUM_PEAK": record.peak = Self.millionths(value)
            case "REPLAYGAIN_TRACK_GAIN": change({ _ in }, { $0.gain = Self.hundredths(value) })
            case "REPLAYGAIN_TRACK_PEAK": change({ _ in }, { $0.peak = Self.millionths(value) })
            default: break
            }
        }

        /// Applies a line after `TRACK` to that track, even if it follows the track's `INDEX`; earlier lines describe
        /// the record.
        private mutating func change(_ ofRecord: (inout Record) -> Void, _ ofTrack: (inout Track) -> Void) {
            guard track != nil else { return ofRecord(&record) }
            ofTrack(&track!)  // Checked by the guard above.
            guard track?.startMs != nil, let file = files.indices.last, let last = files[file].tracks.indices.last else { return }
            ofTrack(&files[file].tracks[last])
        }

        private static func lastName(_ path: String) -> String {
            path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        }

        /// Parses minutes, seconds and frames; a second has 75 frames.
        private static func milliseconds(_ text: String) -> Milliseconds? {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
            guard parts.count == 3, let minutes = parts[0], let seconds = parts[1], let frames = parts[2] else { return nil }
            guard (0...9_999).contains(minutes), (0..<60).contains(seconds), (0..<75).contains(frames) else { return nil }
            return Milliseconds((minutes * 60 + seconds) * 1_000 + frames * 1_000 / 75)
        }

        private static func hundredths(_ text: String) -> Int? {
            let number = text.prefix { "0"..."9" ~= $0 || ".-+".contains($0) }
            return Double(number).flatMap { abs($0) <= 100 ? Int(($0 * 100).rounded()) : nil }
        }

        private static func millionths(_ text: String) -> Int? {
            Double(text).flatMap { (0...100).contains($0) ? Int(($0 * 1_000_000).rounded()) : nil }
        }
    }

    /// Splits a line into words; a quoted word may contain spaces.
    private struct Words {
        private var left: Substring

        init(_ line: Substring) { left = line.drop(while: \.isBlank) }

        mutating func next() -> String? {
            guard let first = left.first else { return nil }
            let isQuoted = first == "\""
            if isQuoted { left.removeFirst() }
            let word = left.prefix { isQuoted ? $0 != "\"" : !$0.isBlank }
            left = left[word.endIndex...].drop { $0.isBlank || (isQuoted && $0 == "\"") }
            return String(word)
        }

        /// The rest of the line, without surrounding quotes.
        var rest: String {
            var text = left
            while text.last?.isBlank == true { text.removeLast() }
            if text.count >= 2, text.first == "\"", text.last == "\"" { text = text.dropFirst().dropLast() }
            return String(text)
        }
    }
}

extension Character {
    fileprivate var isBlank: Bool { self == "\u{FEFF}" || isWhitespace }
}

extension CueSheet.File {
    /// The tracks of this file, which share the facts of the whole file; empty when the sheet lists none or is
    /// inconsistent.
    func parts(of whole: TrackFacts) -> [TrackFacts] {
        let lengthMs = whole.tags.durationMs
        let begun = tracks.filter { track in track.startMs.map { $0 < lengthMs ?? .max } ?? false }
        let starts = begun.compactMap(\.startMs)
        guard begun.count > 1, zip(starts, starts.dropFirst()).allSatisfy({ $0 < $1 }) else { return [] }
        return begun.indices.map { part(begun[$0], from: starts[$0], to: $0 + 1 < starts.count ? starts[$0 + 1] : nil, of: whole) }
    }

    private func part(_ track: CueSheet.Track, from startMs: Milliseconds, to endMs: Milliseconds?, of whole: TrackFacts) -> TrackFacts {
        var facts = whole
        facts.startMs = startMs
        facts.endMs = endMs
        facts.tags.durationMs = (endMs ?? whole.tags.durationMs).map { $0 - startMs }
        facts.tags.title = track.title.isEmpty ? "Track \(track.number)" : track.title
        facts.tags.track = track.number
        let performer = track.performer.isEmpty ? record.performer : track.performer
        if !performer.isEmpty {
            facts.tags.artists = [performer]
            facts.sortArtist = ""
        }
        if !record.title.isEmpty {
            facts.tags.album = record.title
            facts.sortAlbum = ""
        }
        if !record.performer.isEmpty {
            facts.tags.albumArtist = record.performer
            facts.sortAlbumArtist = ""
        }
        facts.tags.year = record.year ?? whole.tags.year
        facts.tags.disc = record.disc ?? whole.tags.disc
        if !record.genre.isEmpty { facts.genres = [record.genre] }
        if !track.songwriter.isEmpty { facts.composers = [track.songwriter] }
        facts.sortTitle = ""
        facts.chapters = []
        facts.fileTags = nil
        facts.gain = gain(of: track, in: whole)
        return facts
    }

    /// The track's gain. An album gain that the sheet lacks is taken from the whole file.
    private func gain(of track: CueSheet.Track, in whole: TrackFacts) -> ReplayGain? {
        let gain = ReplayGain(
            track: track.gain, album: record.gain ?? whole.gain?.album ?? whole.gain?.track, trackPeak: track.peak,
            albumPeak: record.peak ?? whole.gain?.albumPeak ?? whole.gain?.trackPeak)
        return gain == ReplayGain() ? nil : gain
    }
}
