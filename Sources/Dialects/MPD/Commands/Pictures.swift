import BatonCore
import BatonProtocol
import BatonSeams

/// Commands that send the picture of a song in pieces.
extension Session {
    func albumArt(_ words: [String]) throws(Ack) -> Step {
        let offset = try Argument.count(words[1])
        return picture(
            of: words[0], offset, showsType: false, missing: Ack(.missing, "No file exists"), noSong: Ack(.missing, "No file exists"))
    }

    func readPicture(_ words: [String]) throws(Ack) -> Step {
        let offset = try Argument.count(words[1])
        return picture(of: words[0], offset, showsType: true, missing: nil, noSong: .noSuchSong)
    }

    private func picture(of path: String, _ offset: Int, showsType: Bool, missing: Ack?, noSong: Ack) -> Step {
        .working { [self] () async throws(Ack) in
            let item: ItemURI
            do throws(Ack) { item = try await self.item(at: path) } catch { throw noSong }
            guard let picture = try await picture(of: item) else {
                if let missing { throw missing }
                return
            }
            let bytes = picture.bytes
            guard offset <= bytes.count else { throw Ack(.argument, showsType ? "Bad file offset" : "Offset too large") }
            let piece = bytes[offset..<min(offset + binaryLimit, bytes.count)]
            text.line("size", bytes.count)
            if showsType { text.line("type", picture.format.type) }
            text.line("binary", piece.count)
            text.chunk(piece)
        }
    }

    /// The picture as its file has it. All pieces that a client asks for are of one version, since a name stands for the content.
    private func picture(of item: ItemURI) async throws(Ack) -> Picture? {
        let nowUs = nowUs
        if let known = dialect.pictures.picture(of: item, atUs: nowUs) { return known }
        guard let answer = try await ask(Commands.Item(item)).data as? ItemAnswer, let art = answer.details.row.tags.art else { return nil }
        do throws(SourceFault) {
            let picture = try await ports.media.picture(art.id, width: nil, height: nil, format: nil, mostBytes: nil)
            dialect.pictures.keep(picture, of: item, atUs: nowUs)
            return picture
        } catch {
            if error.code == .notFound { return nil }
            throw Ack(error)
        }
    }
}

/// The picture that was asked for last. Clients ask for one in many pieces, and several at once for the same.
@Loop
final class LastPicture {
    static let mostBytes = 8 << 20
    private static let lifeUs: Microseconds = 30_000_000
    private var last: (item: ItemURI, picture: Picture, atUs: Microseconds)?

    func picture(of item: ItemURI, atUs nowUs: Microseconds) -> Picture? {
        guard let last, last.item == item, nowUs - last.atUs < Self.lifeUs else { return nil }
        return last.picture
    }

    func keep(_ picture: Picture, of item: ItemURI, atUs nowUs: Microseconds) {
        last = picture.bytes.count <= Self.mostBytes ? (item, picture, nowUs) : nil
    }
}
