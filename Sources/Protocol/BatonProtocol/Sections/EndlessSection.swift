public import BatonCore

/// `endless`: how the music of a room goes on without end. Absent while it does not.
public struct EndlessSection: SectionContent {
    package static let section = Section.endless

    /// False when it ended by itself; `sentence` says why.
    public var isOn: Bool
    public var prompt: String
    public var ahead: Int
    public var follow: EndlessFollow
    /// `nil` is the built-in composer.
    public var worker: String?
    /// Who turned it on.
    public var author: String?
    /// Wall clock.
    public var startedMs: Int64
    /// How many pieces were asked for so far.
    public var made: Int
    /// What people wished of the next piece.
    public var steering: [Steer]
    /// Why it ended, or gets no next piece.
    public var sentence: String?

    package init(
        isOn: Bool, prompt: String, ahead: Int, follow: EndlessFollow, worker: String? = nil, author: String? = nil, startedMs: Int64,
        made: Int = 0, steering: [Steer] = [], sentence: String? = nil
    ) {
        self.isOn = isOn
        self.prompt = prompt
        self.ahead = ahead
        self.follow = follow
        self.worker = worker
        self.author = author
        self.startedMs = startedMs
        self.made = made
        self.steering = steering
        self.sentence = sentence
    }
}
