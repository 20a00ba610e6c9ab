public import BatonCore

// How the hub carries out commands about what plays in a room, and how loud.

extension Commands.Pause: HubRequest { package var request: Request { .room(.pause) } }
extension Commands.Stop: HubRequest { package var request: Request { .room(.stop) } }
extension Commands.Toggle: HubRequest { package var request: Request { want == .playing ? .room(.play()) : .room(.pause) } }
extension Commands.Next: HubRequest { package var request: Request { .room(.next(from: from, count: count)) } }
extension Commands.Previous: HubRequest { package var request: Request { .room(.previous(from: from, restartMs: restartMs)) } }
extension Commands.SeekBy: HubRequest { package var request: Request { .room(.skip(entry: entry, byMs: ms)) } }

extension Commands.Play: HubRequest {
    /// Plays something new.
    public init(_ uri: ItemURI, index: Int? = nil, positionMs: Int? = nil) { self.init(uri: uri, index: index, positionMs: positionMs) }

    package var request: Request {
        guard let uri else { return .room(.play(entry: entry, positionMs: positionMs)) }
        return .play(uri: uri, index: index ?? 0, positionMs: positionMs ?? 0)
    }
}

extension Commands.Jump: HubRequest { package var request: Request { .room(.jump(entry)) } }
extension Commands.Seek: HubRequest { package var request: Request { .room(.seek(entry: entry, toMs: positionMs)) } }

extension Commands.VolumeSet: HubRequest { package var request: Request { .room(.setLevel(level)) } }
extension Commands.VolumeMute: HubRequest { package var request: Request { .room(.setMute(isOn)) } }

extension Commands.ModeSet: HubRequest {
    package var request: Request {
        var change = ModeChange(
            repeat: `repeat`, shuffle: shuffle, speed: speed, gain: gain, preampDb: preampDb,
            unfinished: unfinished.flatMap { Unfinished($0, filler: filler) }, forwardMs: forwardMs, backMs: backMs, isMono: mono)
        if let mode {
            change.repeat = mode.change.repeat
            change.shuffle = mode.change.shuffle
        }
        return .room(.setModes(change))
    }
}

extension Commands.VolumeStep: HubRequest { package var request: Request { .room(.stepLevel(by: step)) } }
