/// The encoding of places in one column; they are read and written as a whole.
import BatonCore
import SQLite

extension Places {
    private static let version = 1

    var packed: [UInt8] {
        var packer = Packer()
        packer.put(Self.version)
        packer.put(current == nil ? 0 : 1)
        if let current { packer.put(current) }
        packer.put(sides.count)
        for side in sides { packer.put(side) }
        packer.put(lineage.count)
        for start in lineage {
            packer.put(start.session.text)
            packer.put(start.parent?.text ?? "")
        }
        return packer.bytes
    }

    /// `nil` for an invalid value.
    init?(packed: [UInt8]) {
        var unpacker = Unpacker(packed)
        guard unpacker.int() == Self.version, let hasCurrent = unpacker.int() else { return nil }
        var current: ItemPlace?
        if hasCurrent == 1 {
            guard let place = unpacker.place() else { return nil }
            current = place
        }
        guard let sideCount = unpacker.int() else { return nil }
        var sides: [ItemPlace] = []
        for _ in 0..<sideCount {
            guard let side = unpacker.place() else { return nil }
            sides.append(side)
        }
        guard let startCount = unpacker.int() else { return nil }
        var lineage: [Start] = []
        for _ in 0..<startCount {
            guard let session = unpacker.text(), let parent = unpacker.text() else { return nil }
            lineage.append(Start(SessionID(session), from: parent.isEmpty ? nil : SessionID(parent)))
        }
        self.init(current: current, sides: sides, lineage: lineage)
    }
}

extension Packer {
    fileprivate mutating func put(_ place: ItemPlace) {
        put(place.session.text)
        put(place.device)
        put(place.room?.text ?? "")
        put(place.positionMs)
        put(place.isFinished ? 1 : 0)
        put(maybe: place.atMs)
    }
}

extension Unpacker {
    fileprivate mutating func place() -> ItemPlace? {
        guard let session = text(), let device = text(), let room = text(), let positionMs = time(), let isFinished = int(),
            let atMs = maybeTime()
        else { return nil }
        return ItemPlace(
            positionMs: positionMs, isFinished: isFinished == 1, session: SessionID(session), device: device,
            room: room.isEmpty ? nil : RoomID(room), atMs: atMs ?? 0)
    }
}
