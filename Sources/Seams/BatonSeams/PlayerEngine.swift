package import BatonCore

/// A resolved item that can be played. Nothing else reaches the player.
package struct Playable: Equatable, Sendable {
    /// Silences that are cut out, and facts that the player cannot find in an item that it does not play as a whole.
    package struct Trim: Equatable, Sendable {
        /// The silences that are cut out.
        package var cuts: SilenceCuts
        /// The length of the whole item, silences included; `nil` where it is not known.
        package var durationMs: Milliseconds?
        /// The chapters, at positions of the whole item.
        package var chapters: [ChapterList.Mark]
        /// The time stamp of the first sample of each file.
        package var beginsUs: [Microseconds]
        /// The length of sound in a single file, whose own statement may be an estimate.
        package var lengthUs: Microseconds?

        package init(
            _ cuts: SilenceCuts, durationMs: Milliseconds?, chapters: [ChapterList.Mark], beginsUs: [Microseconds],
            lengthUs: Microseconds? = nil
        ) {
            self.cuts = cuts
            self.durationMs = durationMs
            self.chapters = chapters
            self.beginsUs = beginsUs
            self.lengthUs = lengthUs
        }
    }

    /// The origin of the bytes.
    package enum Location: Equatable, Sendable {
        /// A file that was opened where it is permitted. It stays that file, even when its name is changed or removed.
        case file(NamedFile)
        /// An http or https URL, which the player opens itself.
        case url(String)
        /// Bytes that the hub reads for the player, so that the source's keys stay in the hub.
        case bytes(NamedBytes)
        /// Files that follow each other gaplessly on one timeline: the parts of a book. Positions count from the beginning of the first.
        case parts([Part])
    }

    /// One of several files, with the title of its chapter and its length as exactly as it is known.
    package struct Part: Equatable, Sendable {
        package var file: NamedFile
        package var title: String
        /// The length; the sum of those before it is where this file begins.
        package var lengthUs: Microseconds

        package init(_ file: NamedFile, title: String, lengthUs: Microseconds) {
            self.file = file
            self.title = title
            self.lengthUs = lengthUs
        }
    }

    package var location: Location
    /// Headers that the source requires. They never leave the hub.
    package var headers: [String: String]
    /// True for a stream without an end, such as that of a station.
    package var isLive: Bool
    /// The length that its source states, for bytes that do not tell it.
    package var durationMs: Milliseconds?
    /// The time at which the location expires, in microseconds of the hub's clock; `nil` when it does not. For a later load the item is resolved
    /// again.
    package var validUntilUs: Microseconds?
    /// Start and end of the item in the file, when it is a part of one. The player's positions count from the start.
    package var startMs: Milliseconds?
    /// The end in the file; `nil` for an item that goes on to the end of the file.
    package var endMs: Milliseconds?
    /// The silences that are cut out of it.
    package var trim: Trim?

    package init(
        _ location: Location, headers: [String: String] = [:], isLive: Bool = false, validUntilUs: Microseconds? = nil,
        startMs: Milliseconds? = nil,
        endMs: Milliseconds? = nil
    ) {
        self.location = location
        self.headers = headers
        self.isLive = isLive
        self.validUntilUs = validUntilUs
        self.startMs = startMs
        self.endMs = endMs
    }
}

extension PlayerEngine {
    /// Default for players that cannot continue an entry with other bytes.
    package func goOn(with playable: Playable, as entry: EntryID) async -> Bool { false }
    /// Default for players that do not measure.
    package var measuredMs: Double? { nil }
}

/// The player of one room. Orders return at once; their results arrive as reports, in order, on the loop.
@Loop
package protocol PlayerEngine: AnyObject {
    /// Replaces the current entry and its follower.
    func load(_ playable: Playable, as entry: EntryID, fromMs: Milliseconds, paused: Bool)
    /// Names the entry to play gaplessly after the current one; `nil` for none.
    func follow(with playable: Playable?, as entry: EntryID?)
    /// Continues the current entry, whose bytes are about to end too early, with this item once the buffered sound has played. Returns false when it
    /// is not the current entry; otherwise the caller ends its bytes, after the answer.
    func goOn(with playable: Playable, as entry: EntryID) async -> Bool
    /// Pauses or resumes the current entry; `load` sets it anew.
    func setPaused(_ paused: Bool)
    /// Moves inside the current entry. Before the entry has begun, this sets where it begins.
    func seek(toMs: Milliseconds)
    /// Ends the sound and forgets the current entry and its follower.
    func stop()
    /// The measured position of the audible entry; `nil` while it is unknown.
    var measuredMs: Double? { get }
    /// Linear amplitude, 0 to 1. The core computes the volume curve.
    func setGain(_ gain: Double)
    /// Sets the speed of the current entry, in permille of normal speed.
    func setSpeed(permille: Int)
    /// Sets the filters for the current sound from now on.
    func setFilters(_ filters: SoundFilters)
    /// Sets speed and filters of the follower from its first sample on; the current entry goes on as it is.
    func setNext(_ rendering: Rendering)
    /// Levels by the loudness tags of each entry, limited so that its peaks do not clip.
    func setLevelling(_ levelling: Levelling)
    /// Ends the entry at this sample instead of its own end, even when the player has decoded beyond it; `nil` withdraws that. It also applies to an
    /// entry that is loaded later.
    func stopAt(_ stop: PlayerStop?)
    /// Fades to silence, whatever the gain is. `endFade` or `load` restores the gain.
    func fade(overMs: Milliseconds)
    /// Restores at once the loudness that the gain says.
    func endFade()
    /// Releases the player. Nothing is reported after it returns.
    func close() async
}
