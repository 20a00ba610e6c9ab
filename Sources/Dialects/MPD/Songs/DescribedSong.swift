import BatonCore
import BatonSeams

/// A song of the queue as the library describes it, with its lines as they were last written: all who watch a room ask for the same ones.
struct DescribedSong {
    let entry: EntryID
    private let song: Song
    private var written: (place: Int, tags: TagSet, lines: [UInt8])?

    init(_ song: Song, of entry: EntryID) {
        self.song = song
        self.entry = entry
    }

    /// The lines of the song at a place of the queue.
    mutating func lines(at place: Int, _ tags: TagSet) -> [UInt8] {
        if let written, written.place == place, written.tags == tags { return written.lines }
        var text = SongText(tags)
        text.add(song, at: SongText.Entry(place: place, id: entry))
        written = (place, tags, text.bytes)
        return text.bytes
    }
}
