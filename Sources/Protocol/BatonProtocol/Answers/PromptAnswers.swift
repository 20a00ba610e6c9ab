public import BatonCore

/// The answer to `gen.prompts`.
public struct PromptShelf: Equatable, Sendable {
    public var prompts: PersonPrompts

    package init(_ prompts: PersonPrompts) { self.prompts = prompts }
}

extension PromptShelf: CommandAnswer {
    public static let form: ReplyData.Form? = .prompts

    public init?(_ data: ReplyData?) {
        guard case .prompts(let value)? = data else { return nil }
        self = value
    }
}
