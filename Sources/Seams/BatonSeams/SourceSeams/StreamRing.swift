/// The buffer between the one connection to a station and all its listeners: one writer appends, any number of readers read.
///
/// A place is a byte offset from the beginning of the ring, and grows as long as the ring exists.
package import BatonCore

package protocol StreamRing: AnyObject, Sendable {
    /// Appends received sound.
    func append(_ piece: StreamPiece)

    /// Waits until there is room for more. Returns `false` when no reader is left: the ring is closed, and the connection should be too.
    func untilWanted() async -> Bool

    /// Ends the ring. Readers get the remaining bytes, followed by this fault or the end.
    func end(_ fault: SourceFault?)

    /// A reader that begins with the latest sound; `nil` once the ring is closed.
    func join() -> (any TitledBytes)?

    /// Writes received sound to disk until the ring ends or this task is cancelled; returns at once for a ring in memory only.
    func record() async

    /// The recorded past; `nil` for a ring in memory only.
    var past: (any StationPast)? { get }
}

extension StreamRing {
    /// Default for a ring in memory only.
    package func record() async {}
    /// Default for a ring in memory only.
    package var past: (any StationPast)? { nil }
}

/// Some sound of a station, with its titles.
package struct StreamPiece: Equatable, Sendable {
    /// A title that began while the piece was received.
    package struct Title: Equatable, Sendable {
        /// The beginning of the title's sound, as an offset in this piece.
        package var at: Int
        /// The title as the station sent it.
        package var text: String

        package init(at: Int, _ text: String) {
            self.at = at
            self.text = text
        }
    }

    /// An offset at which a decoder can begin, after it has read `head`.
    package struct Entry: Equatable, Sendable {
        /// The offset in this piece.
        package var at: Int
        /// The header that the decoder reads before; empty for formats without one.
        package var head: [UInt8]

        package init(at: Int, head: [UInt8]) {
            self.at = at
            self.head = head
        }
    }

    /// The bytes, without the titles that came between them.
    package var sound: [UInt8]
    package var titles: [Title]
    /// Offsets for decoders. Without any, a decoder can begin anywhere.
    package var entries: [Entry]

    package init(_ sound: [UInt8], titles: [Title] = [], entries: [Entry] = []) {
        self.sound = sound
        self.titles = titles
        self.entries = entries
    }
}

/// Bytes of a stream that names the current song.
package protocol TitledBytes: ByteSource {
    /// The title of the sound at this position; `nil` before the first. A read ends where a title begins.
    func title(at position: Int64) -> String?

    /// The same station from a point of its past, or from the oldest sound after that point. `nil` where no past is recorded.
    func begin(at point: RewindPoint) async -> (any TitledBytes)?

    /// True when its past is recorded, so that late reading loses nothing.
    var keepsPast: Bool { get }

    /// The age of the sound at this position and of the oldest sound; `nil` where no past is recorded.
    func age(at position: Int64) -> SoundAge?
}

/// The time since some sound of a station was received.
package struct SoundAge: Equatable, Sendable {
    /// The age of the sound at the position that was asked about.
    package var ms: Milliseconds
    /// The age of the oldest recorded sound.
    package var oldestMs: Milliseconds

    package init(ms: Milliseconds, oldestMs: Milliseconds) {
        self.ms = ms
        self.oldestMs = oldestMs
    }
}

extension TitledBytes {
    /// Default for a stream of which nothing is recorded.
    package var keepsPast: Bool { false }
    /// Default for a stream of which nothing is recorded.
    package func begin(at point: RewindPoint) async -> (any TitledBytes)? { nil }
    /// Default for a stream of which nothing is recorded.
    package func age(at position: Int64) -> SoundAge? { nil }
}
