/// Between paths and URIs. A file's item is `file:track` and its absolute path, percent-encoded.
import BatonCore
import BatonSeams

enum FileURI {
    private static let prefix = "file:track/"

    static func item(_ path: String) -> ItemURI {
        var text = "file:track"
        for byte in path.utf8 {
            if isPlain(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + String(byte >> 4, radix: 16, uppercase: true) + String(byte & 15, radix: 16, uppercase: true)
            }
        }
        return ItemURI(text)
    }

    static func isItem(_ uri: ItemURI) -> Bool { uri.text.hasPrefix(prefix) }

    /// The absolute path that a URI, a `file://` URL or a plain path names.
    static func path(of uri: ItemURI) throws(SourceFault) -> String {
        let text = uri.text
        let path: String? =
            if text.hasPrefix(prefix) {
                decoded(String(text.dropFirst(prefix.count))).map { $0.hasPrefix("/") ? $0 : "/" + $0 }
            } else if text.prefix(7).lowercased() == "file://" {
                pathOfURL(text)
            } else if text.hasPrefix("/") {
                text
            } else {
                nil
            }
        // A path ends at its first zero for the system, and must not end later for us.
        guard let path, path.count > 1 || path == "/", !path.utf8.contains(0) else {
            throw SourceFault(.unsupported, "\(text) names no file: expected an absolute path, or one as a URL or file:track item.")
        }
        return path
    }

    private static func pathOfURL(_ text: String) -> String? {
        let rest = text.dropFirst("file://".count)
        guard let slash = rest.firstIndex(of: "/") else { return nil }
        // Another machine's file is not here.
        guard ["", "localhost"].contains(rest[..<slash].lowercased()) else { return nil }
        return decoded(String(rest[slash...].prefix { $0 != "?" && $0 != "#" }))
    }

    /// Nothing when an escape is broken or the bytes are no UTF-8: a path that cannot be a `String`
    /// cannot be handed to the player either.
    static func decoded(_ text: String) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }

    /// What stands for itself: RFC 3986's unreserved characters, and the slash.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"): true
        default: false
        }
    }
}
