import BatonProtocol

/// The JSON form of `ListenerReport`.
extension ListenerReport {
    func encodeMembers(into writer: inout JSONWriter) {
        writer.member("driftUs", ifPresent: driftUs)
        writer.member("delayMs", ifPresent: delayMs)
        writer.member("bufferMs", ifPresent: bufferMs)
        writer.member("starts", ifPresent: starts)
    }

    /// Numbers outside of their bounds are ignored.
    init(from fields: Fields) throws(ProtocolFault) {
        func bounded(_ name: String, _ range: ClosedRange<Int>) throws(ProtocolFault) -> Int? {
            try fields.int64(name).flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil }
        }
        self.init(
            driftUs: try bounded("driftUs", Self.drifts), delayMs: try bounded("delayMs", Self.delays),
            bufferMs: try bounded("bufferMs", Self.buffers), starts: try bounded("starts", Self.startCounts))
    }
}
