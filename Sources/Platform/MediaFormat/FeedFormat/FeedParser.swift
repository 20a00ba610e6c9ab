/// Reads feeds of RSS and Atom with libexpat; only `baton-reader` links it.
///
/// libexpat calls back on the parsing thread, and only during parsing; a callback's texts are copied before it returns. The call that
/// created a parser frees it. A feed that declares entities is refused at the declaration, so none is ever expanded.
package import BatonReading
import CExpat

package enum FeedParser {
    private static let piece = 1 << 20

    package static func facts(of bytes: [UInt8]) throws(ReaderFailure) -> FeedFacts {
        guard !bytes.isEmpty else { throw ReaderFailure(.empty) }
        guard let parser = unsafe XML_ParserCreate(nil) else { throw ReaderFailure(.noMemory) }
        defer { unsafe XML_ParserFree(parser) }
        let reading = FeedReading()
        unsafe connect(parser, to: reading)
        var at = 0
        while at < bytes.count, !reading.isFull {
            let end = min(at + piece, bytes.count)
            let status = unsafe bytes[at..<end].withUnsafeBytes { piece in
                unsafe XML_Parse(parser, piece.bindMemory(to: CChar.self).baseAddress, Int32(piece.count), end == bytes.count ? 1 : 0)
            }
            guard status == XML_STATUS_OK || reading.isFull else {
                if let refusal = reading.refusal { throw refusal }
                throw isPage(bytes) ? ReaderFailure(.isPage) : unsafe failure(of: parser)
            }
            at = end
        }
        withExtendedLifetime(reading) {}
        return reading.facts
    }

    /// Detects web pages. Few of them are valid XML, so most fail before their first element.
    private static func isPage(_ bytes: [UInt8]) -> Bool {
        let head = String(decoding: bytes.prefix(1_024).drop { $0 <= 0x20 || $0 >= 0x80 }, as: UTF8.self).lowercased()
        return head.hasPrefix("<!doctype html") || head.contains("<html")
    }

    private static func failure(of parser: XML_Parser) -> ReaderFailure {
        let code = unsafe XML_GetErrorCode(parser)
        return ReaderFailure(code == XML_ERROR_NO_MEMORY ? .noMemory : .brokenFeed)
    }

    private static func connect(_ parser: XML_Parser, to reading: FeedReading) {
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(reading).toOpaque())
        // The parser is passed as the argument, so that a callback can stop it.
        unsafe XML_SetElementHandler(
            parser,
            { data, name, attributes in
                guard let reading = unsafe FeedReading.of(data), let name = unsafe name else { return }
                unsafe reading.begin(String(cString: name), FeedParser.attributes(attributes))
            },
            { data, _ in unsafe FeedReading.of(data)?.end() })
        unsafe XML_SetCharacterDataHandler(parser) { data, text, count in
            guard let text = unsafe text else { return }
            let bytes = unsafe UnsafeBufferPointer(start: text, count: Int(count))
            unsafe FeedReading.of(data)?.take(bytes.map { UInt8(bitPattern: $0) })
        }
        unsafe XML_SetEntityDeclHandler(parser) { data, _, _, _, _, _, _, _, _ in unsafe FeedReading.of(data)?.refuse(.declaresEntities) }
        unsafe XML_SetUnknownEncodingHandler(parser, { _, name, info in unsafe FeedEncoding.describe(name, info) }, nil)
        reading.stop = { unsafe _ = XML_StopParser(parser, 0) }
    }

    /// Names and values alternate, up to a null.
    private static func attributes(_ list: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?) -> [(String, String)] {
        var attributes: [(String, String)] = []
        var at = 0
        while let list = unsafe list, let name = unsafe list[at], let value = unsafe list[at + 1], attributes.count < 32 {
            unsafe attributes.append((String(cString: name), String(cString: value)))
            at += 2
        }
        return attributes
    }
}

extension FeedReading {
    fileprivate static func of(_ data: UnsafeMutableRawPointer?) -> FeedReading? {
        unsafe data.map { unsafe Unmanaged<FeedReading>.fromOpaque($0).takeUnretainedValue() }
    }
}
