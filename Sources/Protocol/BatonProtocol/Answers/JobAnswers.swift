public import BatonCore

/// The answer to `gen.parse`.
public struct ParsedPrompt: Equatable, Sendable {
    public var line: PromptLine

    package init(_ line: PromptLine) { self.line = line }
}

extension JobState {
    public var isOver: Bool { self == .ready || self == .failed || self == .cancelled }
}
