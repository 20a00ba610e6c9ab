/// One outgoing message, encoded once and written to any number of sockets from the same bytes.
///
/// The socket library writes its own header in front of the payload, so a frame starts with room
/// for it. That room is overwritten at each write; one thread writes, so sharing is safe.
@Loop
package final class Frame {
    /// Room in front of the payload. Sockets checks at start that its library needs no more.
    package nonisolated static let headroom = 32

    /// Headroom and payload. Only Sockets touches it after the frame was made.
    package var storage: [UInt8]
    package let isBinary: Bool

    /// `storage` begins with `headroom` bytes of no meaning.
    package init(storage: consuming [UInt8], isBinary: Bool = false) {
        precondition(storage.count >= Self.headroom)
        self.storage = storage
        self.isBinary = isBinary
    }

    package convenience init(payload: some Collection<UInt8>, isBinary: Bool = false) {
        var storage = [UInt8](repeating: 0, count: Self.headroom)
        storage.append(contentsOf: payload)
        self.init(storage: storage, isBinary: isBinary)
    }

    package var payloadCount: Int { storage.count - Self.headroom }
    package var payload: ArraySlice<UInt8> { storage[Self.headroom...] }
}
