/// Cuts a station's sound into parts that begin with a frame. A value that accepts pieces of any size.
///
/// The parts together equal the stream, except for an information frame at its beginning, which holds no sound. An
/// Ogg part that begins inside a chained stream starts with that stream's header pages.
import BatonCore

struct SoundCutter {
    enum Output: Equatable {
        case sound([UInt8])
        /// A new part begins. `isExact` is false if no frame was found at which to begin.
        case cut(isExact: Bool, head: [UInt8])
    }

    let form: SoundForm
    /// Bytes of an incomplete frame.
    private var rest: [UInt8] = []
    /// The stream position of the first byte of `rest`.
    private var position: Int64 = 0
    private var isInStep = false
    private var isFirst = true
    /// The position from which the next frame starts a new part.
    private var wanted: Int64?
    private var oggHead = OggHead()

    /// Distance after which a cut is made without a frame.
    private static let mostSearched: Int64 = 128 * 1024

    init(_ form: SoundForm) { self.form = form }

    /// Cuts these bytes. With `isCut`, a new part begins at the first frame among them.
    mutating func take(_ bytes: [UInt8], isCut: Bool = false) -> [Output] {
        var output: [Output] = []
        if isCut, wanted == nil { wanted = position + Int64(rest.count) }
        rest += bytes
        var at = 0
        while at < rest.count {
            switch step(rest[at...]) {
            case .wait: return keep(from: at, output)
            case .pass(let count):
                if let wanted, position - wanted > Self.mostSearched { cut(&output, isExact: false) }
                pass(from: at, count: count, to: &output)
                at += count
            case .frame(let count):
                let frame = rest[at..<at + count]
                let page = page(frame)
                let head = page.flatMap { oggHead.take($0, frame) } ?? []
                if let wanted, position >= wanted, page.map(mayBegin) ?? true {
                    cut(&output, isExact: form != .bytes, head: head)
                }
                if isFirst, form == .mpeg, MPEGFrame(frame)?.isInformation(frame) == true {
                    position += Int64(count)
                } else {
                    pass(from: at, count: count, to: &output)
                }
                isFirst = false
                at += count
            }
        }
        return keep(from: at, output)
    }

    /// The remaining bytes at the end of the stream.
    mutating func end() -> [UInt8] {
        defer { rest = [] }
        return rest
    }

    private enum Step { case wait, frame(Int), pass(Int) }

    private mutating func step(_ bytes: ArraySlice<UInt8>) -> Step {
        if form == .bytes { return .frame(bytes.count) }
        switch SoundFrame(bytes, form) {
        case .short: return .wait
        case .length(let length):
            guard bytes.count >= length else { return .wait }
            if isInStep { return .frame(length) }
            // A header may occur in the sound by chance; a second one at the expected position is proof enough.
            switch SoundFrame(bytes.dropFirst(length), form) {
            case .short: return .wait
            case .length:
                isInStep = true
                return .frame(length)
            case .none: break
            }
        case .none: break
        }
        isInStep = false
        let first: UInt8 = form == .ogg ? UInt8(ascii: "O") : 0xFF
        let next = bytes.dropFirst().firstIndex(of: first) ?? bytes.endIndex
        return .pass(next - bytes.startIndex)
    }

    /// Whether a part may begin with this page: the first page of a stream, or a page of sound that does not begin
    /// inside a packet.
    private func mayBegin(with page: OggPage) -> Bool { page.isBeginning || (!page.isContinued && page.time != 0) }

    private func page(_ frame: ArraySlice<UInt8>) -> OggPage? {
        guard form == .ogg, case .page(let page) = OggPage.read(frame) else { return nil }
        return page
    }

    private mutating func cut(_ output: inout [Output], isExact: Bool, head: [UInt8] = []) {
        wanted = nil
        output.append(.cut(isExact: isExact, head: head))
    }

    private mutating func pass(from at: Int, count: Int, to output: inout [Output]) {
        position += Int64(count)
        if case .sound(var sound) = output.last {
            output.removeLast()
            sound += rest[at..<at + count]
            output.append(.sound(sound))
        } else {
            output.append(.sound(Array(rest[at..<at + count])))
        }
    }

    private mutating func keep(from at: Int, _ output: [Output]) -> [Output] {
        rest.removeFirst(at)
        return output
    }
}
