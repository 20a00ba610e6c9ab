import BatonCore
import BatonSeams

/// Endless streams of rooms: `/listen/ROOM.opus`, `.mp3` and `.m3u`, each with the key of a link.
///
/// They serve radios and players that do not know the hub's protocol, so every refusal is a sentence, and only the header for titles is
/// used.
extension RequestRouter {
    private static let opus = SoundCoding(.opus, kilobits: 128)
    private static let mp3 = SoundCoding(.mp3, kilobits: 192)
    /// Bytes of sound between two titles, the usual value of stations.
    private static let titleInterval = 16_000

    func stream(_ request: HTTPRequest, _ grant: Grant) -> HTTPResponse {
        let name = request.path.dropFirst("/listen/".count)
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        let (room, form) = (RoomID(String(name[..<dot])), name[dot...].dropFirst())
        let key = request.query.last { $0.name == "key" }?.value ?? ""
        do throws(StreamRefusal) {
            let permit = try companion.ports.streams.permit(room, key: key, from: grant.address)
            switch form {
            case "opus": return try answer(request, permit: permit, coding: Self.opus)
            case "mp3": return try answer(request, permit: permit, coding: Self.mp3)
            case "m3u", "m3u8": return list(request, permit: permit, key: key)
            default: return .sentence(404, "A room is heard as .opus or .mp3, and .m3u is a list for players.")
            }
        } catch {
            return refusal(error)
        }
    }

    private func answer(_ request: HTTPRequest, permit: StreamPermit, coding: SoundCoding) throws(StreamRefusal) -> HTTPResponse {
        let wantsTitles = coding.codec == .mp3 && request.headers["icy-metadata"] == "1"
        var headers = [("content-type", coding.mediaType), ("cache-control", "no-store"), ("icy-name", permit.roomName)]
        headers += [("icy-br", "\(coding.kilobits)"), ("icy-pub", "0")]
        if wantsTitles { headers.append(("icy-metaint", "\(Self.titleInterval)")) }
        var response = HTTPResponse(status: 200, headers: headers)
        // A HEAD request gets no sound.
        guard request.method == .get else { return response }
        response.stream = try companion.ports.streams.open(permit, as: coding, titlesEvery: wantsTitles ? Self.titleInterval : nil)
        return response
    }

    /// The host that the list was requested with, if it is the hub's; a foreign name is never passed on. Without a host, the player uses
    /// the address of the list itself.
    private func list(_ request: HTTPRequest, permit: StreamPermit, key: String) -> HTTPResponse {
        let scheme = request.peer.channel == .tls ? "https" : "http"
        let path = "/listen/\(PercentText.encoded(permit.room.text)).mp3?key=\(PercentText.encoded(key))"
        let address = policy.ownAuthority(request).map { "\(scheme)://\($0)\(path)" } ?? path
        let name = permit.roomName.map { $0.isNewline ? " " : String($0) }.joined()
        return HTTPResponse(
            status: 200,
            headers: [
                ("content-type", "audio/x-mpegurl"), ("cache-control", "no-store"),
                ("content-disposition", "inline; filename=\"room.m3u\""),
            ],
            body: Array("#EXTM3U\n#EXTINF:-1,\(name)\n\(address)\n".utf8))
    }

    private func refusal(_ refusal: StreamRefusal) -> HTTPResponse {
        let status =
            switch refusal.code {
            case .badLink: 403
            case .limited: 429
            case .unavailable: 503
            }
        let retry = refusal.retryAfterMs.map { [("retry-after", "\(($0.count + 999) / 1000)")] } ?? []
        return .sentence(status, refusal.sentence, headers: retry)
    }
}
