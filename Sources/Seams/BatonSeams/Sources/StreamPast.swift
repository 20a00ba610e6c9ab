/// What a station's ring still holds of the past, for those who go back in it and for those who record from it.
///
/// A place counts bytes and only grows, also over restarts of the hub. Between two connections places are left out, so sound with a gap
/// in it never looks whole.
package protocol StreamPast: AnyObject, Sendable {
    /// The first place that can be read, and the place behind the last. Equal while there is nothing.
    var places: Range<Int64> { get }

    /// Whether more of the station is coming.
    var isReceiving: Bool { get }

    /// The titles in order. The first may have begun before the first place.
    func titles() -> [StreamTitle]

    /// Where sound is missing, in order.
    func gaps() -> [StreamGap]

    /// When the sound at this place was received, in milliseconds since 1970; `nil` outside of the ring.
    func timeMs(at place: Int64) -> Int64?

    /// The first place that was received at that time or later, as a place where a decoder may begin, with the head it has to read before.
    func entry(atMs timeMs: Int64) -> (at: Int64, head: [UInt8])

    /// Up to so many bytes from there on, and where they begin, which is later where places were left out. It may wait for a disk.
    /// No bytes are the end of what was received.
    func bytes(at place: Int64, count: Int) throws(SourceFault) -> (at: Int64, bytes: [UInt8])
}

/// A title, and the sound from which on it is heard.
package struct StreamTitle: Equatable, Sendable {
    package var at: Int64
    /// Milliseconds since 1970.
    package var timeMs: Int64
    package var text: String

    package init(at: Int64, timeMs: Int64, _ text: String) {
        self.at = at
        self.timeMs = timeMs
        self.text = text
    }
}

/// A stretch of time without sound: the station, the network or the hub was away.
package struct StreamGap: Equatable, Sendable {
    /// The first place behind it.
    package var at: Int64
    package var timesMs: Range<Int64>

    package init(at: Int64, timesMs: Range<Int64>) {
        self.at = at
        self.timesMs = timesMs
    }
}
