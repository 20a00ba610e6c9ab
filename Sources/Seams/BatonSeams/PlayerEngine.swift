package import BatonCore

/// What can be played, after a connector has resolved an item: this and nothing else reaches the
/// player.
package struct Playable: Equatable, Sendable {
    /// Silences that are left out, and what the player cannot tell of an item that it does not play whole.
    package struct Trim: Equatable, Sendable {
        package var cuts: SilenceCuts
        package var durationMs: Int?
        package var chapters: [ChapterList.Mark]
        /// The time stamp of the first sample of each file.
        package var beginsUs: [Int]
        /// How much sound the only file holds: what it says of itself may be an estimate.
        package var lengthUs: Int?

        package init(_ cuts: SilenceCuts, durationMs: Int?, chapters: [ChapterList.Mark], beginsUs: [Int], lengthUs: Int? = nil) {
            self.cuts = cuts
            self.durationMs = durationMs
            self.chapters = chapters
            self.beginsUs = beginsUs
            self.lengthUs = lengthUs
        }
    }

    package enum Location: Equatable, Sendable {
        /// A file that was opened where it was allowed. It stays that file, whatever becomes of its name.
        case file(NamedFile)
        /// An http or https URL, which the player opens by itself.
        case url(String)
        /// Bytes that the hub reads for the player: a source's keys stay in the hub.
        case bytes(NamedBytes)
        /// Files that follow each other without a gap on one time line: the parts of a book. Positions count over the whole.
        case parts([Part])
    }

    /// One file of several, with the title of its chapter and its length as exactly as it is known.
    package struct Part: Equatable, Sendable {
        package var file: NamedFile
        package var title: String
        package var lengthUs: Int

        package init(_ file: NamedFile, title: String, lengthUs: Int) {
            self.file = file
            self.title = title
            self.lengthUs = lengthUs
        }
    }

    package var location: Location
    /// Headers the source wants to see. They never leave the hub.
    package var headers: [String: String]
    package var isLive: Bool
    /// How long its source says that it is, where its bytes do not tell.
    package var durationMs: Int?
    /// When the location stops being good, in microseconds of the hub's clock; `nil` when it stays good. It is resolved again
    /// before it is loaded after that.
    package var validUntilUs: Int64?
    /// Where in it the item begins and ends, when it is a part of something longer. The player's positions
    /// count from the part's beginning.
    package var startMs: Int?
    package var endMs: Int?
    /// What is left out of it.
    package var trim: Trim?

    package init(
        _ location: Location, headers: [String: String] = [:], isLive: Bool = false, validUntilUs: Int64? = nil, startMs: Int? = nil,
        endMs: Int? = nil
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
    package func goOn(with playable: Playable, as entry: EntryID) async -> Bool { false }
    package var measuredMs: Double? { nil }
}

/// The player of one room. Orders return at once; what came of them arrives as reports, in order,
/// on the loop.
@Loop
package protocol PlayerEngine: AnyObject {
    /// Replaces whatever plays or follows.
    func load(_ playable: Playable, as entry: EntryID, fromMs: Int, paused: Bool)
    /// Names what comes after the entry that plays now, without a gap; `nil` means nothing.
    func follow(with playable: Playable?, as entry: EntryID?)
    /// The bytes of the entry that plays are about to end too early: when the player has played all that it holds, it goes on from
    /// there with this. False when the entry is not the one that plays; else its bytes are ended by the caller, and not before the
    /// answer.
    func goOn(with playable: Playable, as entry: EntryID) async -> Bool
    func setPaused(_ paused: Bool)
    func seek(toMs: Int)
    func stop()
    /// Where the entry is that is heard now, as exactly as it was measured; `nil` while that is not known.
    var measuredMs: Double? { get }
    /// Linear amplitude, 0 to 1. The volume curve is the core's business.
    func setGain(_ gain: Double)
    func setSpeed(permille: Int)
    /// Filters of the sound of what plays, from now on.
    func setFilters(_ filters: SoundFilters)
    /// What follows is rendered so from its first sample on; what plays now goes on as it is.
    func setNext(_ rendering: Rendering)
    /// By the measures in what is played, never so loud that its loudest moment is cut off.
    func setLevelling(_ levelling: Levelling)
    /// The entry ends there, to the sample, and not at its own end, also when less of it is left than was decoded by now; `nil` takes
    /// that back. It holds also for an entry that is yet to be loaded.
    func stopAt(_ stop: PlayerStop?)
    /// The sound grows quieter until it is silence, whatever the gain. It is as the gain says again after `endFade` or `load`.
    func fade(overMs: Int)
    func endFade()
    /// Lets the player go. Nothing is reported after it returns.
    func close() async
}
