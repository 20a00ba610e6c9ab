public import BatonProtocol

extension HubConnection {
    /// The hub to connect to, and the first message to it.
    public struct Plan: Sendable {
        public var endpoint: Endpoint
        public var hello: Hello
        /// The state of an earlier connection, which is continued; requires `hello.resume`.
        public var kept: Mirror?
        /// Number of queue rows to open from the start; `nil` leaves the queue closed.
        public var queueWanted: Int?
        public var greetingLimit: Duration = .seconds(5)
        /// Proves this client's identity to a hub on another machine.
        public var credential: Credential?

        public init(endpoint: Endpoint, hello: Hello, kept: Mirror? = nil) {
            self.endpoint = endpoint
            self.hello = hello
            self.kept = kept
        }
    }
}
