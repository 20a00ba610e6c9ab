/// The head of an Ogg stream: the pages that a decoder needs before it may begin at a later one. A station's stream is a chain of such
/// streams, one for each piece, each with a head of its own. A value, to which pages are given one after the other.
import BatonCore

struct OggHead {
    private var pages: [UInt8] = []
    private(set) var isOpen = true

    static let mostBytes = 256 * 1024

    /// The head, when this page stands behind it.
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
