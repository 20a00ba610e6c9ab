/// Writes a station's sound into one file for each song. A value, used by one task.
import BatonCore
import BatonSeams

struct SongWriter {
    private let folder: any RecordingFolder
    private let station: String
    private let suffix: String
    private let picture: (type: String, bytes: [UInt8])?
    private var cutter: SoundCutter
    private var file: (any RecordedFile)?
    /// The file lacks a part of its song, usually the beginning.
    private var isPart = true
    /// Title of the current song.
    private(set) var title = ""
    /// Title of the song after the next cut.
    private var coming = ""
    private var hasBegun = false
    /// The station had not sent a title when recording began, so the first title that it sends belongs to a song that
    /// began earlier.
    private var isUntold = false
    /// The number of the only song to write, counted from 0; `nil` writes all songs.
    private let only: Int?
    /// Number of the current song.
    private var number = -1

    init(
        _ folder: any RecordingFolder, station: String, suffix: String, picture: (type: String, bytes: [UInt8])?, _ form: SoundForm,
        only: Int? = nil
    ) {
        self.only = only
        self.folder = folder
        self.station = station
        self.suffix = suffix
        self.picture = picture
        cutter = SoundCutter(form)
    }

    /// Writes sound. A `title`, which may be empty, starts another song. Returns true if another file was begun.
    mutating func take(_ bytes: [UInt8], title: String??) throws(SourceFault) -> Bool {
        if let title { coming = title ?? "" }
        let isCut = title != nil && hasBegun
        var hasNew = false
        if !hasBegun {
            hasBegun = true
            isUntold = only == nil && title == .some(nil)
            try begin([])
            hasNew = true
        }
        for output in cutter.take(bytes, isCut: isCut) {
            switch output {
            case .sound(let sound): try file?.append(sound)
            case .cut(let isExact, let head):
                try file?.finish(isWhole: !isPart)
                file = nil
                isPart = !isExact && cutter.form != .bytes || isUntold
                try begin(head)
                isUntold = false
                hasNew = true
            }
        }
        return hasNew
    }

    /// The only song to write has ended.
    var isOver: Bool { only.map { number > $0 } ?? false }

    /// Marks the current song as incomplete.
    mutating func missSome() { isPart = true }

    mutating func end() throws(SourceFault) {
        let rest = cutter.end()
        guard let file else { return }
        self.file = nil
        var fault: SourceFault?
        if !rest.isEmpty { do throws(SourceFault) { try file.append(rest) } catch { fault = error } }
        try file.finish(isWhole: false)
        if let fault { throw fault }
    }

    private mutating func begin(_ head: [UInt8]) throws(SourceFault) {
        title = coming.isEmpty ? station : coming
        number += 1
        guard only == nil || only == number else { return }
        let isJoined = only == nil && (number == 0 || isUntold)
        let begun = try folder.begin(RecordedSong(station: station, title: title, suffix: suffix, mayGoOn: isJoined))
        file = begun
        if !begun.goesOn, let tags, !tags.isEmpty { try begun.append(tags) }
        if !head.isEmpty { try begun.append(head) }
    }

    /// Tags for MPEG and ADTS. An Ogg stream carries its own comments.
    private var tags: [UInt8]? {
        guard cutter.form == .mpeg || cutter.form == .adts else { return nil }
        var tag = ID3Tag(title: title, album: station, date: folder.today, picture: picture)
        if let dash = title.firstRange(of: " - ") {
            tag.artist = String(title[..<dash.lowerBound])
            tag.title = String(title[dash.upperBound...])
        }
        return tag.bytes
    }
}
