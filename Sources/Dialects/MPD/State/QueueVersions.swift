import BatonCore

/// The songs of a queue, and for each place the version at which it got another song: the answer to `plchanges`.
///
/// Versions are the queue's own revisions, which grow across restarts, so that a client which returns with one of an earlier life gets everything.
struct QueueVersions: Equatable {
    private(set) var songs: [EntryID]
    private(set) var version: UInt32
    private var changed: [UInt32]
    /// The version from which on changes are known.
    private let floor: UInt32

    init(_ songs: [EntryID], version: UInt32) {
        self.songs = songs
        self.version = version
        changed = Array(repeating: version, count: songs.count)
        floor = version
    }

    /// Takes over the queue as it is at a version. Places whose song is another one have changed. A version of the same songs, such as one in which
    /// another song became current, is not told.
    mutating func take(_ songs: [EntryID], version: UInt32) {
        let before = self.songs
        guard songs != before else { return }
        if changed.count > songs.count { changed.removeLast(changed.count - songs.count) }
        for place in songs.indices {
            if place >= before.count {
                changed.append(version)
            } else if before[place] != songs[place] {
                changed[place] = version
            }
        }
        self.songs = songs
        self.version = version
    }

    /// Notes that other tags of a song are known.
    mutating func describe(_ song: EntryID, version: UInt32) {
        for place in songs.indices where songs[place] == song { changed[place] = version }
        self.version = version
    }

    /// The place of a song; `nil` when it is not in the queue.
    func place(of song: EntryID) -> Int? { songs.firstIndex(of: song) }

    /// Places that changed after a version, and lie in a range. A version that is unknown gets all places.
    func changes(since known: UInt32, in range: SongRange = .everything) -> [Int] {
        let places = range.within(songs.count)
        guard (floor...version).contains(known) else { return Array(places) }
        return places.filter { changed[$0] > known }
    }
}
