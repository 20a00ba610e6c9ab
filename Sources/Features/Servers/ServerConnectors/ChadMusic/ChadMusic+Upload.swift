/// Uploads of files to the server.
import BatonCore
package import BatonSeams

extension ChadMusic {
    package func upload(_ content: NamedBytes) async throws(SourceFault) -> String {
        let name = content.name
        guard !name.isEmpty, name != ".", name != "..", !name.contains("/"), !name.contains("\\"), name.utf8.count <= 255 else {
            throw SourceFault(.badRequest, "A file needs a plain name to be uploaded.")
        }
        guard let type = Self.types[FileName.suffix(of: name) ?? ""] else {
            throw SourceFault(.unsupported, "“\(name)” was not uploaded: its name does not end as that of a file of music.")
        }
        // Many servers accept only ASCII in headers.
        let isPlain = name.utf8.allSatisfy { 32..<127 ~= $0 }
        let headers = [
            HTTPCall.Header("Content-Type", type), HTTPCall.Header("X-Filename", isPlain ? name : PercentText.encoded(name)),
        ]
        return try said(try await server.upload(content.content, headers: headers), of: name)
    }

    private func said(_ reply: ChadReply, of name: String) throws(SourceFault) -> String {
        let why = server.said(reply.message)
        switch reply.status {
        case 200, 201:
            let counts = [
                Self.count(reply.json?.count("tracks_added"), "track"), Self.count(reply.json?.count("albums_updated"), "album"),
            ]
            let text = counts.compactMap { $0 }.joined(separator: ", ")
            return "“\(server.title)” has taken “\(name)”" + (text.isEmpty ? "." : ": \(text).")
        case 409: throw SourceFault(.conflict, "“\(server.title)” already has “\(name)”\(why)")
        case 413: throw SourceFault(.tooLarge, "“\(name)” is too large for “\(server.title)”\(why)")
        case 507: throw SourceFault(.quota, "“\(server.title)” has no room left for “\(name)”\(why)")
        case 400, 415: throw SourceFault(.unsupported, "“\(server.title)” does not take “\(name)”\(why)")
        case 404, 405, 501: throw SourceFault(.unsupported, "“\(server.title)” takes no uploads\(why)")
        default: throw server.fault(reply)
        }
    }

    private static func count(_ number: Int?, _ word: String) -> String? {
        number.map { "\($0) \(word)\($0 == 1 ? "" : "s")" }
    }

    private static let types = [
        "aac": "audio/aac", "aif": "audio/aiff", "aiff": "audio/aiff", "ape": "audio/x-ape", "flac": "audio/flac", "m4a": "audio/mp4",
        "m4b": "audio/mp4", "mp3": "audio/mpeg", "mpc": "audio/x-musepack", "oga": "audio/ogg", "ogg": "audio/ogg", "opus": "audio/ogg",
        "wav": "audio/wav", "wma": "audio/x-ms-wma", "wv": "audio/x-wavpack",
    ]
}
