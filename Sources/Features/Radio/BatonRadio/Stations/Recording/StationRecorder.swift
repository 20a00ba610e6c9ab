/// Records a station into one file for each song, over the same connection that rooms use.
///
/// The first and the last song of a recording are incomplete, and their files are named as parts. After a restart of
/// the hub the same file continues, and stays a part because of the gap.
package import BatonSeams

package struct StationRecorder: StationRecording {
    static let pieceBytes = 16 * 1024
    private static let mostPictureBytes = 1 << 20

    package init() {}

    package func record(
        _ station: HeardStation, into folder: any RecordingFolder, note: @escaping @Sendable (String) async -> Void
    ) async throws(SourceFault) {
        guard case .bytes(let heard) = station.sound.location, let sound = heard.content as? any TitledBytes else {
            throw SourceFault(.unsupported, "“\(station.title)” is a file and no station, so it is not recorded.")
        }
        let form = SoundForm(named: heard.name)
        var writer = SongWriter(
            folder, station: station.title, suffix: Self.suffix(of: heard.name), picture: Self.picture(station.picture), form)
        do throws(SourceFault) {
            try await Self.write(sound, to: &writer, note: note)
            try writer.end()
        } catch {
            try? writer.end()
            throw error
        }
    }

    static func write(
        _ sound: any TitledBytes, to writer: inout SongWriter, note: @Sendable (String) async -> Void
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

    /// The picture for the tag; formats other than JPEG and PNG are left out.
    static func picture(_ bytes: [UInt8]?) -> (type: String, bytes: [UInt8])? {
        guard let bytes, bytes.count <= mostPictureBytes else { return nil }
        if bytes.starts(with: [0xFF, 0xD8]) { return ("image/jpeg", bytes) }
        return bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) ? ("image/png", bytes) : nil
    }
}
