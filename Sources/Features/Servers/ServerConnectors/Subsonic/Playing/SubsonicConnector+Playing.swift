/// Playback and copies of items.
package import BatonCore
package import BatonSeams

extension SubsonicConnector {
    @concurrent
    package func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        switch try item(uri) {
        case .track(let id): return Playable(.bytes(try await sound(facts(id), isPlay: true)))
        case .episode(let podcast, let id):
            return Playable(.bytes(try await sound(facts(ofEpisode: id, podcast), isPlay: true)))
        case .station(let id): return try await station(playing: id)
        default: throw SourceFault(.unsupported, "\(uri.text) is played by adding it to a queue, which then has its songs.")
        }
    }

    @concurrent
    package func download(_ uri: ItemURI) async throws(SourceFault) -> NamedBytes {
        switch try item(uri) {
        case .track(let id): try await sound(facts(id), isPlay: false)
        case .episode(let podcast, let id): try await sound(facts(ofEpisode: id, podcast), isPlay: false)
        default: throw SourceFault(.unsupported, "\(uri.text) is no file that could be kept.")
        }
    }

    private func sound(_ facts: SongFacts, isPlay: Bool) async throws(SourceFault) -> NamedBytes {
        let form = isPlay ? form : .raw
        let opening = PlayOpening(server: server, id: facts.id, form: form, isPlay: isPlay)
        let name = facts.name(form.suffix ?? facts.suffix)
        if let length = PlayOpening.length(form, facts) {
            let version = form == .raw ? ContentVersion(tag: "\"\(server.md5.mark("\(facts.id) \(length)"))\"") : nil
            return NamedBytes(name, PlayStream(opening, length: length, version: version))
        }
        guard form == .raw else { return NamedBytes(name, PlayStream(opening, length: nil, version: nil)) }
        // Players need the file's length, which this server tells only in the response with the file.
        let answer = try await server.open(
            isPlay ? "stream" : "download", isPlay ? ["id": facts.id, "format": "raw"] : ["id": facts.id], limits: opening.limits)
        let length = answer.header("content-length").flatMap { Int64($0) }
        return NamedBytes(name, PlayStream(opening, length: length, version: nil, first: SoundTransfer(answer.body, at: 0)))
    }

    private var form: PlayOpening.Form {
        guard case .transcoded(let format, let kbps) = quality else { return .raw }
        // In these formats all frames have the same length and are independent, so that a byte position maps to a time.
        let isEven = ["mp3", "aac"].contains(format)
        return .transcoded(format: format, kbps: kbps, bytesPerSecond: isEven ? Int64(kbps) * 125 : nil)
    }

    // MARK: Facts

    private func facts(_ id: String) async throws(SourceFault) -> SongFacts {
        if let known = await songs[id] { return known }
        let song = try await server.ask("getSong", ["id": id]).record("song")
        guard let facts = SongFacts(song) else {
            throw SourceFault(.notFound, "The server “\(account.title)” has no such song any more.")
        }
        await songs.note([facts])
        return facts
    }

    private func facts(ofEpisode id: String, _ podcast: String) async throws(SourceFault) -> SongFacts {
        let episode = try await episode(id, of: podcast)
        guard let stream = episode.text("streamId"), var facts = SongFacts(episode) else {
            throw SourceFault(.unavailable, "The server “\(account.title)” has not fetched this episode yet.")
        }
        facts.id = stream
        return facts
    }

    // MARK: Stations

    /// Plays a station. Its address leads to another server, so no secret is sent and the address policy applies.
    private func station(playing id: String) async throws(SourceFault) -> Playable {
        let (title, address) = try await place(ofStation: id)
        return try await radio.play(address, title: title, server.policy)
    }

    @concurrent
    package func past(of uri: ItemURI) async throws(SourceFault) -> StationWithPast? {
        guard case .station(let id) = try item(uri) else { return nil }
        let (title, address) = try await place(ofStation: id)
        return await radio.past(of: address).map { StationWithPast(title, $0) }
    }

    private func place(ofStation id: String) async throws(SourceFault) -> (title: String, address: String) {
        let station = try await station(id)
        guard let address = station.text("streamUrl").flatMap({ WebAddress($0) })?.text else {
            throw SourceFault(.unsupported, "The station has no http or https address.")
        }
        return (station.text("name") ?? WebAddress.title(of: address), address)
    }
}

extension PlayOpening.Form {
    var suffix: String? { if case .transcoded(let format, _, _) = self { format } else { nil } }
}
