import BatonCore
import BatonProtocol

/// How `RoomRequest` and what belongs to it are read from JSON.
extension RoomRequest {
    static func create(_ p: Fields) throws(ProtocolFault) -> Request {
        .rooms(.create(name: try p.required("name", p.peoplesName("name")), output: try p.output().value))
    }

    static func rename(_ p: Fields) throws(ProtocolFault) -> Request {
        .rooms(.rename(try p.required("room", p.room("room")), to: try p.required("name", p.peoplesName("name"))))
    }

    static func delete(_ p: Fields) throws(ProtocolFault) -> Request {
        .rooms(.delete(try p.required("room", p.room("room"))))
    }

    static func set(_ p: Fields) throws(ProtocolFault) -> Request {
        let rails = RailChange(
            floor: try p.int("floor", in: 0...100), ceiling: try p.int("ceiling", in: 0...100), startMax: try p.int("startMax", in: 0...100)
        )
        return .rooms(.set(try p.room("room"), rails, output: try p.output()))
    }

    static func move(_ p: Fields) throws(ProtocolFault) -> Request {
        .rooms(.move(to: try p.required("to", p.room("to")), keep: try p.bool("keep") ?? false))
    }
}

extension Fields {
    fileprivate func room(_ name: String) throws(ProtocolFault) -> RoomID? {
        try string(name, bytes: 1...64).map { RoomID($0) }
    }

    /// People read it in lists, say it aloud and type it.
    func peoplesName(_ name: String) throws(ProtocolFault) -> String? {
        guard let value = object[name] else { return nil }
        guard let text = value.string, 1...64 ~= text.count, text.utf8.count <= 256, !text.unicodeScalars.contains(where: \.isControl)
        else {
            throw fault(name, "\(name) must be text of 1 to 64 characters, without control characters.")
        }
        if text.first?.isWhitespace == true || text.last?.isWhitespace == true {
            throw fault(name, "\(name) must not begin or end with a space.")
        }
        return text
    }

    /// A device by the player's name for it; null is the hub's own.
    fileprivate func output() throws(ProtocolFault) -> Patch<String> {
        guard let value = object["output"] else { return .unchanged }
        if value.isNull { return .cleared }
        guard let text = value.string, 1...256 ~= text.utf8.count, !text.unicodeScalars.contains(where: \.isControl) else {
            throw fault("output", "output must be a device's name, or null.")
        }
        return .set(text)
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}
