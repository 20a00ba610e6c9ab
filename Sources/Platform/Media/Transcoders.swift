package import BatonCore
import BatonReading
package import BatonSeams
import Synchronization

/// Encodes sound in separate processes: `baton-transcoder`, one for each stream and each item.
///
/// A process that breaks or stalls is ended and named in the error; its owner starts another one. Of the answers, this process parses only
/// lengths.
package final class Transcoders: SoundEncoding {
    private let program: ReaderProgram?
    private let missing: String
    private let patienceMs: Milliseconds
    private let state = Mutex(State())

    private struct State {
        var running = 0
        var isClosed = false
    }

    /// Limit of processes. Each takes a few percent of a processor, so a higher number indicates a bug.
    package static let most = 32

    package init(_ search: ReaderProgram.Search = ReaderProgram.findTranscoder(), patienceMs: Milliseconds = 10_000) {
        self.patienceMs = patienceMs
        switch search {
        case .found(let program): (self.program, missing) = (program, "")
        case .missing(let sentence): (program, missing) = (nil, sentence)
        }
    }

    /// The reason why encoding is not possible; `nil` if it is.
    package var trouble: String? { program == nil ? missing : nil }

    package func begin(_ coding: SoundCoding) throws(EncodingFault) -> any EncodingWork {
        guard let program else { throw EncodingFault(isOver: true, missing) }
        let hasRoom = state.withLock { state in
            guard !state.isClosed, state.running < Self.most else { return false }
            state.running += 1
            return true
        }
        guard hasRoom else { throw EncodingFault(isOver: true, "\(Self.most) encoders run already. Try again later.") }
        guard let process = ReaderProcess.start(program, onEnd: { [self] in hasEnded() }) else {
            hasEnded()
            throw EncodingFault(isOver: true, "The system could not start \(program.path).")
        }
        let work = Transcoding(process, patienceMs: patienceMs)
        _ = try work.ask(.begin(coding.format), nil, of: "the encoder")
        return work
    }

    package func growingFile() -> (any GrowingFile)? { MemoryFile() }

    package func close() { state.withLock { $0.isClosed = true } }

    private func hasEnded() { state.withLock { $0.running -= 1 } }
}

extension SoundCoding {
    fileprivate var format: EncodedFormat {
        let codec: EncodedFormat.Codec =
            switch codec {
            case .opus: .opus
            case .mp3: .mp3
            case .aac: .aac
            }
        return EncodedFormat(codec, kilobits: kilobits)
    }
}

/// Sendable, because one caller at a time owns it and waits for each answer; `close` only accesses the process, which may be ended at any
/// time.
private final class Transcoding: EncodingWork, @unchecked Sendable {
    private let process: ReaderProcess
    private let line: ReaderLine
    private let patienceMs: Milliseconds
    /// The file's name, for errors.
    private var name = "silence"

    init(_ process: ReaderProcess, patienceMs: Milliseconds) {
        self.process = process
        self.patienceMs = patienceMs
        line = ReaderLine(process)
    }

    deinit { close() }

    func play(_ source: EncodingSource) throws(EncodingFault) -> EncodedPiece {
        if source.sound != .same { name = source.file?.path ?? "silence" }
        let shortName = name.split(separator: "/").last.map(String.init) ?? ""
        var request = TranscoderSource(
            title: source.title.prefix(bytes: TranscoderSource.longestText),
            artist: source.artist.prefix(bytes: TranscoderSource.longestText),
            name: shortName.utf8.count <= ReaderRequest.longestName ? shortName : "")
        switch source.sound {
        case .silence: request.kind = .silence
        case .file(_, let fromMs, let untilMs):
            request.kind = .file
            request.fromMs = UInt32(clamping: fromMs.count)
            request.untilMs = untilMs.map { UInt32(clamping: max(1, $0.count)) }
        case .growing: request.kind = .growing
        case .same: request.kind = .same
        }
        return try ask(.source(request), source.file?.content, of: name)
    }

    func more(ms: Milliseconds, isSilent: Bool) throws(EncodingFault) -> EncodedPiece {
        try ask(.more(ms: Self.bounded(ms), isSilent: isSilent), nil, of: name)
    }

    func rest(ms: Milliseconds) throws(EncodingFault) -> EncodedPiece { try ask(.rest(ms: Self.bounded(ms)), nil, of: name) }

    func close() { process.end() }

    func ask(_ request: TranscoderRequest, _ file: (any FileRange)?, of name: String) throws(EncodingFault) -> EncodedPiece {
        let answer: TranscoderAnswer
        do throws(ReaderLine.Loss) {
            line.allow(ms: patienceMs)
            try line.send(request.frame, with: file.map { [$0] } ?? [])
            let body = try line.awaitBody(largest: TranscoderAnswer.largest)
            guard let heard = try? TranscoderAnswer(body) else { throw .garbled }
            answer = heard
        } catch {
            process.end()
            throw EncodingFault(isOver: true, error.sentence(about: name))
        }
        switch answer {
        case .sound(let sound): return EncodedPiece(sound.bytes, head: sound.head, atMs: Milliseconds(sound.atMs), hasEnded: sound.hasEnded)
        case .failed(let failure): throw EncodingFault(isOver: false, failure.fault(with: .file(name)).sentence)
        }
    }

    private static func bounded(_ ms: Milliseconds) -> UInt32 { min(TranscoderRequest.mostMs, UInt32(clamping: ms.count)) }
}

extension ReaderLine.Loss {
    fileprivate func sentence(about name: String) -> String {
        switch self {
        case .ended: "The program that encodes sound has ended while it encoded \(name)."
        case .garbled: "The program that encodes sound gave a wrong answer while it encoded \(name)."
        case .tookTooLong: "The program that encodes sound took too long with \(name)."
        }
    }
}
