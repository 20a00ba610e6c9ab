/// Cuts the sound of a station into parts, each of which begins with a frame. A value; the stream may come in pieces of any size.
///
/// All parts joined are the stream, but for a frame at the beginning that holds no sound. A part of Ogg that begins in the middle of a
/// chain gets the pages of the chain's head before its own.
import BatonCore

struct SoundCutter {
    enum Output: Equatable {
        case sound([UInt8])
        /// A new part begins. `isExact` is false where no frame was found to begin it with.
        case cut(isExact: Bool, head: [UInt8])
    }

    let form: SoundForm
    /// The bytes of a frame that has not arrived completely.
    private var rest: [UInt8] = []
    /// The place of the first byte of `rest`.
    private var place: Int64 = 0
    private var isInStep = false
    private var isFirst = true
    /// A cut is wanted at the first frame from there on.
    private var wanted: Int64?
    private var oggHead = OggHead()

    /// After so many bytes without a frame a cut is made anyway.
    private static let mostSearched: Int64 = 128 * 1024

    init(_ form: SoundForm) { self.form = form }

    /// With `isCut` a new part begins with the first frame of these bytes.
    mutating func take(_ bytes: [UInt8], isCut: Bool = false) -> [Output] {
        var output: [Output] = []
        if isCut, wanted == nil { wanted = place + Int64(rest.count) }
        rest += bytes
        var at = 0
        while at < rest.count {
            switch step(rest[at...]) {
            case .wait: return keep(from: at, output)
            case .pass(let count):
                if let wanted, place - wanted > Self.mostSearched { cut(&output, isExact: false) }
                pass(at, count, &output)
                at += count
            case .frame(let count):
                let frame = rest[at..<at + count]
                let page = page(frame)
                let head = page.flatMap { oggHead.take($0, frame) } ?? []
                if let wanted, place >= wanted, page.map(mayBegin) ?? true {
                    cut(&output, isExact: form != .bytes, head: head)
                }
                if isFirst, form == .mpeg, MPEGFrame(frame)?.isInformation(frame) == true {
                    place += Int64(count)
                } else {
                    pass(at, count, &output)
                }
                isFirst = false
                at += count
            }
        }
        return keep(from: at, output)
    }

    /// What is left when the stream is over.
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
            // One header may stand in the sound by chance; a second one in the right place hardly does.
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

    /// A page of a head begins no part unless it is the first of its chain, nor does one that begins in the middle of a packet.
    private func mayBegin(with page: OggPage) -> Bool { page.isBeginning || (!page.isContinued && page.time != 0) }

    private func page(_ frame: ArraySlice<UInt8>) -> OggPage? {
        guard form == .ogg, case .page(let page) = OggPage.read(frame) else { return nil }
        return page
    }

    private mutating func cut(_ output: inout [Output], isExact: Bool, head: [UInt8] = []) {
        wanted = nil
        output.append(.cut(isExact: isExact, head: head))
    }

    private mutating func pass(_ at: Int, _ count: Int, _ output: inout [Output]) {
        place += Int64(count)
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
