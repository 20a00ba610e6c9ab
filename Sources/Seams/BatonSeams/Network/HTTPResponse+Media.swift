/// Music files as answers, with ranges and validators, for every dialect that serves files.
extension HTTPResponse {
    /// The whole file or the requested part, read while the peer takes it.
    package static func media(
        _ source: any ByteSource, for request: HTTPRequest, type: String, _ blockingPool: any TaskExecutor
    ) -> HTTPResponse {
        let version = source.version
        let changed = version?.changed.map { HTTPDate.text(ofSecond: $0) }
        let hasRanges = source.hasRanges && source.length != nil
        let headers =
            [("content-type", type), ("accept-ranges", hasRanges ? "bytes" : "none")]
            + [version.map { ("etag", $0.tag) }, changed.map { ("last-modified", $0) }].compactMap { $0 }
            + [("cache-control", "private, no-transform")]
        if let known = request.headers["if-none-match"], let version, known == version.tag || known == "*" {
            return HTTPResponse(status: 304, headers: headers)
        }
        func stream(_ start: Int64, _ length: Int64?) -> HTTPStream {
            var stream = HTTPStream(start: start, length: length, blockingPool: blockingPool) { try? await source.read(at: $0, count: $1) }
            stream.file = source.file
            stream.connection = { await source.connection(at: $0) }
            return stream
        }
        guard hasRanges, let size = source.length else {
            return HTTPResponse(status: 200, headers: headers, stream: stream(0, source.length))
        }
        // A part of another version of the file would be worse than the whole. The date alone is exact only to a second, as the header's own rules
        // expect.
        let isSame = request.headers["if-range"].map { $0 == version?.tag || $0 == changed } ?? true
        switch request.method == .get && isSame ? ByteRange.asked(by: request.headers["range"], of: size) : .whole {
        case .whole: return HTTPResponse(status: 200, headers: headers, stream: stream(0, size))
        case .part(let part):
            let place = ("content-range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)")
            return HTTPResponse(status: 206, headers: headers + [place], stream: stream(part.lowerBound, Int64(part.count)))
        case .nothing:
            return .sentence(
                416, "The file has \(size) bytes.", headers: [("content-range", "bytes */\(size)"), ("accept-ranges", "bytes")])
        }
    }
}

/// The media type that a browser is told, from the suffix. The browser's decoder finds out the real one.
package enum MediaType {
    private static let types = [
        "mp3": "audio/mpeg", "flac": "audio/flac", "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg", "m4a": "audio/mp4",
        "m4b": "audio/mp4", "mp4": "audio/mp4", "aac": "audio/aac", "wav": "audio/wav", "aif": "audio/aiff", "aiff": "audio/aiff",
        "wma": "audio/x-ms-wma", "wv": "audio/x-wavpack", "ape": "audio/x-ape", "mka": "audio/x-matroska", "webm": "audio/webm",
        "mid": "audio/midi", "json": "application/json",
    ]

    /// The type for a path; `application/octet-stream` where the suffix is not known.
    package static func named(_ path: String) -> String {
        let end = path.split(separator: "/").last?.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return types[end] ?? "application/octet-stream"
    }
}
