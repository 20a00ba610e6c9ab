import BatonReading
import Glibc
import MediaFormat

/// The transcoder's side of the connection to the hub, which handles one request at a time.
final class Conversation {
    private static let patienceMs: Int32 = 30_000

    private let hub = HubSocket(STDIN_FILENO, STDOUT_FILENO)
    private var encoder: SoundEncoder?
    private var decoder: SoundDecoder?
    /// The last titles that were sent to listeners.
    private var told: [String]?

    /// Answers requests until the hub has ended or stays silent for half a minute.
    func run() {
        while hub.wait(ms: Self.patienceMs) == .asked, let (request, files) = hear() {
            guard hub.send(answer(request, files).frame) else { return }
        }
    }

    private func answer(_ request: TranscoderRequest, _ files: [Int32]) -> TranscoderAnswer {
        switch request {
        case .begin(let format):
            encoder = SoundEncoder(format)
            (decoder, told) = (nil, nil)
            return .sound(EncodedSound())
        case .source(let source): return take(source, files)
        case .more(let ms, let isSilent): return .sound(more(frames: frames(ms), isSilent: isSilent))
        case .rest(let ms): return .sound(rest(frames: frames(ms)))
        }
    }

    private func frames(_ ms: UInt32) -> Int { Int(ms) * EncodedFormat.sampleRate / 1000 }

    private func take(_ source: TranscoderSource, _ files: [Int32]) -> TranscoderAnswer {
        if source.kind != .same { decoder = nil }
        do {
            if let file = files.first {
                decoder = try SoundDecoder(
                    OpenFile(file, isGrowing: source.kind == .growing), named: source.name, fromMs: Int(source.fromMs),
                    untilMs: source.untilMs.map(Int.init))
            }
            let title = [source.title, source.artist]
            guard title != told, let encoder else { return .sound(sound([])) }
            told = title
            let (end, head) = try encoder.begin(title: source.title, artist: source.artist)
            return .sound(sound(end, head: head))
        } catch {
            return .failed(error)
        }
    }

    private func more(frames: Int, isSilent: Bool) -> EncodedSound {
        var samples = isSilent ? [] : decoder?.next(frames: frames) ?? []
        let hasEnded = !isSilent && samples.count < frames * 2 && decoder?.isGrowing != true
        samples += [Float](repeating: 0, count: frames * 2 - samples.count)
        var sound = sound(encoder?.encode(samples) ?? [])
        sound.hasEnded = hasEnded
        return sound
    }

    private func rest(frames: Int) -> EncodedSound {
        let samples = decoder?.next(frames: frames) ?? []
        var sound = sound(encoder?.encode(samples) ?? [])
        guard samples.count < frames * 2 else { return sound }
        sound.bytes += encoder?.finish() ?? []
        sound.hasEnded = true
        told = nil
        return sound
    }

    private func sound(_ bytes: [UInt8], head: [UInt8] = []) -> EncodedSound {
        EncodedSound(bytes, head: head, atMs: UInt32(clamping: decoder?.atMs ?? 0))
    }

    /// Receives a request; `nil` if the number of files differs from the one that it states.
    private func hear() -> (TranscoderRequest, [Int32])? {
        guard let (body, files) = hub.frame(largest: TranscoderRequest.largest) else { return nil }
        guard let request = try? TranscoderRequest(body), request.files == files.count else { return nil }
        return (request, files)
    }
}
