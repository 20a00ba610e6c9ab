/// Saves one title from a station's buffer. It is cut like a recording, so the file has the same bytes.
package import BatonSeams

extension StationRecorder {
    /// Bytes read before a title, so that a frame that straddles the cut goes to the previous song.
    private static let leadBytes: Int64 = 16 * 1024
    private static let sniffedBytes = 32 * 1024
    private static let betweenLooks = Duration.milliseconds(300)

    package func save(
        _ title: PastTitle, in station: StationWithPast, picture: [UInt8]?, into folder: any RecordingFolder
    ) async throws(SourceFault) {
        let past = station.past
        // A title that has just begun has too little sound to detect the format, so earlier sound is read, too.
        let heard = try Self.lead(past, title.positions.lowerBound) ?? title.positions.lowerBound
        guard let form = SoundForm(of: try Self.sound(past, at: heard)) else {
            throw SourceFault(.unsupported, "“\(title.text)” is not saved: the form of its sound is not known.")
        }
        try await Self.write(title, of: past, form, station: station.title, picture: Self.picture(picture), into: folder)
    }

    static func write(
        _ title: PastTitle, of past: any StationPast, _ form: SoundForm, station: String, picture: (type: String, bytes: [UInt8])? = nil,
        into folder: any RecordingFolder
    ) async throws(SourceFault) {
        // Damage of sound on the disk shows only when it is read.
        let begin = try past.bytes(at: title.positions.lowerBound, count: 1).at
        guard title.endsMs == nil || begin < title.positions.upperBound else {
            throw SourceFault(.gone, "The sound of “\(title.text)” is damaged, so it is not saved.")
        }
        // There is no sound before a title at the start of the buffer or after a gap.
        let lead = title.said == begin ? try lead(past, begin) : nil
        var writer = SongWriter(folder, station: station, suffix: form.suffix, picture: picture, form, only: lead == nil ? 0 : 1)
        do throws(SourceFault) {
            try await write(title, from: lead ?? begin, begin: begin, of: past, to: &writer)
            try writer.end()
        } catch {
            // A cancelled save stays open, so that the next run continues it.
            if error.code != .cancelled { try? writer.end() }
            throw error
        }
    }

    private static func sound(_ past: any StationPast, at position: Int64) throws(SourceFault) -> [UInt8] {
        var (bytes, at): ([UInt8], Int64) = ([], position)
        while bytes.count < sniffedBytes {
            let next = try past.bytes(at: at, count: sniffedBytes - bytes.count)
            if next.bytes.isEmpty { break }
            bytes += next.bytes
            at = next.at + Int64(next.bytes.count)
        }
        return bytes
    }

    /// The position from which sound before the title is read; `nil` if there is none.
    private static func lead(_ past: any StationPast, _ begin: Int64) throws(SourceFault) -> Int64? {
        let earliest = past.gaps().last { $0.at <= begin }?.at ?? past.positions.lowerBound
        guard earliest < begin else { return nil }
        let lead = max(earliest, begin - leadBytes)
        var position = lead
        while position < begin {
            let next = try past.bytes(at: position, count: Int(begin - position))
            // Damage is recorded as a gap now, so the search starts again.
            if next.at > position { return try self.lead(past, begin) }
            if next.bytes.isEmpty { return nil }
            position += Int64(next.bytes.count)
        }
        return lead
    }

    private static func write(
        _ title: PastTitle, from start: Int64, begin: Int64, of past: any StationPast, to writer: inout SongWriter
    ) async throws(SourceFault) {
        var position = start
        // The end of a title that is still playing is known when the next one begins.
        var ended = title.endsMs == nil ? nil : title.positions.upperBound
        while !writer.isOver {
            if Task.isCancelled { throw .cancelled }
            let next = try past.bytes(at: position, count: pieceBytes)
            guard !next.bytes.isEmpty else {
                guard past.isReceiving else { return }
                do { try await Task.sleep(for: betweenLooks) } catch { throw .cancelled }
                continue
            }
            if ended == nil, let now = past.pastTitle(title.number), now.endsMs != nil { ended = now.positions.upperBound }
            let end = ended ?? .max
            if next.at > position {
                if next.at >= end { return }
                writer.missSome()
            }
            // The title ends at a gap instead of another title.
            if next.at == end, !past.titles().contains(where: { $0.at == end }) { writer.missSome() }
            let isBegin = next.at == begin
            let said: String?? = isBegin ? .some(title.text) : position == start ? .some(nil) : next.at == end ? .some(nil) : nil
            _ = try writer.take(next.bytes, title: said)
            position = next.at + Int64(next.bytes.count)
        }
    }
}
