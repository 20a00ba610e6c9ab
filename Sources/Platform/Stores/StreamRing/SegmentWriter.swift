/// Writes waiting pieces as records of a segment: few long records of sound, and at most two syncs a minute.
import BatonCore
import BatonSeams
import Disk

/// Sound without a gap, with its titles.
struct SegmentBatch {
    var at: Int64
    var timeMs: Milliseconds
    var piece: StreamPiece

    private var end: Int64 { at + Int64(piece.sound.count) }

    static func batches(of waiting: [DiskPast.Waiting]) -> [SegmentBatch] {
        var batches: [SegmentBatch] = []
        for next in waiting {
            let most = SegmentRecord.mostContent / 2
            if let last = batches.last, last.end == next.at, last.piece.sound.count + next.piece.sound.count <= most {
                batches[batches.count - 1].append(next.piece)
            } else {
                batches.append(SegmentBatch(at: next.at, timeMs: next.timeMs, piece: next.piece))
            }
        }
        return batches
    }

    private mutating func append(_ next: StreamPiece) {
        let count = piece.sound.count
        piece.sound += next.sound
        piece.titles += next.titles.map { StreamPiece.Title(at: $0.at + count, $0.text) }
        piece.entries += next.entries.map { StreamPiece.Entry(at: $0.at + count, head: $0.head) }
    }
}

/// The segment that is being written.
struct SegmentWriter {
    private var file: AppendedFile?
    private(set) var first: Int64 = 0
    private var lastHead: [UInt8]?
    private var lastEntry: Int64 = 0
    private var lastTitle: String?
    private var title: SegmentRecord?
    /// Segments that may not be synced completely, oldest first; the last one is being written.
    private var unsettled: [AppendedFile] = []
    private var settledMs: Milliseconds = 0
    private let settle: (AppendedFile) -> Void

    private static let betweenSettlesMs: Milliseconds = 30_000
    /// Before a third one is full, the system has written the first by itself.
    private static let mostUnsettled = 3
    /// Minimum distance of entries.
    private static let betweenEntries: Int64 = 16 * 1024

    init(settle: @escaping (AppendedFile) -> Void = { $0.settle() }) { self.settle = settle }

    func isFull(_ most: Int64) -> Bool { file.map { $0.size >= most } ?? true }

    mutating func begin(_ file: AppendedFile, at position: Int64) {
        self.file = file
        unsettled = unsettled.suffix(Self.mostUnsettled - 1) + [file]
        first = position
        lastHead = nil
    }

    /// Writes a batch, and returns the system's reason if that fails. `noted` gets each record and the offset of its content.
    mutating func append(_ batch: SegmentBatch, _ noted: (SegmentRecord, Int64) -> Void) -> String? {
        guard let file else { return nil }
        var records: [SegmentRecord] = []
        // Each segment repeats the title it begins with, since the one before may be removed first.
        if file.size == 0, var title {
            title.position = batch.at
            records.append(title)
        }
        for title in batch.piece.titles where title.text != lastTitle {
            let record = SegmentRecord(
                kind: .title, position: batch.at + Int64(title.at), timeMs: batch.timeMs, content: Array(title.text.utf8))
            lastTitle = title.text
            self.title = record
            records.append(record)
        }
        for entry in batch.piece.entries {
            let position = batch.at + Int64(entry.at)
            if let lastHead, lastHead == entry.head, position - lastEntry < Self.betweenEntries { continue }
            // A repeated head is stored once in a segment.
            records.append(
                SegmentRecord(kind: .entry, position: position, timeMs: batch.timeMs, content: lastHead == entry.head ? [] : entry.head))
            (lastHead, lastEntry) = (entry.head, position)
        }
        if !batch.piece.sound.isEmpty {
            records.append(SegmentRecord(kind: .sound, position: batch.at, timeMs: batch.timeMs, content: batch.piece.sound))
        }
        let start = file.size
        if let cause = file.append(records.flatMap(\.bytes)) { return SegmentFolder.reason(cause) }
        var offset = start
        for record in records {
            noted(record, offset + Int64(SegmentRecord.headBytes))
            offset += Int64(SegmentRecord.headBytes + record.content.count)
        }
        return nil
    }

    /// Syncs the oldest segment with unsynced bytes. The one that is still written stays in the list, so it is synced again.
    mutating func settle(_ nowMs: Milliseconds) {
        guard nowMs - settledMs >= Self.betweenSettlesMs || nowMs < settledMs, let oldest = unsettled.first else { return }
        settledMs = nowMs
        settle(oldest)
        if unsettled.count > 1 { unsettled.removeFirst() }
    }
}
