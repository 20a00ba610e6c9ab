package import BatonCore
package import BatonProtocol

/// One command as it arrived: its id, its method and parameters, and the key that makes a retry safe.
package struct CommandFrame: Equatable, Sendable {
    package static let type = "cmd"

    /// Strictly increasing on one connection.
    package var id: Int
    /// The name of the command, which may be one that the hub does not have.
    package var method: String
    /// Unique for this device for ten minutes. The same key means the same key press.
    package var key: String?
    /// The room; `nil` means the hub's first one.
    package var room: RoomID?
    /// The client's estimate of the hub's clock at the key press.
    package var ct: Milliseconds?
    /// The time after `ct` for which the command is valid.
    package var ttl: Milliseconds?
    /// Parameters as they came. They are read as a whole only when the kind of the command is known.
    package var params: JSONObject
    /// The defect of a member beside `p`. It is told only once the method and the role have been looked at.
    package var defect: Defect?

    /// A defect of the frame itself. Few have one, so it lies elsewhere.
    package indirect enum Defect: Equatable, Sendable {
        /// A member that is not known, or a `p` that is no object and so says nothing about parameters.
        case member(ProtocolFault)
        /// A value that cannot be read; the values behind it are missing.
        case value(ProtocolFault)
    }

    /// A hash of method, room and parameters, which is equal for a repeat. See `Fingerprint`.
    package var fingerprint: UInt64 {
        var print = Fingerprint()
        print.add(method)
        print.add(room?.text)
        print.add(params)
        return print.value
    }

    package init(
        id: Int, method: String, key: String? = nil, room: RoomID? = nil, ct: Milliseconds? = nil, ttl: Milliseconds? = nil,
        params: JSONObject = JSONObject()
    ) {
        self.id = id
        self.method = method
        self.key = key
        self.room = room
        self.ct = ct
        self.ttl = ttl
        self.params = params
    }
}

extension CommandFrame {
    static var idRange: ClosedRange<Int> { 1...Int(Int32.max) }
    static var ttlRange: ClosedRange<Int> { 0...600_000 }

    /// After the id was read, every fault contains it, so that the command is answered.
    init(from fields: Fields) throws(ProtocolFault) {
        let id = try fields.required("id", fields.int("id", in: Self.idRange))
        do { try self.init(id: id, from: fields) } catch { throw error.answering(id) }
    }

    private init(id: Int, from fields: Fields) throws(ProtocolFault) {
        self.init(id: id, method: try fields.required("m", fields.string("m", bytes: 1...64)))
        do throws(ProtocolFault) {
            try fields.refuseUnknown {
                switch $0 {
                case "t", "id", "m", "k", "room", "ct", "ttl", "p": true
                default: false
                }
            }
            params = try fields.fields("p")?.object ?? params
        } catch {
            defect = .member(error.answering(id))
            return
        }
        do throws(ProtocolFault) {
            key = try fields.token("k", length: 4...16)
            room = try fields.string("room", bytes: 1...64).map(RoomID.init)
            ct = try fields.int64("ct").map { Milliseconds($0) }
            ttl = try fields.int("ttl", in: Self.ttlRange).map { Milliseconds($0) }
        } catch {
            defect = .value(error.answering(id))
        }
    }

    package func encode(into writer: inout JSONWriter) {
        writer.object { message in
            message.member("t", Self.type)
            message.member("id", id)
            message.member("m", method)
            message.member("k", ifPresent: key)
            message.member("room", ifPresent: room?.text)
            message.member("ct", ifPresent: ct)
            message.member("ttl", ifPresent: ttl)
            guard !params.members.isEmpty else { return }
            message.name("p")
            message.value(.object(params))
        }
    }
}
