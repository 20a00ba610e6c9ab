package import BatonCore

/// The recorded past of a station in its ring, for rewinding and for recording.
///
/// A position is a byte offset that only grows, also across restarts of the hub. Positions are skipped between two connections, so that sound
/// with a gap never looks complete.
package protocol StationPast: AnyObject, Sendable {
    /// The first readable position, and the end after the last. Equal while nothing is recorded.
    var positions: Range<Int64> { get }

    /// True while more of the station is coming.
    var isReceiving: Bool { get }

    /// The titles in order. The first may have begun before the first position.
    func titles() -> [StreamTitle]

    /// Gaps in the sound, in order.
    func gaps() -> [StreamGap]

    /// The time at which the sound at this position was received, in milliseconds since 1970; `nil` outside of the ring.
    func timeMs(at position: Int64) -> Milliseconds?

    /// The first position received at that time or later at which a decoder can begin, with the header that it must read before.
    func entry(atMs timeMs: Milliseconds) -> (at: Int64, head: [UInt8])

    /// Up to `count` bytes from a position, and their actual beginning, which is later where positions were skipped. It may wait for a disk. No bytes
    /// mean the end of what was received.
    func bytes(at position: Int64, count: Int) throws(SourceFault) -> (at: Int64, bytes: [UInt8])
}

/// A title, and the position from which on it is heard.
package struct StreamTitle: Equatable, Sendable {
    /// The position of the first sound under this title.
    package var at: Int64
    /// Milliseconds since 1970.
    package var timeMs: Milliseconds
    /// The title as the station sent it.
    package var text: String

    package init(at: Int64, timeMs: Milliseconds, _ text: String) {
        self.at = at
        self.timeMs = timeMs
        self.text = text
    }
}

/// A period without sound, because the station, the network or the hub was down.
package struct StreamGap: Equatable, Sendable {
    /// The first position after it.
    package var at: Int64
    /// The time without sound, in milliseconds since 1970.
    package var timesMs: Range<Milliseconds>

    package init(at: Int64, timesMs: Range<Milliseconds>) {
        self.at = at
        self.timesMs = timesMs
    }
}
