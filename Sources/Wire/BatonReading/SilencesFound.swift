/// The silences in a piece of a file, as found by the reader.
package struct SilencesFound: Equatable, Sendable {
    /// Silences in ms from the file's first sample, in order.
    package var silences: [Range<UInt32>]
    /// End of the piece.
    package var untilMs: UInt32
    /// The time stamp of the file's first sample, in microseconds.
    package var beginUs: Int64
    /// True for the last piece.
    package var isLast: Bool

    package init(_ silences: [Range<UInt32>], untilMs: UInt32, beginUs: Int64, isLast: Bool) {
        self.silences = silences
        self.untilMs = untilMs
        self.beginUs = beginUs
        self.isLast = isLast
    }

    /// Upper bound for the silences in a piece.
    package static let most = 8_192
    /// Length of a piece.
    package static let pieceMs: UInt32 = 120_000
    /// Upper bound for the first time stamp of a file.
    private static let mostBeginUs: Int64 = 86_400_000_000

    func write(to writer: inout ByteWriter) {
        writer.put(UInt16(clamping: silences.count))
        for silence in silences {
            writer.put(silence.lowerBound)
            writer.put(silence.upperBound)
        }
        writer.put(untilMs)
        writer.put(beginUs)
        writer.put(UInt8(isLast ? 1 : 0))
    }

    init(from reader: inout ByteReader) throws(MalformedMessage) {
        silences = []
        var behindMs: UInt32 = 0
        for _ in 0..<(try reader.number(UInt16.self, in: 0...UInt16(Self.most))) {
            let start = try reader.number(UInt32.self, in: behindMs...UInt32.max)
            behindMs = try reader.number(UInt32.self, in: start...UInt32.max)
            silences.append(start..<behindMs)
        }
        untilMs = try reader.number()
        beginUs = try reader.number(Int64.self, in: -Self.mostBeginUs...Self.mostBeginUs)
        isLast = try reader.number(UInt8.self, in: 0...1) == 1
    }
}
