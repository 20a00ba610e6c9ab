/// A line that a person typed to request music: a prompt, commands that begin with `/`, or both.
///
/// One reader serves the command line, the page and the protocol. Text that it does not understand becomes a fault with its position, never a guess:
/// a number out of range is refused and not moved into the range.
public struct PromptLine: Equatable, Sendable {
    /// The action that the line requests.
    public enum Action: String, Sendable, CaseIterable {
        /// Generate music from a prompt.
        case make
        /// Change the settings for later prompts.
        case settings
        /// Restore the first settings.
        case reset
        /// Show the settings in force, or the commands that there are.
        case show, help
        /// Begin a session of clips; `prompt` is the text after the command.
        case session
        /// Rename a scene of the session.
        case scene
    }

    /// The kind of music to generate.
    public enum Mode: String, Sendable, CaseIterable {
        /// A whole piece, a short motif to continue from, or a loop for a session.
        case track, motif, clip
    }

    /// The layers of a session.
    public enum Layer: String, Sendable, CaseIterable {
        case rhythm, bass, harmony, lead, textures, vocals
    }

    /// The action; a line of settings alone changes them.
    public var action: Action
    /// The kind of music; it matters for `make` alone.
    public var mode: Mode
    /// The words that belong to no command, joined by single spaces.
    public var prompt: String
    /// The settings that the line names; without a prompt they apply from now on.
    public var settings: PromptSettings
    /// The layer of a clip; `nil` where the line names none.
    public var layer: Layer?
    /// The number of a scene, from 1.
    public var scene: Int?
    /// Faults in the order of the text. A line with faults is not carried out.
    public var faults: [PromptFault]

    /// A line with these parts; without any it is a line without words, as a reader begins with.
    public init(
        action: Action = .make, mode: Mode = .track, prompt: String = "", settings: PromptSettings = PromptSettings(), layer: Layer? = nil,
        scene: Int? = nil, faults: [PromptFault] = []
    ) {
        self.action = action
        self.mode = mode
        self.prompt = prompt
        self.settings = settings
        self.layer = layer
        self.scene = scene
        self.faults = faults
    }

    /// True when the line may be carried out.
    public var isFaultless: Bool { faults.isEmpty }
}

/// A person's settings for generation; `nil` leaves one as it is.
public struct PromptSettings: Equatable, Sendable {
    /// Length in seconds, within the worker's `PromptBounds`.
    public var durationS: Int?
    /// The id of a model, whose existence only the worker can check.
    public var model: String?
    /// A decimal number from 0 to 20, or `off`.
    public var cfg: String?
    /// A whole number, or `off`. It is text because readers with doubles round large numbers.
    public var seed: String?

    /// The value of `cfg` or `seed` that takes a stored setting back.
    public static let off = "off"
    /// Length of a motif that `/motif` requests.
    public static let motifS = 16

    public init(durationS: Int? = nil, model: String? = nil, cfg: String? = nil, seed: String? = nil) {
        self.durationS = durationS
        self.model = model
        self.cfg = cfg
        self.seed = seed
    }

    /// These settings, completed from `others`.
    public func filled(from others: PromptSettings) -> PromptSettings {
        PromptSettings(
            durationS: durationS ?? others.durationS, model: model ?? others.model, cfg: cfg ?? others.cfg, seed: seed ?? others.seed)
    }
}

/// A part of a line that is not understood. Positions count Unicode code points from 0.
public struct PromptFault: Equatable, Sendable {
    /// The position of its first code point.
    public var from: Int
    /// The first position after it.
    public var to: Int
    /// The sentence that is shown beside the part.
    public var sentence: String

    public init(from: Int, to: Int, _ sentence: String) {
        self.from = from
        self.to = to
        self.sentence = sentence
    }
}

/// The limits of a worker.
public struct PromptBounds: Equatable, Sendable {
    /// Lengths of a piece in seconds that the worker makes.
    public var durationS: ClosedRange<Int>

    /// Maximum length of a prompt in code points.
    public static let promptLength = 512
    /// Limits of the built-in composer, and of programs.
    public static let own = PromptBounds(durationS: 10...180)
    /// Limits of workers over HTTP, which plan pieces of this length.
    public static let remote = PromptBounds(durationS: 90...180)

    public init(durationS: ClosedRange<Int>) { self.durationS = durationS }
}
