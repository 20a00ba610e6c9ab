public import BatonCore

/// The answer to `gen.parse`.
public struct ParsedPrompt: Equatable, Sendable {
    /// The prompt with its settings and its parts taken from the text; nothing is generated from it.
    public var line: PromptLine

    package init(_ line: PromptLine) { self.line = line }
}

extension JobState {
    /// Whether the job makes no further progress; a failed or cancelled one continues only after `job.retry`.
    public var isOver: Bool { self == .ready || self == .failed || self == .cancelled }
}
