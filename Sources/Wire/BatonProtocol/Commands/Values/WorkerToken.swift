/// The token for a service. Its description omits the text, so neither a log nor a test message shows it.
public struct WorkerToken: Equatable, Sendable {
    /// The secret itself, as the service expects it; log the value as a whole instead.
    public var text: String

    public init(_ text: String) { self.text = text }
}

extension WorkerToken: CustomStringConvertible, CustomReflectable {
    public var description: String { "a token" }
    public var customMirror: Swift.Mirror { Swift.Mirror(self, children: []) }
}
