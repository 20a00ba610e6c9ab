package import BatonCore
package import BatonSeams
import Synchronization

/// Kept tracks in memory, across simulated crashes of a hub. The disk can be full, and a copy can be changed.
package final class MemoryKept: KeptTracks {
    package struct State {
        var wishes: [KeptContents.Wish] = []
        var tracks: [ItemURI: KeptContents.Track] = [:]
        var limit: Int64?
        /// Of whole copies, and of those in part.
        package var copies: [ItemURI: [UInt8]] = [:]
        package var parts: [ItemURI: [UInt8]] = [:]
        package var isFull = false
        /// How many bytes were read from servers.
        package var fetched = 0
        /// The most tracks that were fetched at once.
        package var most = 0
        var now = 0
    }

    private let state = Mutex(State())
    private static let piece = 1000

    package init() {}

    package func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result { state.withLock { body(&$0) } }
    package var copies: [ItemURI: [UInt8]] { state.withLock { $0.copies } }

    package func contents() throws(SourceFault) -> KeptContents {
        state.withLock { state in
            let tracks = state.tracks.values.map { track in
                var track = track
                track.bytes = state.copies[track.uri].map { Int64($0.count) }
                return track
            }
            return KeptContents(wishes: state.wishes, tracks: tracks, limit: state.limit)
        }
    }

    package func put(_ wish: KeptContents.Wish, _ tracks: [KeptContents.Track], dropping dropped: [ItemURI]) throws(SourceFault) {
        state.withLock { state in
            if let at = state.wishes.firstIndex(where: { $0.wish.name == wish.wish.name }) {
                state.wishes[at] = wish
            } else {
                state.wishes.append(wish)
            }
            for track in tracks { state.tracks[track.uri] = track }
            state.drop(dropped)
        }
    }

    package func remove(_ wish: KeepWish, dropping dropped: [ItemURI]) throws(SourceFault) {
        state.withLock { state in
            state.wishes.removeAll { $0.wish.name == wish.name }
            state.drop(dropped)
        }
    }

    package func setLimit(_ bytes: Int64) throws(SourceFault) { state.withLock { $0.limit = bytes } }
    package func has(_ uri: ItemURI) -> Bool { state.withLock { $0.copies[uri] != nil } }
    package var spareBytes: Int64? { state.withLock { $0.isFull ? 0 : 1 << 30 } }

    package func copy(of uri: ItemURI) -> NamedFile? {
        guard let bytes = state.withLock({ $0.copies[uri] }) else { return nil }
        return NamedFile("/kept/\(uri)", MemoryFile(FileStamp(size: Int64(bytes.count), modifiedNs: 0, inode: 1)) { bytes[Int($0)] })
    }

    package func fetch(
        _ track: NamedBytes, of uri: ItemURI, most: Int64, while mayGoOn: @Sendable (KeepPlan.Progress) async -> Bool
    ) async throws(SourceFault) -> Int64 {
        if let length = track.content.length, length > most { throw SourceFault(.tooLarge, "There is no room for it.") }
        state.withLock { state in
            state.now += 1
            state.most = max(state.most, state.now)
        }
        defer { state.withLock { $0.now -= 1 } }
        while true {
            let done = state.withLock { Int64($0.parts[uri]?.count ?? 0) }
            guard await mayGoOn(KeepPlan.Progress(done: done, total: track.content.length)) else { throw .cancelled }
            let piece = try await track.content.read(at: done, count: Self.piece)
            if piece.isEmpty { break }
            let isFull = state.withLock { state in
                guard !state.isFull else { return true }
                state.parts[uri, default: []] += piece
                state.fetched += piece.count
                return false
            }
            if isFull { throw SourceFault(.quota, "The disk is full.") }
        }
        return state.withLock { state in
            let whole = state.parts.removeValue(forKey: uri) ?? []
            if state.tracks[uri] != nil { state.copies[uri] = whole }
            return Int64(whole.count)
        }
    }
}

extension MemoryKept.State {
    fileprivate mutating func drop(_ uris: [ItemURI]) {
        for uri in uris {
            tracks[uri] = nil
            copies[uri] = nil
            parts[uri] = nil
        }
    }
}
