/// Finds the starts of frames in MPEG audio and AAC. A value that accepts pieces of any size.
///
/// A decoder that begins inside a frame reads 128 KiB to detect the format: eight seconds of a station with 128
/// kbit/s. At the start of a frame it needs only a few frames.
struct FrameStarts {
    private let form: SoundForm
    /// Offset of the next frame from the start of `rest`.
    private var next = 0
    private var isInStep = false
    /// The beginning of an incomplete header.
    private var rest: [UInt8] = []

    /// Accepts MPEG and ADTS; `nil` for other formats.
    init?(_ form: SoundForm) {
        guard form == .mpeg || form == .adts else { return nil }
        self.form = form
    }

    /// The offset of the first frame that begins in these bytes.
    mutating func take(_ piece: [UInt8]) -> Int? {
        let begin = rest.count
        let bytes = rest + piece
        rest = []
        var first: Int?
        while next < bytes.count {
            switch SoundFrame(bytes[next...], form) {
            case .short:
                rest = Array(bytes[next...])
                next = 0
                return first
            case .length(let length) where isInStep || isFrame(bytes.dropFirst(next + length)):
                isInStep = true
                if first == nil, next >= begin { first = next - begin }
                next += length
            case .length, .none:
                isInStep = false
                next = bytes[next...].dropFirst().firstIndex(of: 0xFF) ?? bytes.count
            }
        }
        next -= bytes.count
        return first
    }

    /// A header may occur in the sound by chance; a second one at the expected position is proof enough.
    private func isFrame(_ bytes: ArraySlice<UInt8>) -> Bool {
        if case .length = SoundFrame(bytes, form) { true } else { false }
    }
}
