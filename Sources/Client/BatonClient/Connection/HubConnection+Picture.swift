public import BatonProtocol

/// Pictures over the connection itself, which needs no other address or credential.
extension HubConnection {
    /// Fetches a picture in a size; without a height it keeps its shape. The greeting must list `art` among its `caps`.
    public func picture(
        _ id: String, width: Int, height: Int? = nil, format: ArtFormat = .png
    ) async throws -> [UInt8] {
        let transfer = try await ask(Commands.Picture(id, width: width, height: height, format: format))
        return try await exchange { arriving.give(transfer.number, to: $0) }
    }

    func take(pictureFrame bytes: [UInt8]) { arriving.take(bytes) }
}

extension ReconnectingHub {
    /// Fetches a picture in a size, over the current connection or the next one.
    public func picture(
        _ id: String, width: Int, height: Int? = nil, format: ArtFormat = .png
    ) async throws -> [UInt8] {
        try await onceAnswered { try await $0.picture(id, width: width, height: height, format: format) }
    }
}

/// Pictures that are arriving on the artwork channel. The reply and the frames of a picture travel separately, so
/// either may arrive first.
struct ArrivingPictures {
    private var parts: [Int: [UInt8]] = [:]
    private var whole: [Int: Result<[UInt8], ConnectFault>] = [:]
    private var waiting: [Int: CheckedContinuation<[UInt8], any Error>] = [:]
    /// Limit of complete pictures without a receiver; the oldest is dropped first.
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

    /// Resumes the waiter at once if the picture is complete, else with its last frame.
    mutating func give(_ number: Int, to waiter: CheckedContinuation<[UInt8], any Error>) {
        if let result = whole.removeValue(forKey: number) { waiter.resume(with: result) } else { waiting[number] = waiter }
    }

    mutating func end(with fault: ConnectFault) {
        for waiter in waiting.values { waiter.resume(throwing: fault) }
        self = ArrivingPictures()
    }
}
