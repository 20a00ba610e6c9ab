import BatonCore

// How the hub carries out commands about the hub itself, and the devices that may connect to it.

extension Commands.Info: HubRequest {
    package var request: Request { .hubInfo }
}

extension Commands.NewTicket: HubRequest {
    package var request: Request { .devices(.ticket) }
}

extension Commands.PairOpen: HubRequest {
    package var request: Request { .devices(.open(role: role, ttlMs: ttlMs, forMs: forMs)) }
}

extension Commands.PairClose: HubRequest { package var request: Request { .devices(.close) } }

extension Commands.Devices: HubRequest {
    package var request: Request { .devices(.list(from: from)) }
}

extension Commands.DeviceRevoke: HubRequest { package var request: Request { .devices(.revoke(device)) } }

extension Commands.DeviceRotate: HubRequest {
    package var request: Request { .devices(.rotate) }
}

extension Commands.DeviceRole: HubRequest {
    package var request: Request { .devices(.setRole(device, role, DeviceRequest.Guests(span: span, forMs: forMs))) }
}

extension Commands.DeviceRename: HubRequest { package var request: Request { .devices(.rename(device, name)) } }
extension Commands.DevicePerson: HubRequest { package var request: Request { .devices(.setPerson(device, person)) } }

extension Commands.ReadLog: HubRequest {
    public init(_ query: HubLogQuery) { self.init(level: query.level, after: query.after, limit: query.limit) }
    package var request: Request { .hubLog(HubLogQuery(level, after: after, limit: limit)) }
}

extension Commands.Resume: HubRequest { package var request: Request { .hubResume } }
