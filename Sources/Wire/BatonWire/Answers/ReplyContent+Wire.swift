import BatonCore
package import BatonProtocol

/// An answer that the codec writes and reads.
package protocol AnswerCoding: ReplyContent {
    init(from value: JSON) throws(ProtocolFault)
    /// Writes the answer in at most `bytes`; lists end where that is reached.
    func encode(into writer: inout JSONWriter, bytes: Int)
}

extension AnswerCoding {
    package func encode(into writer: inout JSONWriter) { encode(into: &writer, bytes: WireLimits.standard.pageBytes) }
}

extension JSONWriter: ReplyWriter {
    package mutating func write(_ content: some AnswerCoding, bytes: Int) { content.encode(into: &self, bytes: bytes) }
}
