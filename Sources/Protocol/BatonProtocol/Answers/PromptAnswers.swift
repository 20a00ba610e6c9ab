public import BatonCore

/// The answer to `gen.prompts`.
public struct PromptShelf: Equatable, Sendable {
    public var prompts: PersonPrompts

    package init(_ prompts: PersonPrompts) { self.prompts = prompts }
}
