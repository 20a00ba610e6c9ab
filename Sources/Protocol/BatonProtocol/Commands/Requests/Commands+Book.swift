import BatonCore

// How the hub carries out commands about the chapters and the speech of what plays.

extension Commands.BookSet: HubRequest { package var request: Request { .room(.setSpeech(raisesVoice: voice, trims: trim)) } }

extension Commands.BookChapter: HubRequest {
    package var request: Request { .room(.chapter(entry: entry, number.map { .number($0) } ?? .by(steps ?? 0))) }
}
