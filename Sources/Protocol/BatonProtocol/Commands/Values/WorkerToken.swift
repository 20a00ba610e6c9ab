/// The token for a service. Its description omits the text, so neither a log nor a test message shows it.
public struct WorkerToken: Equatable, Sendable {
    /// The secret itself, as the service expects it; log the value as a whole instead.
    public var text: String

    public init(_ text: String) { self.text = text }
}

extension WorkerToken: CustomStringConvertible, CustomReflectable {
    /// A fixed text, so that the secret cannot reach a log by interpolation.
    public var description: String { "a token" }
    /// A mirror without children, so that a dump does not show the secret.
    public var customMirror: Swift.Mirror { Swift.Mirror(self, children: []) }
}
