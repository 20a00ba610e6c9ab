/// A stored note of the outbox, with its change in columns.
import BatonCore
import BatonSeams
import SQLite

struct StoredNote {
    enum Kind: String {
        case favourite, stars, played, nowPlaying, progress, queue

        /// Only the last state counts, except that every play counts.
        var replacesEarlier: Bool { self != .played }
    }

    var item: String
    var kind: Kind
    var number: Int64
    var items: [UInt8]?

    init(item: String, kind: Kind, number: Int64, items: [UInt8]? = nil) {
        self.item = item
        self.kind = kind
        self.number = number
        self.items = items
    }

    init(_ note: WriteBack) {
        switch note {
        case .favourite(let uri, let isFavourite): self.init(item: uri.text, kind: .favourite, number: isFavourite ? 1 : 0)
        case .stars(let uri, let stars): self.init(item: uri.text, kind: .stars, number: Int64(stars))
        case .played(let uri, let atMs): self.init(item: uri.text, kind: .played, number: atMs.count)
        case .nowPlaying(let uri): self.init(item: uri.text, kind: .nowPlaying, number: 0)
        case .progress(let note):
            var packer = Packer()
            packer.put([note.place.isFinished ? "finished" : "", note.state.rawValue, note.device])
            self.init(item: note.uri.text, kind: .progress, number: note.place.positionMs.count, items: packer.bytes)
        case .queue(let uris, let current, let ms):
            var packer = Packer()
            packer.put(current?.text ?? "")
            packer.put(uris.map(\.text))
            self.init(item: "", kind: .queue, number: ms.count, items: packer.bytes)
        }
    }

    var note: WriteBack {
        let uri = ItemURI(item)
        switch kind {
        case .favourite: return .favourite(uri, number != 0)
        case .stars: return .stars(uri, Int(number))
        case .played: return .played(uri, atMs: Milliseconds(number))
        case .nowPlaying: return .nowPlaying(uri)
        case .progress: return .progress(progress(uri))
        case .queue:
            var unpacker = Unpacker(items ?? [])
            let current = unpacker.text() ?? ""
            let items = (unpacker.texts() ?? []).map { ItemURI($0) }
            return .queue(items, current: current.isEmpty ? nil : ItemURI(current), ms: Milliseconds(number))
        }
    }

    /// Notes of earlier versions have only a position, not a whole place.
    private func progress(_ uri: ItemURI) -> ServerPlaceNote {
        var unpacker = Unpacker(items ?? [])
        let words = unpacker.texts() ?? []
        let place = ServerPlace(positionMs: Milliseconds(number), isFinished: words.first == "finished")
        let state = words.count > 1 ? ServerPlaceNote.State(rawValue: words[1]) : nil
        return ServerPlaceNote(uri, place, state: state ?? .paused, on: words.count > 2 ? words[2] : "")
    }
}
