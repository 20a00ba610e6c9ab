public import BatonProtocol

extension HubConnection {
    /// The hub to connect to, and the first message to it.
    public struct Plan: Sendable {
        /// The address, with a pin if the hub must prove that it owns a certain key.
        public var endpoint: Endpoint
        /// The greeting, with the client's name, its rooms and sections. `t1` is set when it is sent.
        public var hello: Hello
        /// The state of an earlier connection, which is continued; requires `hello.resume`.
        public var lastMirror: Mirror?
        /// Number of queue rows to open from the start; `nil` leaves the queue closed.
        public var queueWanted: Int?
        /// Time limit of the connection attempt, and again of the greeting.
        public var greetingLimit: Duration = .seconds(5)
        /// The time in which a full state comes after it was asked for.
        package var syncLimit: Duration = .seconds(5)
        /// Proves this client's identity to a hub on another machine.
        public var credential: Credential?

        /// A plan without credential or queue. A state that is given must match `hello.resume`.
        public init(endpoint: Endpoint, hello: Hello, lastMirror: Mirror? = nil) {
            self.endpoint = endpoint
            self.hello = hello
            self.lastMirror = lastMirror
        }
    }
}
