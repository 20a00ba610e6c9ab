/// Parsers for everything that clients of music rooms send. No document specifies the bodies exactly, so all of them are in this file,
/// where a correction is easy.
///
/// The parsers are strict: an invalid body is answered with a sentence, and nothing is guessed from it.
package import BatonCore
import BatonJSON

/// The reason why a body or a message was not understood.
package struct RoomFault: Error, Equatable, Sendable {
    package let sentence: String

    package init(_ sentence: String) { self.sentence = sentence }
}

/// A message over the WebSocket of a room.
package enum RoomAction: Equatable, Sendable {
    case pause, unpause
    case seek(ms: Milliseconds)
    case jump(Int)
    case move(to: String)

    package init(_ bytes: [UInt8]) throws(RoomFault) {
        let body = try RoomBody(bytes)
        let action = try body.text("action", in: 1...32)
        switch action {
        case "pause": self = .pause
        case "unpause": self = .unpause
        case "seek": self = .seek(ms: try body.milliseconds("timestamp"))
        case "jump": self = .jump(try body.index("index"))
        case "switch": self = .move(to: try body.text("channelId", in: 1...128))
        default: throw RoomFault("There is no action “\(action)”: pause, unpause, seek, jump and switch are understood.")
        }
    }
}

/// One change of a queue or a playlist. Places count from 0 in the list that was sent to the client last.
package enum ListPatch: Equatable, Sendable {
    case add([String], at: Int?)
    case remove([Int])
    case move(from: Int, to: Int)
    case set([String])

    /// Limit of tracks or places in one patch.
    package static let most = 2_000

    package init(_ bytes: [UInt8]) throws(RoomFault) {
        guard let patch = try ListPatch(RoomBody(bytes)) else {
            throw RoomFault("A queue is changed by add (or trackIds) with insertAt, remove (or indices), move, or set.")
        }
        self = patch
    }

    /// `nil` for a body without a change of this kind.
    fileprivate init?(_ body: RoomBody) throws(RoomFault) {
        let forms = [["add", "trackIds"], ["remove", "indices"], ["move"], ["set"]]
        let named = forms.flatMap { $0 }.filter { body.has($0) }
        guard let name = named.first else { return nil }
        guard named.count == 1 else { throw RoomFault("A patch makes one change, and this one has \(named.joined(separator: " and ")).") }
        switch name {
        case "add", "trackIds": self = .add(try body.ids(name), at: try body.has("insertAt") ? body.index("insertAt") : nil)
        case "remove", "indices": self = .remove(try body.indices(name))
        case "move":
            let places = try body.object("move")
            self = .move(from: try places.index("from"), to: try places.index("to"))
        default: self = .set(try body.ids(name))
        }
    }
}

/// The body of sign-up and sign-in.
package struct Credentials: Equatable, Sendable {
    package var name: String
    package var password: String

    package init(_ bytes: [UInt8]) throws(RoomFault) {
        let body = try RoomBody(bytes)
        name = try body.text("username", in: 1...256)
        password = try body.text("password", in: 1...1024)
    }
}

/// The wanted properties of a room.
package struct RoomWish: Equatable, Sendable {
    package var name: String?
    package var mode: NamedMode?

    /// The properties of a new room, which needs a name.
    package init(making bytes: [UInt8]) throws(RoomFault) {
        try self.init(changing: bytes)
        guard name != nil else { throw RoomFault("A new room needs a name.") }
    }

    package init(changing bytes: [UInt8]) throws(RoomFault) {
        let body = try RoomBody(bytes)
        name = try body.has("name") ? body.title("name") : nil
        let modes = ["playbackMode", "mode"].filter { body.has($0) }
        mode = try modes.first.map { member throws(RoomFault) in try body.mode(member) }
        if body.has("description"), try !body.text("description", in: 0...1024).isEmpty {
            throw RoomFault("This hub keeps no descriptions of rooms.")
        }
        guard name != nil || mode != nil else { throw RoomFault("Of a room, name and playbackMode can be changed.") }
    }
}

extension NamedMode {
    /// The body `{"mode": …}`.
    package init(body bytes: [UInt8]) throws(RoomFault) {
        let body = try RoomBody(bytes)
        self = try body.mode(body.has("playbackMode") ? "playbackMode" : "mode")
    }
}

/// The wanted properties of a playlist.
package struct PlaylistWish: Equatable, Sendable {
    package var name: String?
    package var about: String?
    package var isPublic: Bool?
    package var patch: ListPatch?

    /// The properties of a new playlist: its name, and optionally its tracks.
    package init(making bytes: [UInt8]) throws(RoomFault) {
        try self.init(RoomBody(bytes))
        guard name != nil else { throw RoomFault("A new playlist needs a name.") }
        if case .remove? = patch { throw RoomFault("There is nothing to remove from a new playlist.") }
        if case .move? = patch { throw RoomFault("There is nothing to move in a new playlist.") }
    }

    /// A change. `trackIds` without `insertAt` is the whole list, because some clients send a playlist back as a whole.
    package init(changing bytes: [UInt8]) throws(RoomFault) {
        let body = try RoomBody(bytes)
        try self.init(body)
        if body.has("trackIds"), case .add(let ids, at: nil)? = patch { patch = .set(ids) }
        guard name != nil || about != nil || isPublic != nil || patch != nil else {
            throw RoomFault("Of a playlist, name, description, isPublic and its tracks can be changed.")
        }
    }

    private init(_ body: RoomBody) throws(RoomFault) {
        name = try body.has("name") ? body.title("name") : nil
        isPublic = try body.has("isPublic") ? body.flag("isPublic") : nil
        about = try body.has("description") ? body.text("description", in: 0...1024) : nil
        patch = try ListPatch(body)
    }
}

/// The object in a body, with bounds for its members.
private struct RoomBody {
    private let object: JSONObject

    private static let limits = {
        var limits = JSONLimits.standard
        limits.depth = 4
        limits.members = 16
        limits.elements = ListPatch.most
        limits.stringBytes = 1024
        limits.nameBytes = 32
        return limits
    }()
    /// A hundred days, longer than any track.
    private static let longestSeconds = 8_640_000.0
    private static let mostPlaces = 1_000_000

    init(_ bytes: [UInt8]) throws(RoomFault) {
        let json: JSON
        do throws(JSONFault) { json = try JSON.parse(bytes, limits: Self.limits) } catch { throw RoomFault(error.sentence) }
        guard let object = json.object else { throw RoomFault("Expected a JSON object.") }
        self.object = object
    }

    private init(_ object: JSONObject) { self.object = object }

    /// A member that is `null` counts as missing.
    func has(_ name: String) -> Bool { object[name].map { !$0.isNull } ?? false }

    func text(_ name: String, in lengths: ClosedRange<Int>) throws(RoomFault) -> String {
        guard let text = object[name]?.string else { throw RoomFault("\(name) must be a text.") }
        guard lengths.contains(text.utf8.count) else {
            throw RoomFault("\(name) must have \(lengths.lowerBound) to \(lengths.upperBound) bytes.")
        }
        return text
    }

    /// A name that people gave.
    func title(_ name: String) throws(RoomFault) -> String {
        let text = try text(name, in: 1...256)
        guard text.count <= 64, !text.hasPrefix(" "), !text.hasSuffix(" "),
            text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else { throw RoomFault("\(name) must have at most 64 characters, and neither begin nor end with a space.") }
        return text
    }

    func flag(_ name: String) throws(RoomFault) -> Bool {
        guard let flag = object[name]?.bool else { throw RoomFault("\(name) must be true or false.") }
        return flag
    }

    func milliseconds(_ name: String) throws(RoomFault) -> Milliseconds {
        let seconds: Double? =
            switch object[name] {
            case .int(let whole)?: Double(whole)
            case .double(let part)?: part
            default: nil
            }
        guard let seconds, seconds >= 0, seconds <= Self.longestSeconds else {
            throw RoomFault("\(name) must be a number of seconds, 0 or more.")
        }
        return Milliseconds((seconds * 1000).rounded())
    }

    func index(_ name: String) throws(RoomFault) -> Int {
        guard let index = object[name].flatMap(Self.place) else { throw RoomFault("\(name) must be a place in the list, counted from 0.") }
        return index
    }

    private static func place(_ json: JSON) -> Int? {
        guard let number = json.int, 0...Int64(mostPlaces) ~= number else { return nil }
        return Int(number)
    }

    func indices(_ name: String) throws(RoomFault) -> [Int] {
        guard let values = object[name]?.array, !values.isEmpty else { throw RoomFault("\(name) must be a list of places.") }
        let places = values.compactMap(Self.place)
        guard places.count == values.count else { throw RoomFault("\(name) must be a list of places, counted from 0.") }
        return places
    }

    func ids(_ name: String) throws(RoomFault) -> [String] {
        guard let values = object[name]?.array else { throw RoomFault("\(name) must be a list of the ids of tracks.") }
        let ids = values.compactMap(\.string)
        guard ids.count == values.count, ids.allSatisfy({ 1...128 ~= $0.utf8.count }) else {
            throw RoomFault("\(name) must be a list of the ids of tracks.")
        }
        return ids
    }

    func object(_ name: String) throws(RoomFault) -> RoomBody {
        guard let object = object[name]?.object else { throw RoomFault("\(name) must be an object.") }
        return RoomBody(object)
    }

    func mode(_ name: String) throws(RoomFault) -> NamedMode {
        let text = try text(name, in: 1...32)
        guard let mode = NamedMode(rawValue: text) else {
            throw RoomFault("There is no mode “\(text)”: \(NamedMode.allCases.map(\.rawValue).joined(separator: ", ")) are understood.")
        }
        return mode
    }
}
