import BatonReading
import BatonSeams

/// The common names of a file's tags, whatever program wrote them.
extension FileTags {
    /// The tags of a file whose sound has this codec, in the order in which mpd lists them.
    init(_ tags: [FileFacts.Tag], codec: [UInt8]) {
        self.init(tags)
        guard let order = Self.order(ofCodec: codec) else { return }
        // Tags of one name stay in the order of the file, and so do those that have no place.
        let places = self.tags.enumerated().map { (place: order.firstIndex(of: $1.name) ?? order.count, number: $0, tag: $1) }
        self.tags = places.sorted { ($0.place, $0.number) < ($1.place, $1.number) }.map(\.tag)
    }

    /// The order of the names in files whose tags are frames or atoms, where the order of the file has no meaning; `nil` for comments.
    private static func order(ofCodec codec: [UInt8]) -> [TagName]? {
        switch String(decoding: codec, as: UTF8.self) {
        case "mp1", "mp2", "mp3": ofFrames
        case "aac", "alac", "wmav1", "wmav2", "wmapro", "wmalossless": ofAtoms
        default: nil
        }
    }

    private static let ofFrames: [TagName] = [
        .artist, .albumArtist, .artistSort, .albumSort, .albumArtistSort, .title, .album, .track, .date, .originalDate, .genre, .composer,
        .conductor, .performer, .grouping, .disc, .label,
    ]
    private static let ofAtoms: [TagName] = [
        .artist, .album, .title, .track, .genre, .date, .originalDate, .composer, .performer, .conductor, .grouping, .disc, .label,
        .albumArtist, .albumArtistSort, .albumSort, .artistSort,
    ]

    /// Limit of the bytes of all common tags, and of all others. More than that is no list of names.
    private static let mostBytes = 4_096
    private static let mostTags = 64

    init(_ tags: [FileFacts.Tag]) {
        self.init()
        var met = Set<String>()
        var bytes = 0
        var otherBytes = 0
        for tag in tags {
            let plain = TagList.plain(tag.name)
            // A name occurs twice where the file and its sound both have the tag.
            guard met.insert(plain).inserted, !Self.isText(plain), tag.value.count <= FileFacts.longestValue else { continue }
            let text = TextCleaning.line(tag.value)
            guard !text.isEmpty else { continue }
            if let name = Self.names[plain], name != .date || plain != "year" || !met.contains("date") {
                for value in Self.values(of: text, name) where bytes + value.utf8.count <= Self.mostBytes && self.tags.count < Self.mostTags
                {
                    bytes += value.utf8.count
                    self.tags.append(Song.Tag(name, value))
                }
            } else if otherBytes + text.utf8.count <= Self.mostBytes, others.count < Self.mostTags {
                otherBytes += text.utf8.count
                others.append(Other(TextCleaning.line(tag.name), text))
            }
        }
    }

    /// Lyrics and cue sheets are files of their own within a file.
    private static func isText(_ plain: String) -> Bool { plain.contains("lyrics") || plain == "cuesheet" }

    /// libavformat joins the values of a tag that occurs several times by semicolons without spaces. Numbers lose zeros in front and the count
    /// behind them.
    private static func values(of text: String, _ name: TagName) -> [String] {
        switch name {
        case .track, .disc:
            let digits = text.prefix { $0.isASCII && $0.isNumber }
            let number = digits.drop { $0 == "0" }
            return digits.isEmpty ? [] : [number.isEmpty ? "0" : String(number)]
        default:
            return joined(text)
        }
    }

    private static func joined(_ text: String) -> [String] {
        var values: [String] = []
        var value = ""
        var letters = text.makeIterator()
        var next = letters.next()
        while let letter = next {
            next = letters.next()
            if letter == ";", next != " ", next != nil, !value.isEmpty {
                values.append(value)
                value = ""
            } else {
                value.append(letter)
            }
        }
        return values + [value]
    }

    /// Names as `TagList.plain` makes them: those of Vorbis comments, of ID3 frames, and of libavformat.
    private static let names: [String: TagName] = [
        "artist": .artist, "tpe1": .artist, "author": .artist, "artistsort": .artistSort, "sortartist": .artistSort, "tsop": .artistSort,
        "album": .album, "talb": .album, "wmalbumtitle": .album, "albumsort": .albumSort, "sortalbum": .albumSort, "tsoa": .albumSort,
        "albumartist": .albumArtist, "tpe2": .albumArtist, "wmalbumartist": .albumArtist,
        "albumartistsort": .albumArtistSort, "sortalbumartist": .albumArtistSort, "tso2": .albumArtistSort,
        "title": .title, "tit2": .title, "track": .track, "tracknumber": .track, "trck": .track, "wmtracknumber": .track,
        "name": .name, "genre": .genre, "tcon": .genre,
        "date": .date, "year": .date, "tdrc": .date, "tyer": .date, "wmyear": .date,
        "originaldate": .originalDate, "tdor": .originalDate, "tory": .originalDate,
        "composer": .composer, "tcom": .composer, "composersort": .composerSort, "sortcomposer": .composerSort, "tsoc": .composerSort,
        "performer": .performer, "conductor": .conductor, "tpe3": .conductor, "wmconductor": .conductor,
        "work": .work, "movement": .movementNumber, "movementnumber": .movementNumber, "mvin": .movementNumber,
        "movementname": .movement, "mvnm": .movement, "ensemble": .ensemble, "location": .location,
        "grouping": .grouping, "grp1": .grouping, "tit1": .grouping, "contentgroup": .grouping,
        "disc": .disc, "discnumber": .disc, "tpos": .disc, "wmpartofset": .disc,
        "label": .label, "publisher": .label, "tpub": .label, "wmpublisher": .label,
        "musicbrainzartistid": .artistID, "musicbrainzalbumid": .albumID, "musicbrainzalbumartistid": .albumArtistID,
        "musicbrainztrackid": .trackID, "musicbrainzreleasetrackid": .releaseTrackID, "musicbrainzworkid": .workID,
    ]
}
