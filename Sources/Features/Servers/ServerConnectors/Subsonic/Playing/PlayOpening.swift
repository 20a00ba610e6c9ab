/// Requests a song's sound: as a play or a copy, original or transcoded, from its beginning or from a position.
import BatonSeams

struct PlayOpening: Sendable {
    enum Form: Equatable, Sendable {
        /// The original file.
        case raw
        /// Transcoded. With `bytesPerSecond` a byte position maps to a time at which the server can begin (`timeOffset`).
        case transcoded(format: String, kbps: Int, bytesPerSecond: Int64?)
    }

    let server: SubsonicServer
    let id: String
    let form: Form
    /// Whether the first request counts as a play. Copies do not.
    let isPlay: Bool

    var limits: HTTPCallLimits { isPlay ? .stream : .copy }

    /// Whether missing bytes at the end are filled with zeros, which decoders of such formats skip. The length of a
    /// transcoded song is estimated a little too high.
    var padsEnd: Bool { if case .transcoded = form { true } else { false } }

    /// Distance up to which reading on is cheaper than another request. A transcoding server sends its output slower
    /// than a copy.
    var shortStep: Int64 {
        switch form {
        case .raw: 512 * 1_024
        case .transcoded(_, _, let bytesPerSecond): bytesPerSecond.map { $0 * 10 } ?? Int64.max / 4
        }
    }

    /// The length in bytes, if it is known in advance.
    static func length(_ form: Form, _ facts: SongFacts) -> Int64? {
        switch form {
        case .raw: return facts.bytes
        case .transcoded(_, _, let bytesPerSecond):
            guard let bytesPerSecond, let durationMs = facts.durationMs else { return nil }
            return bytesPerSecond * (durationMs.seconds + 2)
        }
    }

    func begin(at position: Int64, isFirst: Bool, length: Int64?) async throws(SourceFault) -> SoundTransfer {
        switch form {
        case .raw: try await file(at: position, isFirst: isFirst && isPlay, length: length)
        case .transcoded(let format, let kbps, let bytesPerSecond):
            try await transcoded(as: format, kbps: kbps, bytesPerSecond: bytesPerSecond, at: position)
        }
    }

    private func file(at position: Int64, isFirst: Bool, length: Int64?) async throws(SourceFault) -> SoundTransfer {
        if isFirst { return try await answer(to: "stream", ["id": id, "format": "raw"], at: position, length: length) }
        do throws(SourceFault) {
            return try await answer(to: "download", ["id": id], at: position, length: length)
        } catch {
            // Some accounts are allowed to stream and not to download.
            guard isPlay, [.forbidden, .unsupported, .failed].contains(error.code) else { throw error }
            return try await answer(to: "stream", ["id": id, "format": "raw"], at: position, length: length)
        }
    }

    private func answer(
        to method: String, _ parameters: Parameters, at position: Int64, length: Int64?
    ) async throws(SourceFault) -> SoundTransfer {
        let answer = try await server.open(method, parameters, from: position, limits: limits)
        let total = answer.wholeLength
        guard answer.status < 300, let start = answer.firstByte, start <= position, total == nil || length == nil || total == length else {
            answer.body.cancel()
            throw SourceFault(.gone, "The song at the server “\(server.title)” is another one now than when it was looked up.")
        }
        return SoundTransfer(answer.body, at: start)
    }

    private func transcoded(
        as format: String, kbps: Int, bytesPerSecond: Int64?, at position: Int64
    ) async throws(SourceFault) -> SoundTransfer {
        var parameters: Parameters = ["id": id, "format": format, "maxBitRate": String(kbps)]
        var start: Int64 = 0
        if let bytesPerSecond, position > 0, server.memory.has("transcodeOffset") {
            parameters.add("timeOffset", String(position / bytesPerSecond))
            start = position / bytesPerSecond * bytesPerSecond
        }
        return SoundTransfer(try await server.open("stream", parameters, limits: limits).body, at: start)
    }
}
