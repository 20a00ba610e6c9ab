import BatonClient
import BatonCore
import Glibc

/// An item as a person types it: a path on this machine, or the URI of an item.
enum LocalPath {
    /// A path becomes absolute, because the hub has another working folder. A hub on another machine cannot read a file of
    /// this one; the sentence that says so explains more than “not found” from the hub.
    static func uri(for text: String, hub: Endpoint) throws(Stop) -> String {
        if FileURL.isOne(text) { return try kept(text, hub) }
        if let real = realpath(text, nil) {
            defer { free(real) }
            return try kept(text, hub, as: String(cString: real))
        }
        // An absolute path may be one on the hub's machine.
        if hasSource(text) || (text.hasPrefix("/") && !hub.isLocal) { return text }
        throw Stop(.refused, "There is no file “\(text)” here.")
    }

    static func isFile(_ text: String) -> Bool { access(text, F_OK) == 0 }

    private static func kept(_ text: String, _ hub: Endpoint, as uri: String? = nil) throws(Stop) -> String {
        guard hub.isLocal else {
            throw Stop(
                .refused,
                "“\(text)” is a file on this machine, and the hub is on another one (\(hub)). "
                    + "Copy it to a music folder of the hub, or share it by http and play its URL.")
        }
        return uri ?? text
    }

    /// Whether the text has the form `source:rest`, like URIs of items and all URLs.
    private static func hasSource(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":"), let first = text.utf8.first, isLetter(first) else { return false }
        return text[..<colon].utf8.allSatisfy { isLetter($0) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "+-.".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }
}
