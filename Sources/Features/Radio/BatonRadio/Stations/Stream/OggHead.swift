/// Collects the header pages of an Ogg stream, which a decoder needs before it can begin at a later page. A station
/// sends a chain of such streams, one for each title, each with its own headers. A value that takes page after page.
import BatonCore

struct OggHead {
    private var pages: [UInt8] = []
    private(set) var isOpen = true

    static let mostBytes = 256 * 1024

    /// The header pages, if this page is one of sound.
    mutating func take(_ page: OggPage, _ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        if page.isBeginning, !isOpen {
            isOpen = true
            pages = []
        }
        guard isOpen, page.isBeginning || !page.hasTime else {
            isOpen = false
            return pages
        }
        if pages.count + bytes.count <= Self.mostBytes { pages += bytes }
        return nil
    }
}
