import BatonCore

// How the hub carries out commands about rooms and the people in them.

extension Commands.RoomCreate: HubRequest {
    package var request: Request { .rooms(.create(name: name, output: output)) }
}

extension Commands.RoomDelete: HubRequest { package var request: Request { .rooms(.delete(room)) } }
extension Commands.RoomRestore: HubRequest { package var request: Request { .rooms(.restore(room)) } }
extension Commands.RoomJoin: HubRequest { package var request: Request { .joining(.join(source: source, room: room)) } }
extension Commands.RoomUnjoin: HubRequest { package var request: Request { .joining(.leave) } }

extension Commands.RoomJoined: HubRequest {
    package var request: Request { .joining(.look) }
}

extension Commands.VoteSkip: HubRequest { package var request: Request { .presence(.vote(entry)) } }
extension Commands.PeopleKick: HubRequest { package var request: Request { .presence(.kick(who, minutes: minutes)) } }
extension Commands.RoomRename: HubRequest { package var request: Request { .rooms(.rename(room, to: name)) } }

extension Commands.RoomSet: HubRequest {
    package var request: Request {
        .rooms(.set(room, RailChange(floor: floor, ceiling: ceiling, startMax: startMax), output: output, whenEmpty: whenEmpty))
    }
}

extension Commands.RoomMove: HubRequest { package var request: Request { .rooms(.move(to: target, keep: keep)) } }
extension Commands.VoteRule: HubRequest { package var request: Request { .presence(.setShare(share)) } }
