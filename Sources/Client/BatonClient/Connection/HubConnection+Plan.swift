public import BatonProtocol

extension HubConnection {
    /// The hub to connect to, and the first message to it.
    public struct Plan: Sendable {
        public var endpoint: Endpoint
        public var hello: Hello
        /// What an earlier connection left, to go on from; counts only beside `hello.resume`.
        public var kept: Mirror?
        /// How far down the queue is open from the start; `nil` leaves it closed.
        public var queueWanted: Int?
        public var greetingLimit: Duration = .seconds(5)
        /// Shows a hub elsewhere who this is.
        public var credential: Credential?

        public init(endpoint: Endpoint, hello: Hello, kept: Mirror? = nil) {
            self.endpoint = endpoint
            self.hello = hello
            self.kept = kept
        }
    }
}
