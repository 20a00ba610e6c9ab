/// Properties of sound, of which those that are `nil` may be any.
struct FormatMask: Equatable, Sendable {
    /// The form of a sample.
    enum Depth: Equatable {
        case bits(Int)
        /// Floating point.
        case float
        /// Direct stream digital.
        case dsd
    }

    var rate: Int?
    var depth: Depth?
    var channels: Int?

    /// Reads `RATE:DEPTH:CHANNELS` or `dsdMULTIPLE:CHANNELS`, in a mask also with `*`. Throws the original's sentence.
    init(_ text: String, isMask: Bool) throws(Ack) {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        let first = parts[0]
        if first.hasPrefix("dsd"), let multiple = LeadingNumber(first.dropFirst(3).utf8), multiple.rest.isEmpty, multiple.value < 1 << 20 {
            // DSD64 has 64 times the rate of a CD, in bits: eight of them are a sample here.
            rate = multiple.value * 44_100 / 8
            depth = .dsd
            channels = try Self.channels(text.dropFirst(first.count + 1), isMask: isMask)
            return
        }
        rate = try Self.rate(first, isMask: isMask)
        guard parts.count > 1 else { throw Ack(.argument, "Sample format missing") }
        depth = try Self.depth(parts[1], isMask: isMask)
        guard parts.count > 2 else { throw Ack(.argument, "Channel count missing") }
        channels = try Self.channels(parts[2], isMask: isMask)
    }

    private static func rate(_ text: Substring, isMask: Bool) throws(Ack) -> Int? {
        if isMask, text == "*" { return nil }
        guard let number = LeadingNumber(text.utf8), number.rest.isEmpty else { throw Ack(.argument, "Failed to parse the sample rate") }
        // The original reads a negative number as a large one, and says that.
        guard number.value > 0 else { throw Ack(.argument, "Invalid sample rate: \(UInt(bitPattern: number.value))") }
        return number.value
    }

    private static func depth(_ text: Substring, isMask: Bool) throws(Ack) -> Depth? {
        switch text {
        case "*" where isMask: return nil
        case "f": return .float
        case "dsd": return .dsd
        // Three bytes a sample.
        case "24_3": return .bits(24)
        default:
            guard let number = LeadingNumber(text.utf8), number.rest.isEmpty else {
                throw Ack(.argument, "Failed to parse the sample format")
            }
            guard [8, 16, 24, 32].contains(number.value) else { throw Ack(.argument, "Invalid sample format: \(number.value)") }
            return .bits(number.value)
        }
    }

    private static func channels(_ text: Substring, isMask: Bool) throws(Ack) -> Int? {
        if isMask, text == "*" { return nil }
        guard let number = LeadingNumber(text.utf8) else { throw Ack(.argument, "Failed to parse the channel count") }
        guard number.rest.isEmpty else { throw Ack(.argument, "Extra data after channel count: \(Substring(number.rest))") }
        guard 1...8 ~= number.value else { throw Ack(.argument, "Invalid channel count: \(number.value)") }
        return number.value
    }
}
