/// What the hub keeps of one person's prompts.
public struct PersonPrompts: Equatable, Sendable {
    /// What holds for a line that says nothing else.
    public var settings: PromptSettings
    /// The lines of earlier prompts, the newest first, each once.
    public var history: [UsedPrompt]
    /// Those of the hub, then the person's own by name.
    public var presets: [PromptPreset]

    public static let mostHistory = 100
    public static let mostPresets = 50

    public init(settings: PromptSettings = PromptSettings(), presets: [PromptPreset] = PromptPreset.shipped, history: [UsedPrompt] = []) {
        self.settings = settings
        self.history = history
        self.presets = presets
    }
}

/// A line that asked for music.
public struct UsedPrompt: Equatable, Sendable {
    public var text: String
    /// Wall clock.
    public var atMs: Int64

    public init(_ text: String, atMs: Int64) {
        self.text = text
        self.atMs = atMs
    }
}

/// A line with a name.
public struct PromptPreset: Equatable, Sendable {
    public var name: String
    public var text: String
    /// The person has saved it, and may remove it.
    public var isOwn: Bool

    public init(_ name: String, _ text: String, isOwn: Bool = true) {
        self.name = name
        self.text = text
        self.isOwn = isOwn
    }

    /// Of words that the built-in composer understands, so that they sound different from each other.
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
    public var isEmpty: Bool { self == PromptSettings() }
}
