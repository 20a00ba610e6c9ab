/// What was received of a station, between the one connection to it and all who hear it: one part appends, any number read.
///
/// A place is a number of bytes from the beginning of the ring, and counts on for as long as the ring lives.
package import BatonCore

package protocol StreamRing: AnyObject, Sendable {
    /// Appends what came.
    func append(_ piece: StreamPiece)

    /// Returns once there is room for more; `false` when no reader is left: then the ring is closed, and this connection with it.
    func untilWanted() async -> Bool

    /// Nothing comes any more. Readers get what there is, and then this fault, or the end.
    func end(_ fault: SourceFault?)

    /// A reader that begins with what came last; `nil` once the ring is closed.
    func join() -> (any TitledBytes)?

    /// Writes what comes to disk until the ring is at its end or this task is cancelled; at once when it is in memory only.
    func keep() async

    /// What was received before; `nil` for a ring in memory only.
    var past: (any StreamPast)? { get }
}

extension StreamRing {
    package func keep() async {}
    package var past: (any StreamPast)? { nil }
}

/// Some sound of a station, and what is said of it.
package struct StreamPiece: Equatable, Sendable {
    package struct Title: Equatable, Sendable {
        /// The sound from here on, counted from the beginning of the piece, has this title.
        package var at: Int
        package var text: String

        package init(at: Int, _ text: String) {
            self.at = at
            self.text = text
        }
    }

    /// A place at which a decoder may begin, when it has read `head` before.
    package struct Entry: Equatable, Sendable {
        package var at: Int
        package var head: [UInt8]

        package init(at: Int, head: [UInt8]) {
            self.at = at
            self.head = head
        }
    }

    package var sound: [UInt8]
    package var titles: [Title]
    /// Where none are named, a decoder may begin anywhere.
    package var entries: [Entry]

    package init(_ sound: [UInt8], titles: [Title] = [], entries: [Entry] = []) {
        self.sound = sound
        self.titles = titles
        self.entries = entries
    }
}

/// Bytes of a stream that says what it plays while it plays.
package protocol TitledBytes: ByteSource {
    /// The title of the sound from this position on; `nil` before the first. A read ends where a title begins.
    func title(at position: Int64) -> String?

    /// The same station from a point of its past on, or from the first that is left after it. `nil` where nothing of the past is kept.
    func begin(at point: PastPoint) async -> (any TitledBytes)?

    /// Whether its past is kept, so that nothing is lost where it is read late.
    var keepsPast: Bool { get }

    /// How old the sound at this position is, and how far back one can begin; `nil` where nothing of the past is kept.
    func age(at position: Int64) -> SoundAge?
}

/// How long ago some sound of a station was received.
package struct SoundAge: Equatable, Sendable {
    package var ms: Int
    /// That of the oldest sound that is kept.
    package var oldestMs: Int

    package init(ms: Int, oldestMs: Int) {
        self.ms = ms
        self.oldestMs = oldestMs
    }
}

extension TitledBytes {
    package var keepsPast: Bool { false }
    package func begin(at point: PastPoint) async -> (any TitledBytes)? { nil }
    package func age(at position: Int64) -> SoundAge? { nil }
}
