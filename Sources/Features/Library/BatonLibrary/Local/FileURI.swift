/// Converts between paths and URIs. The URI of a file is `file:track` with its absolute path, percent-encoded.
import BatonCore
import BatonSeams

enum FileURI {
    private static let prefix = "file:track/"

    static func item(_ path: String) -> ItemURI {
        ItemURI("file:track" + PercentText.encoded(path, keeping: "/"))
    }

    static func isItem(_ uri: ItemURI) -> Bool { uri.text.hasPrefix(prefix) }

    /// The absolute path that a URI, a `file://` URL or a plain path names.
    static func path(of uri: ItemURI) throws(SourceFault) -> String {
        let text = uri.text
        let path: String? =
            if text.hasPrefix(prefix) {
                PercentText.decoded(text.dropFirst(prefix.count)).map { $0.hasPrefix("/") ? $0 : "/" + $0 }
            } else if FileURL.isOne(text) {
                FileURL.path(of: String(text.prefix { $0 != "?" && $0 != "#" }))
            } else if text.hasPrefix("/") {
                text
            } else {
                nil
            }
        // The system ends a path at its first zero byte, so a path with one is refused.
        guard let path, path.count > 1 || path == "/", !path.utf8.contains(0) else {
            throw SourceFault(.unsupported, "\(text) names no file: expected an absolute path, or one as a URL or file:track item.")
        }
        return path
    }
}
