/// The stored prompts and settings of one person.
public struct PersonPrompts: Equatable, Sendable {
    /// Defaults for lines without settings of their own.
    public var settings: PromptSettings
    /// Earlier prompt lines, the newest first, each once.
    public var history: [UsedPrompt]
    /// The presets of the hub, followed by the person's own in order of name.
    public var presets: [PromptPreset]

    /// Number of lines that are stored for each person; the oldest are dropped.
    public static let mostHistory = 100
    /// Number of own presets that each person may have; another one is refused.
    public static let mostPresets = 50

    /// The prompts of a person who has none yet: the hub's presets alone.
    public init(settings: PromptSettings = PromptSettings(), presets: [PromptPreset] = PromptPreset.shipped, history: [UsedPrompt] = []) {
        self.settings = settings
        self.history = history
        self.presets = presets
    }
}

/// A line that requested music.
public struct UsedPrompt: Equatable, Sendable {
    /// The line as the person typed it, with its commands.
    public var text: String
    /// Wall clock time.
    public var atMs: Milliseconds

    public init(_ text: String, atMs: Milliseconds) {
        self.text = text
        self.atMs = atMs
    }
}

/// A prompt line with a name.
public struct PromptPreset: Equatable, Sendable {
    /// The name, by which a person's preset replaces an earlier one of the same name.
    public var name: String
    /// The line, with its commands, as a person would type it.
    public var text: String
    /// True when the person has saved it and may remove it.
    public var isOwn: Bool

    public init(_ name: String, _ text: String, isOwn: Bool = true) {
        self.name = name
        self.text = text
        self.isOwn = isOwn
    }

    /// Presets with words that the built-in composer understands, so that they sound different from each other.
    public static let shipped = [
        PromptPreset("Slow rain", "slow piano for rain, quiet strings /duration 120", isOwn: false),
        PromptPreset("Deep focus", "calm lofi focus, electric piano, no choir /duration 180", isOwn: false),
        PromptPreset("Morning guitar", "bright morning folk, guitar and flute /duration 90", isOwn: false),
        PromptPreset("Dinner jazz", "relaxed jazz waltz, piano and bass /duration 150", isOwn: false),
        PromptPreset("Night drive", "dark synthwave, driving drums /duration 120", isOwn: false),
        PromptPreset("Lullaby", "sleepy lullaby, harp and celesta /duration 90", isOwn: false),
    ]
}

extension PromptSettings {
    /// True when every setting is left to its default.
    public var isEmpty: Bool { self == PromptSettings() }
}
