/// Records a station: hears it as a room does, by the same connection, and writes a file for each song.
///
/// The first song of a recording is named as a part, since it was joined in its middle, and so is the one in which the recording stops.
/// When the hub was restarted within a song, the same file gets the rest of it, and stays a part because of the gap.
package import BatonCore
package import BatonSeams

package struct StationRecorder: StationRecording {
    let radio: RadioConnector
    static let pieceBytes = 16 * 1024
    private static let mostPictureBytes = 1 << 20

    package init(_ radio: RadioConnector) { self.radio = radio }

    package func record(
        _ uri: ItemURI, into folder: any RecordingFolder, note: @escaping @Sendable (String) async -> Void
    ) async throws(SourceFault) {
        let kept = try radio.kept(uri)
        guard case .bytes(let heard) = try await radio.resolve(uri, trust: .itemsOnly).location,
            let sound = heard.content as? any TitledBytes
        else { throw SourceFault(.unsupported, "“\(kept.station.title)” is a file and no station, so it is not recorded.") }
        let form = SoundForm(named: heard.name)
        let picture = form == .mpeg || form == .adts ? await picture(of: kept) : nil
        var writer = SongWriter(folder, station: kept.station.title, suffix: Self.suffix(of: heard.name), picture: picture, form)
        do throws(SourceFault) {
            try await Self.write(sound, &writer, note)
            try writer.end()
        } catch {
            try? writer.end()
            throw error
        }
    }

    static func write(
        _ sound: any TitledBytes, _ writer: inout SongWriter, _ note: @Sendable (String) async -> Void
    ) async throws(SourceFault) {
        var position: Int64 = 0
        var title: String?
        while true {
            let bytes = try await sound.read(at: position, count: pieceBytes)
            if bytes.isEmpty { return }
            let now = sound.title(at: position)
            let isNew = now != title || position == 0
            title = now
            if try writer.take(bytes, title: isNew ? .some(now) : nil) { await note(writer.title) }
            position += Int64(bytes.count)
        }
    }

    private static func suffix(of name: String) -> String {
        let parts = name.split(separator: ".")
        return parts.count > 1 ? parts.last.map(String.init) ?? "bin" : "ts"
    }

    /// Recording goes on without one.
    func picture(of kept: KeptStation) async -> (type: String, bytes: [UInt8])? {
        guard kept.id > 0, kept.station.picture != nil, case .bytes(let bytes)? = try? await radio.picture(String(kept.id)),
            bytes.count <= Self.mostPictureBytes
        else { return nil }
        if bytes.starts(with: [0xFF, 0xD8]) { return ("image/jpeg", bytes) }
        return bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) ? ("image/png", bytes) : nil
    }
}
