import BatonCore

// How the hub carries out commands about the hub itself, and the devices that may connect to it.

extension Commands.Info: HubRequest {
    public typealias Answer = HubInfo
    package var request: Request { .hubInfo }
}

extension Commands.NewTicket: HubRequest {
    public typealias Answer = Ticket
    package var request: Request { .devices(.ticket) }
}

extension Commands.PairOpen: HubRequest {
    public typealias Answer = PairingWindow
    package var request: Request { .devices(.open(role: role, ttlMs: ttlMs, forMs: forMs)) }
}

extension Commands.PairClose: HubRequest { package var request: Request { .devices(.close) } }

extension Commands.Devices: HubRequest {
    public typealias Answer = DeviceList
    package var request: Request { .devices(.list(from: from)) }
}

extension Commands.DeviceRevoke: HubRequest { package var request: Request { .devices(.revoke(device)) } }

extension Commands.DeviceRotate: HubRequest {
    public typealias Answer = NewDeviceKey
    package var request: Request { .devices(.rotate) }
}

extension Commands.DeviceRole: HubRequest {
    package var request: Request { .devices(.setRole(device, role, DeviceRequest.Guests(span: span, forMs: forMs))) }
}

extension Commands.DeviceRename: HubRequest { package var request: Request { .devices(.rename(device, name)) } }
extension Commands.DevicePerson: HubRequest { package var request: Request { .devices(.setPerson(device, person)) } }

extension Commands.ReadLog: HubRequest {
    public typealias Answer = HubLog
    public init(_ query: HubLogQuery) { self.init(level: query.level, after: query.after, limit: query.limit) }
    package var request: Request { .hubLog(HubLogQuery(level, after: after, limit: limit)) }
}

extension Commands.Resume: HubRequest { package var request: Request { .hubResume } }
