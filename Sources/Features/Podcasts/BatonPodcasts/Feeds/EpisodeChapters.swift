/// Parses the JSON of `podcast:chapters`, the chapters of an episode.
import BatonCore
import BatonJSON

enum EpisodeChapters {
    private static let limits = {
        var limits = JSONLimits()
        limits.elements = ChapterList.most
        limits.stringBytes = 64 * 1024
        limits.largeNumbers = .text
        return limits
    }()

    /// The chapters, of which each ends where the next one begins; empty for other content.
    static func read(_ bytes: [UInt8], durationMs: Milliseconds?) -> [Chapter] {
        guard let rows = (try? JSON.parse(bytes, limits: limits))?["chapters"]?.array else { return [] }
        let marks = rows.compactMap { row -> ChapterList.Mark? in
            // Chapters outside the table of contents only change the picture.
            guard let start = row["startTime"]?.seconds, 0..<604_800 ~= start, row["toc"]?.bool != false else { return nil }
            return ChapterList.Mark(title: StationText.line(row["title"]?.string ?? "", to: 256), startMs: Milliseconds.seconds(start))
        }
        let list = ChapterList(marks, durationMs: durationMs)
        return (0..<list.count).compactMap { list.chapter($0, durationMs: durationMs) }
    }
}

extension JSON {
    fileprivate var seconds: Double? {
        switch self {
        case .int(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }
}
