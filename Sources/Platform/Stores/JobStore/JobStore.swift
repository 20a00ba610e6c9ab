/// Music generated from prompts: `gen.db` has the jobs, and each job has a folder in `generated` for its files.
///
/// A worker writes into the job's folder only, and a piece counts once its job is finished: the folder of an unfinished job is emptied
/// before the worker starts again.
package import BatonCore
package import BatonSeams
import Disk
import Glibc
import SQLite

package final class JobStore: JobStorage {
    private let folder: String
    let database: LockedConnection<StoreDatabase>
    /// Messages for people about events while opening.
    package let notices: [String]

    /// Blocks on the disk.
    package init(folder data: String) throws(SourceFault) {
        folder = data + "/generated"
        guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw Self.fault("The folder of generated music", errno) }
        (database, notices) = try StoreDatabase.open(
            data + "/gen.db", schema: .jobs, logMiB: 2, cacheKB: 500,
            loss: "the list of generated music is in the file set aside, and its sound in \(folder)")
    }

    package func close() {
        database.wait { $0.database.closeWhole() }
    }

    // MARK: - Files

    package func folder(of id: String, isFresh: Bool) throws(SourceFault) -> String {
        let path = "\(folder)/\(id)"
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Self.fault("The folder of a generated piece", errno) }
        if isFresh { Self.empty(path) }
        return path
    }

    package func removeFiles(of id: String) {
        let path = "\(folder)/\(id)"
        Self.empty(path)
        _ = unsafe rmdir(path)
    }

    /// Removes unfinished files, which programs name with a leading dot.
    package func removeUnfinished(of id: String) {
        let path = "\(folder)/\(id)"
        for name in FolderNames.all(in: path) where name.hasPrefix(".") && name.hasSuffix(".part") { _ = unsafe unlink("\(path)/\(name)") }
    }

    /// Removes all files of a folder, including unfinished ones with a leading dot. Workers do not create folders.
    private static func empty(_ path: String) {
        for name in FolderNames.all(in: path) { _ = unsafe unlink("\(path)/\(name)") }
    }

    package func file(_ name: String, of id: String) throws(SourceFault) -> NamedFile {
        let path = "\(folder)/\(id)/\(name)"
        guard !name.contains("/"), let file = OpenFileRange(path) else {
            throw SourceFault(.gone, "The sound of this piece is not on the disk any more.")
        }
        return NamedFile(path, file)
    }

    package func sounds() throws(SourceFault) -> [StoredSound] {
        let found = try database.wait { jobs throws(SourceFault) in
            try jobs.all("SELECT id, sound, ifnull(ended_ms, started_ms), kept FROM job WHERE state = 'ready' AND sound IS NOT NULL", []) {
                (StoredSound($0.text(0), bytes: 0, usedMs: $0.time(2), isProtected: $0.flag(3)), $0.text(1))
            }
        }
        return found.compactMap { sound, name in
            // The disk decides which files exist: a killed hub may have removed one without recording it.
            guard let file = OpenFileRange("\(folder)/\(sound.id)/\(name)") else { return nil }
            return StoredSound(sound.id, bytes: file.stamp.size, usedMs: sound.usedMs, isProtected: sound.isProtected)
        }
    }

    package func removeSound(of id: String) throws(SourceFault) {
        guard let sound = try job(id)?.piece?.sound else { return }
        // Includes unfinished files of a program that was to make the sound again.
        for name in FolderNames.all(in: "\(folder)/\(id)") where name == sound || name.hasPrefix(".") { try remove(name, of: id) }
    }

    package func removeSpareSound(of id: String) throws(SourceFault) {
        guard let sound = try job(id)?.piece?.sound else { return }
        for name in FolderNames.visible(in: "\(folder)/\(id)") where name != sound && name.lowercased().hasSuffix(".wav") {
            try remove(name, of: id)
        }
    }

    private func remove(_ name: String, of id: String) throws(SourceFault) {
        guard !name.contains("/") else { return }
        guard unsafe unlink("\(folder)/\(id)/\(name)") == 0 || errno == ENOENT else {
            throw Self.fault("The folder of a generated piece", errno)
        }
    }

    private static func fault(_ what: String, _ cause: Int32) -> SourceFault {
        cause == ENOSPC || cause == EDQUOT
            ? SourceFault(.quota, "The disk is full, so no music can be made.")
            : SourceFault(.unavailable, "\(what) cannot be written: \(unsafe String(cString: strerror(cause))).")
    }

    // MARK: - Jobs

    private static let columns = """
        id, worker, prompt, seconds, seed, model, cfg, mode, author, started_ms, room, plays, state, percent, sentence, memory,
        ended_ms, sound, title, duration_ms, tempo, key, recipe, has_score, bytes, owner, begun_ms, kept,
        wish_recipe, wish_steering, wish_title, wish_clip
        """

    package func jobs() throws(SourceFault) -> [GenerationJob] {
        try database.wait { jobs throws(SourceFault) in try jobs.all("SELECT \(Self.columns) FROM job ORDER BY number", [], as: Self.read) }
    }

    package func job(_ id: String) throws(SourceFault) -> GenerationJob? {
        try database.wait { jobs throws(SourceFault) in
            try jobs.first("SELECT \(Self.columns) FROM job WHERE id = ?", [.text(id)], as: Self.read)
        }
    }

    package func pieces(_ words: [String], from: Int, limit: Int) throws(SourceFault) -> [GenerationJob] {
        let wanted = words.map { _ in " AND instr(lower(prompt || ' ' || ifnull(title, '')), ?) > 0" }.joined()
        let values = words.map { Database.Value.text($0.lowercased()) } + [.int(limit), .int(from)]
        return try database.wait { jobs throws(SourceFault) in
            try jobs.all(
                "SELECT \(Self.columns) FROM job WHERE state = 'ready' AND wish_clip IS NULL\(wanted) ORDER BY number DESC LIMIT ? OFFSET ?",
                values, as: Self.read)
        }
    }

    package func job(madeBy once: CommandKey) throws(SourceFault) -> (job: GenerationJob, hash: [UInt8])? {
        let found = try database.wait { jobs throws(SourceFault) in
            try jobs.first("SELECT job, hash FROM once WHERE device = ? AND key = ?", [.text(once.device), .text(once.key)]) {
                ($0.text(0), $0.blob(1))
            }
        }
        guard let found, let job = try job(found.0) else { return nil }
        return (job, found.1)
    }

    package func put(_ job: GenerationJob, once: CommandKey?) throws(SourceFault) {
        try database.wait { jobs throws(SourceFault) in
            try jobs.change { () throws(SourceFault) in
                try jobs.run(Self.putting, Self.values(of: job))
                guard let once else { return }
                try jobs.run(
                    "INSERT OR IGNORE INTO once VALUES (?, ?, ?, ?)",
                    [.text(once.device), .text(once.key), .blob(once.hash), .text(job.id)])
                try jobs.run("DELETE FROM once WHERE job NOT IN (SELECT id FROM job ORDER BY number DESC LIMIT 2000)")
            }
        }
    }

    private static let putting = """
        INSERT INTO job (\(columns)) VALUES (\(Array(repeating: "?", count: 32).joined(separator: ", ")))
        ON CONFLICT (id) DO UPDATE SET state = excluded.state, percent = excluded.percent, sentence = excluded.sentence,
            memory = excluded.memory, ended_ms = excluded.ended_ms, sound = excluded.sound, title = excluded.title,
            duration_ms = excluded.duration_ms, tempo = excluded.tempo, key = excluded.key, recipe = excluded.recipe,
            has_score = excluded.has_score, bytes = excluded.bytes, begun_ms = excluded.begun_ms, kept = excluded.kept,
            wish_steering = excluded.wish_steering
        """

    private static func values(of job: GenerationJob) -> [Database.Value] {
        let piece = job.piece
        return [
            .text(job.id), .text(job.worker), .text(job.request.prompt), .int(job.request.durationS), .text(job.request.seed),
            .maybe(job.request.model), .maybe(job.request.cfg), .text(job.request.mode.rawValue), .maybe(job.author), .time(job.startedMs),
            .maybe(job.room?.text), .flag(job.playsWhenReady), .text(job.state.rawValue), .int(job.percent), .maybe(job.sentence),
            .maybe(job.memory), .time(job.endedMs), .maybe(piece?.sound), .maybe(piece?.title),
            .time(piece?.durationMs), .maybe(piece?.tempo), .maybe(piece?.key), .maybe(piece?.recipe), .flag(piece?.hasScore ?? false),
            .int(piece?.bytes ?? 0), .text(job.owner), .time(job.begunMs), .flag(job.isKept),
            .maybe(job.request.recipe), .text(job.request.steering.text), .maybe(job.request.title),
            .maybe(job.request.clip?.text),
        ]
    }

    private static func read(_ row: Row) -> GenerationJob {
        var request = GenerationRequest(
            prompt: row.text(2), durationS: row.int(3), seed: row.text(4), model: row.maybeText(5), cfg: row.maybeText(6),
            mode: PromptLine.Mode(rawValue: row.text(7)) ?? .track)
        request.recipe = row.maybeText(28)
        request.steering = Steer.presses(of: row.text(29))
        request.title = row.maybeText(30)
        request.clip = row.maybeText(31).flatMap(ClipWish.init(text:))
        var job = GenerationJob(
            id: row.text(0), worker: row.text(1), request: request, author: row.maybeText(8), owner: row.text(25), startedMs: row.time(9),
            room: row.maybeText(10).map { RoomID($0) }, playsWhenReady: row.flag(11))
        let piece = row.maybeText(17).map { sound in
            GeneratedPiece(
                title: row.maybeText(18), durationMs: row.maybeTime(19) ?? 0, tempo: row.maybeInt(20), key: row.maybeText(21),
                recipe: row.maybeText(22), sound: sound, hasScore: row.flag(23), bytes: row.int64(24))
        }
        job.recall(
            GenerationJob.State(rawValue: row.text(12)) ?? .failed, percent: row.int(13), sentence: row.maybeText(14),
            memory: row.maybeText(15), piece: piece, begunMs: row.maybeTime(26),
            endedMs: row.maybeTime(16),
            isKept: row.flag(27))
        return job
    }
}
