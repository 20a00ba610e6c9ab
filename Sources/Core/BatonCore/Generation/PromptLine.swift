/// What a person typed to have music made: a prompt, commands that begin with `/`, or both.
///
/// There is one reader for the command line, the page and the protocol. What it does not understand is a fault with its place, and
/// never a guess: a number out of range is refused and not moved into the range.
public struct PromptLine: Equatable, Sendable {
    /// What the line asks for.
    public enum Action: String, Sendable, CaseIterable {
        /// Music from a prompt.
        case make
        /// Other settings for the prompts that follow.
        case settings
        /// The settings as they were at first.
        case reset
        case show, help
        /// A session of clips; `prompt` is what follows the command.
        case session
        /// Another name for a scene of the session.
        case scene
    }

    /// What is to be made.
    public enum Mode: String, Sendable, CaseIterable {
        case track, motif, clip
    }

    /// The layers of a session.
    public enum Layer: String, Sendable, CaseIterable {
        case rhythm, bass, harmony, lead, textures, vocals
    }

    public var action = Action.make
    public var mode = Mode.track
    public var prompt = ""
    public var settings = PromptSettings()
    public var layer: Layer?
    /// The number of a scene, from 1.
    public var scene: Int?
    /// In the order of the text. A line with faults is not carried out.
    public var faults: [PromptFault] = []

    public init() {}

    public var isFaultless: Bool { faults.isEmpty }
}

/// How music is made, as far as a person has said so. What is `nil` stays as it is.
public struct PromptSettings: Equatable, Sendable {
    public var durationS: Int?
    public var model: String?
    /// A decimal number from 0 to 20, or `off`.
    public var cfg: String?
    /// A whole number, or `off`. It is text because readers with doubles round large numbers.
    public var seed: String?

    public static let off = "off"
    /// What `/motif` makes.
    public static let motifS = 16

    public init(durationS: Int? = nil, model: String? = nil, cfg: String? = nil, seed: String? = nil) {
        self.durationS = durationS
        self.model = model
        self.cfg = cfg
        self.seed = seed
    }

    /// These settings, and those of `others` where these say nothing.
    public func filled(from others: PromptSettings) -> PromptSettings {
        PromptSettings(
            durationS: durationS ?? others.durationS, model: model ?? others.model, cfg: cfg ?? others.cfg, seed: seed ?? others.seed)
    }
}

/// A part of a line that is not understood. Places count Unicode code points from 0.
public struct PromptFault: Equatable, Sendable {
    public var from: Int
    /// The first place behind it.
    public var to: Int
    public var sentence: String

    public init(from: Int, to: Int, _ sentence: String) {
        self.from = from
        self.to = to
        self.sentence = sentence
    }
}

/// What a worker takes.
public struct PromptBounds: Equatable, Sendable {
    public var durationS: ClosedRange<Int>

    /// Longest prompt, in code points.
    public static let promptLength = 512
    /// A line has room for a prompt and its commands.
    public static let lineBytes = 4096
    /// The built-in composer, and programs.
    public static let own = PromptBounds(durationS: 10...180)
    /// Workers over HTTP, which plan pieces of this length.
    public static let remote = PromptBounds(durationS: 90...180)

    public init(durationS: ClosedRange<Int>) { self.durationS = durationS }
}
