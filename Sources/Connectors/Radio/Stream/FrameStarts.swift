/// Finds where frames begin in a stream of MPEG audio or of AAC. A value; the stream may come in pieces of any size.
///
/// A decoder that begins in the middle of a frame reads 128 KiB to be sure of the format, which takes eight seconds of a station with
/// 128 kbit/s. At the beginning of a frame a few frames are enough.
struct FrameStarts {
    private let form: SoundForm
    /// Where the next frame is expected, counted from the beginning of `rest`.
    private var next = 0
    private var isInStep = false
    /// The beginning of a header whose end has not arrived.
    private var rest: [UInt8] = []

    /// `nil` for other forms.
    init?(_ form: SoundForm) {
        guard form == .mpeg || form == .adts else { return nil }
        self.form = form
    }

    /// The first frame that begins in these bytes.
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

    /// One header may stand in the sound by chance; a second one in the right place hardly does.
    private func isFrame(_ bytes: ArraySlice<UInt8>) -> Bool {
        if case .length = SoundFrame(bytes, form) { true } else { false }
    }
}
