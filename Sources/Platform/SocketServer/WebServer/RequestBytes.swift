/// Bytes that a connection has received and not used: an incomplete head, a part of a body, or the requests behind the current one.
///
/// A value, which a connection changes in place.
struct RequestBytes {
    private(set) var unread: [UInt8] = []
    /// Number of bytes that were searched without finding the end of a head.
    private var searched = 0
    /// Number of bytes of a refused request that are still to come.
    private var toDiscard = 0
    private var isInUse = false

    var isEmpty: Bool { unread.isEmpty }

    // MARK: Use

    /// Begins to use bytes; false if that is under way, because an answer that was ready at once calls for the next request.
    mutating func beginUse() -> Bool {
        defer { isInUse = true }
        return !isInUse
    }

    mutating func endUse() { isInUse = false }

    mutating func append(_ bytes: UnsafeRawBufferPointer) { unsafe unread.append(contentsOf: bytes) }

    /// The number of bytes of the first head; `nil` if it is not whole.
    mutating func headLength() throws(RequestHead.Fault) -> Int? {
        guard let end = try RequestHead.end(of: unread, searched: searched) else {
            searched = unread.count
            return nil
        }
        searched = 0
        return end
    }

    mutating func drop(_ count: Int) { unread.removeFirst(count) }

    /// Moves at most `most` bytes to the end of a body.
    mutating func move(atMost most: Int, to body: inout [UInt8]) {
        let count = min(most, unread.count)
        body.append(contentsOf: unread.prefix(count))
        unread.removeFirst(count)
    }

    mutating func takeAll() -> [UInt8] {
        defer { unread = [] }
        return unread
    }

    mutating func dropAll() { unread = [] }

    /// Puts back what is left of all bytes.
    mutating func putBack(_ rest: ArraySlice<UInt8>) { unread = Array(rest) }

    // MARK: Refused requests

    /// Notes how many bytes of a refused request are to be read and dropped.
    mutating func beginDiscarding(_ count: Int) { toDiscard = count }

    /// Drops the bytes that have come; returns their number.
    mutating func discard() -> Int {
        let count = unread.count
        toDiscard -= min(toDiscard, count)
        unread = []
        return count
    }

    /// True when the whole refused request has come.
    var isDiscarded: Bool { toDiscard == 0 }
}
