import BatonCore
import BatonProtocol

/// The JSON form of one operation on a queue.
extension QueueOps.Op {
    func encodeElements(into writer: inout JSONWriter) {
        switch self {
        case .insert(let anchor, let ids):
            writer.string("ins")
            writer.entry(anchor)
            writer.entries(ids)
        case .delete(let ids):
            writer.string("del")
            writer.entries(ids)
        case .move(let ids, let anchor):
            writer.string("mov")
            writer.entries(ids)
            writer.entry(anchor)
        case .current(let entry):
            writer.string("cur")
            writer.entry(entry)
        case .unrecognised(let name): writer.string(name)
        }
    }

    init?(from value: JSON) {
        guard let parts = value.array, let name = parts.first?.string else { return nil }
        func entry(_ index: Int) -> EntryID? { index < parts.count ? parts[index].string.flatMap(EntryID.init(text:)) : nil }
        func entries(_ index: Int) -> [EntryID] {
            index < parts.count ? (parts[index].array ?? []).compactMap { $0.string.flatMap(EntryID.init(text:)) } : []
        }
        self =
            switch name {
            case "ins": .insert(after: entry(1), entries(2))
            case "del": .delete(entries(1))
            case "mov": .move(entries(1), after: entry(2))
            case "cur": .current(entry(1))
            default: .unrecognised(name)
            }
    }
}

extension JSONWriter {
    mutating func entry(_ entry: EntryID?) {
        if let entry { string(entry.text) } else { null() }
    }

    mutating func entries(_ entries: [EntryID]) {
        array { for entry in entries { $0.string(entry.text) } }
    }
}
