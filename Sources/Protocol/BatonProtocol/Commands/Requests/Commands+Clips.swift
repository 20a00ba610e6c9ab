import BatonCore

// How the hub carries out commands about sessions of clips.

extension Commands.ClipsStart: HubRequest {
    package var request: Request { .clips(.start(text, name: name, worker: worker)) }
}

extension Commands.ClipsRemove: HubRequest { package var request: Request { .clips(.remove(cell)) } }
extension Commands.ClipsScene: HubRequest { package var request: Request { .clips(.scene(session, scene, name: name)) } }

extension Commands.ClipsList: HubRequest {
    package var request: Request { .clips(.list(session)) }
}

extension Commands.ClipsAdd: HubRequest {
    package var request: Request { .clips(.add(cell, bars: bars, words: text)) }
}

extension Commands.ClipsTurn: HubRequest { package var request: Request { .clips(.turn(cell, on: isOn)) } }
extension Commands.ClipsResume: HubRequest { package var request: Request { .clips(.resume(session)) } }

extension Commands.ClipsContinue: HubRequest {
    package var request: Request { .composing(.goOn(session, seconds: seconds, target: target)) }
}
