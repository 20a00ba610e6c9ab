import BatonCore

// How the hub carries out commands about users, and about the one who asks.

extension Commands.Users: HubRequest {
    package var request: Request { .users(.list(from: from)) }
}

extension Commands.UserAdd: HubRequest { package var request: Request { .users(.add(name, password: password, role: role)) } }
extension Commands.UserApprove: HubRequest { package var request: Request { .users(.approve(user)) } }
extension Commands.UserRemove: HubRequest { package var request: Request { .users(.remove(user)) } }
extension Commands.UserRole: HubRequest { package var request: Request { .users(.setRole(user, role)) } }
extension Commands.UserLinkSet: HubRequest { package var request: Request { .users(.link(device, to: user)) } }
extension Commands.UserAdopt: HubRequest { package var request: Request { .users(.adopt(person, by: user)) } }

extension Commands.RoomControlSet: HubRequest {
    package var request: Request { .users(.control(room, who, user: user, isOff: isOff)) }
}

extension Commands.UserSignUp: HubRequest {
    package var request: Request { .users(.signUp(name, password: password)) }
}

extension Commands.UserSignIn: HubRequest {
    package var request: Request { .users(.signIn(name, password: password)) }
}

extension Commands.UserSignOut: HubRequest { package var request: Request { .users(.signOut) } }

extension Commands.UserMe: HubRequest {
    package var request: Request { .users(.me) }
}

extension Commands.UserSessions: HubRequest {
    package var request: Request { .users(.sessions(user)) }
}

extension Commands.UserRevoke: HubRequest { package var request: Request { .users(.revoke(user, session: session)) } }

extension Commands.UserExport: HubRequest {
    package var request: Request { .users(.export(user, from: from)) }
}

extension Commands.UserPassword: HubRequest { package var request: Request { .users(.setPassword(user, old: old, new: password)) } }

extension Commands.UserGuest: HubRequest {
    package var request: Request { .users(.guest(name)) }
}
