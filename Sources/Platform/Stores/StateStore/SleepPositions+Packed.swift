/// The encoding of a sleep timer's times in one column.
import BatonCore
import SQLite

extension SleepPositions {
    var packed: [UInt8] {
        var packer = Packer()
        for point in [pressed, began, asleep?.ended, asleep?.began, asleep?.pressed] {
            packer.put(point?.entry)
            packer.put(point?.positionMs ?? 0)
        }
        packer.put(maybe: asleep?.atMs)
        packer.put(asleep?.isOffered == true ? 1 : 0)
        return packer.bytes
    }

    /// Empty for an invalid value.
    init(packed: [UInt8]) {
        var unpacker = Unpacker(packed)
        var points: [HeardPoint?] = []
        for _ in 0..<5 {
            guard let entry = unpacker.entry(), let positionMs = unpacker.time() else { break }
            points.append(entry.map { HeardPoint($0, positionMs: positionMs) })
        }
        self.init()
        guard points.count == 5, let atMs = unpacker.maybeTime() else { return }
        (pressed, began) = (points[0], points[1])
        guard let ended = points[2], let began = points[3], let pressed = points[4], let atMs else { return }
        asleep = Asleep(ended: ended, began: began, pressed: pressed, atMs: atMs, isOffered: unpacker.int() == 1)
    }
}
