/// What a service asks for. It describes itself without its text, so that no log and no message of a test shows it.
public struct WorkerToken: Equatable, Sendable {
    public var text: String

    public init(_ text: String) { self.text = text }
}

extension WorkerToken: CustomStringConvertible, CustomReflectable {
    public var description: String { "a token" }
    public var customMirror: Swift.Mirror { Swift.Mirror(self, children: []) }
}
