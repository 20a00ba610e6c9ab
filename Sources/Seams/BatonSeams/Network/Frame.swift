/// One outgoing message, encoded once and written to any number of sockets from the same bytes.
///
/// A frame has room before its payload. WebServer writes the WebSocket header there once, at the first write, so that sends to thousands of watchers
/// differ only in their descriptor.
@Loop
package final class Frame {
    /// Bytes reserved before the payload. EventLoop checks at start that its library needs no more.
    package nonisolated static let headroom = 32

    /// Headroom and payload. Only WebServer changes it after the frame was made.
    package var storage: [UInt8]
    /// Number of used headroom bytes; 0 until the first write. Only WebServer sets it.
    package var headerCount = 0
    /// True for a binary message, which is not UTF-8.
    package let isBinary: Bool

    /// `storage` begins with `headroom` unused bytes.
    package init(storage: consuming [UInt8], isBinary: Bool = false) {
        precondition(storage.count >= Self.headroom)
        self.storage = storage
        self.isBinary = isBinary
    }

    /// A frame with a copy of these bytes.
    package convenience init(payload: some Collection<UInt8>, isBinary: Bool = false) {
        var storage = [UInt8](repeating: 0, count: Self.headroom)
        storage.append(contentsOf: payload)
        self.init(storage: storage, isBinary: isBinary)
    }

    /// Size of the message without the headroom.
    package var payloadCount: Int { storage.count - Self.headroom }
    /// The message without the headroom.
    package var payload: ArraySlice<UInt8> { storage[Self.headroom...] }
}
