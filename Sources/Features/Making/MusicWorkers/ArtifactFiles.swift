/// Copies the files of a finished piece from a service into the job's folder, completely or not at all.
import BatonCore
import BatonSeams
import Glibc

struct ArtifactFiles: Sendable {
    private let name: String
    private let map: ArtifactMap?
    private let files: any FileReading

    /// Limit of a file. A worker's longest piece lasts five minutes and takes less than 200 MiB in any of its formats.
    private static let mostBytes: Int64 = 1 << 30
    private static let pieceBytes = 256 << 10
    /// Limit of attempts at a download that makes no progress.
    private static let mostTries = 5

    init(of name: String, map: ArtifactMap?, files: any FileReading) {
        self.name = name
        self.map = map
        self.files = files
    }

    var isMapped: Bool { map != nil }

    /// Copies a file from the worker's disk, which must be below the mapped folder.
    func copy(_ path: String, to target: String, in folder: String) throws(SourceFault) -> Int64 {
        let source = try opened(path)
        let size = source.stamp.size
        guard size <= Self.mostBytes else { throw tooLarge }
        let out = try NewFile("\(folder)/\(target)")
        while out.size < size {
            let bytes = try source.read(at: out.size, count: Self.pieceBytes)
            if bytes.isEmpty { throw notWhole }
            try out.append(bytes)
        }
        try out.finish()
        return out.size
    }

    /// Opens the file on this machine, without following symlinks or opening devices.
    private func opened(_ path: String) throws(SourceFault) -> any FileRange {
        guard let local = local(path), let map else {
            throw SourceFault(
                .failed, "The worker “\(name)” says that its file is \(DisplayLine.cut(path, 160)), which artifact_map does not reach.")
        }
        do throws(SourceFault) { return try files.open(local, below: [map.local]) } catch {
            throw SourceFault(.failed, "The file of the worker “\(name)” cannot be read here: \(error.sentence)")
        }
    }

    private func local(_ path: String) -> String? {
        guard let map, path.hasPrefix(map.remote + "/") else { return nil }
        return map.local + path.dropFirst(map.remote.count)
    }

    /// Removes the file of a piece that was cancelled.
    func remove(_ path: String) {
        guard (try? opened(path)) != nil, let local = local(path) else { return }
        unlink(local)
    }

    /// Downloads a file. A download that broke off is continued, even after a restart of the hub.
    func write(_ source: any ByteSource, to target: String, in folder: String) async throws(SourceFault) -> Int64 {
        if let length = source.length, length > Self.mostBytes { throw tooLarge }
        let out = try NewFile("\(folder)/\(target)", goingOn: source.hasRanges)
        var tries = 0
        while source.length.map({ out.size < $0 }) ?? true {
            do throws(SourceFault) {
                let bytes = try await source.read(at: out.size, count: Self.pieceBytes)
                if bytes.isEmpty { break }
                try out.append(bytes)
                tries = 0
            } catch {
                tries += 1
                guard error.code == .unavailable, source.hasRanges, tries < Self.mostTries else { throw error }
                continue
            }
            if out.size > Self.mostBytes { throw tooLarge }
        }
        if let length = source.length, length != out.size { throw notWhole }
        try out.finish()
        return out.size
    }

    func write(_ bytes: [UInt8], to target: String, in folder: String) throws(SourceFault) {
        let out = try NewFile("\(folder)/\(target)")
        try out.append(bytes)
        try out.finish()
    }

    private var notWhole: SourceFault { SourceFault(.unavailable, "The file of the worker “\(name)” was not whole.") }
    private var tooLarge: SourceFault { SourceFault(.failed, "The file of the worker “\(name)” is larger than 1 GiB.") }

    /// Names the file after its format. Format and length are read from its header, because the worker's statement
    /// may be wrong.
    func named(_ draft: String, in folder: String) throws(SourceFault) -> (sound: String, durationMs: Milliseconds) {
        let file = try files.open(plainly: "\(folder)/\(draft)")
        let (sound, ms): (String, Milliseconds)
        switch SoundHead(try file.read(at: 0, count: 4096), size: file.stamp.size) {
        case .wav(let length): (sound, ms) = ("sound.wav", length)
        case .flac(let length): (sound, ms) = ("sound.flac", length)
        case .cut: throw SourceFault(.failed, "The file of the worker “\(name)” ends before its sound does.")
        case .none: throw SourceFault(.failed, "What the worker “\(name)” made is no WAV and no FLAC file with sound in it.")
        }
        guard rename("\(folder)/\(draft)", "\(folder)/\(sound)") == 0 else {
            throw SourceFault(.failed, "The piece cannot be written: \(String(cString: strerror(errno))).")
        }
        return (sound, ms)
    }
}
