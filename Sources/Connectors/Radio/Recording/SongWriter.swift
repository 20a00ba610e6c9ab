/// Writes the sound of a station into a file for each song. A value; one task uses it.
import BatonCore
import BatonSeams

struct SongWriter {
    private let folder: any RecordingFolder
    private let station: String
    private let suffix: String
    private let picture: (type: String, bytes: [UInt8])?
    private var cutter: SoundCutter
    private var file: (any RecordedFile)?
    /// The file has sound of its song only from somewhere in it on.
    private var isPart = true
    /// Of the song that is written.
    private(set) var title = ""
    /// Of the song that begins with the next cut.
    private var coming = ""
    private var hasBegun = false
    /// The station had not said yet what it plays when this began. What it says first began earlier.
    private var isUntold = false
    /// Only the song with this number is written, counted from 0; `nil` for all of them.
    private let only: Int?
    /// Of the song that is written.
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

    /// With a title, which may be none, another song begins here. True when another file was begun.
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

    /// Its only song has ended, or had no end.
    var isOver: Bool { only.map { number > $0 } ?? false }

    /// Some of the song that is written is missing.
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

    /// Ogg has the comments of its stream.
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
