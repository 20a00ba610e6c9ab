import BatonCore
import BatonSeams

/// A file that can only be read if it is plain sound and refers to no other files.
final class SoundOnly: OpenStream {
    private let stream: any OpenStream

    init(_ stream: any OpenStream) { self.stream = stream }

    var position: Int64 {
        get { stream.position }
        set { stream.position = newValue }
    }
    var canSeek: Bool { stream.canSeek }
    var size: Int64? { stream.size }
    func cancel() { stream.cancel() }

    func read(into buffer: UnsafeMutablePointer<CChar>, count: UInt64) -> Int64 {
        let begin = position
        // The beginning must be read in one piece.
        guard begin == 0 || begin >= SoundMark.bytes else { return -1 }
        let got = unsafe stream.read(into: buffer, count: count)
        guard begin == 0, got > 0 else { return got }
        let head = unsafe UnsafeBufferPointer(start: buffer, count: min(Int(got), SoundMark.bytes)).map { UInt8(bitPattern: $0) }
        return SoundMark.isSound(head) ? got : -1
    }
}
