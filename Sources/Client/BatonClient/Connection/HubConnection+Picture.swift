public import BatonProtocol

/// Pictures over the connection itself, so that a client needs no other address and no other proof of who it is.
extension HubConnection {
    /// The file of a picture in a size; without a height it keeps its shape. The greeting must have named `art` among its `caps`.
    public func picture(
        _ id: String, width: Int, height: Int? = nil, format: ArtFormat = .png
    ) async throws -> [UInt8] {
        let transfer = try await ask(Commands.Picture(id, width: width, height: height, format: format))
        return try await exchange { arriving.give(transfer.number, to: $0) }
    }

    func take(pictureFrame bytes: [UInt8]) { arriving.take(bytes) }
}

extension SteadyHub {
    /// The file of a picture in a size, from the connection of this moment or the next one.
    public func picture(
        _ id: String, width: Int, height: Int? = nil, format: ArtFormat = .png
    ) async throws -> [UInt8] {
        try await onceAnswered { try await $0.picture(id, width: width, height: height, format: format) }
    }
}

/// What has come of pictures over the artwork channel. A reply and the frames of its picture come by two ways, so either may be first.
struct ArrivingPictures {
    private var parts: [Int: [UInt8]] = [:]
    private var whole: [Int: Result<[UInt8], ConnectFault>] = [:]
    private var waiting: [Int: CheckedContinuation<[UInt8], any Error>] = [:]
    /// Pictures that are not taken are dropped, the oldest first.
    private static let most = 8
    private static let broken = ConnectFault(.strange, "The hub gave the picture up.")

    mutating func take(_ bytes: [UInt8]) {
        guard let frame = ArtFrame(bytes) else { return }
        if frame.isCancelled { return settle(frame.transfer, .failure(Self.broken)) }
        if let head = frame.head {
            parts[frame.transfer] = []
            parts[frame.transfer]?.reserveCapacity(min(head.total, 1 << 20))
        }
        parts[frame.transfer]?.append(contentsOf: frame.data)
        if frame.isLast { settle(frame.transfer, parts[frame.transfer].map { .success($0) } ?? .failure(Self.broken)) }
    }

    private mutating func settle(_ number: Int, _ result: Result<[UInt8], ConnectFault>) {
        parts[number] = nil
        if let waiter = waiting.removeValue(forKey: number) { return waiter.resume(with: result) }
        if whole.count >= Self.most, let oldest = whole.keys.min() { whole[oldest] = nil }
        whole[number] = result
    }

    /// At once when the picture has come already, and otherwise with its last frame.
    mutating func give(_ number: Int, to waiter: CheckedContinuation<[UInt8], any Error>) {
        if let result = whole.removeValue(forKey: number) { waiter.resume(with: result) } else { waiting[number] = waiter }
    }

    mutating func end(with fault: ConnectFault) {
        for waiter in waiting.values { waiter.resume(throwing: fault) }
        self = ArrivingPictures()
    }
}
