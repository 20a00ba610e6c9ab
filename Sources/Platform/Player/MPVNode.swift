import CMPV
import Glibc

/// A value that libmpv takes or returns, as a Swift value.
///
/// libmpv's own nodes are borrowed: returned ones are valid until the next event, and arguments only need to live for the call. So both
/// directions copy, and no pointer leaves this file's callers.
enum MPVNode: Equatable {
    case none
    case text(String)
    case flag(Bool)
    case integer(Int64)
    case double(Double)
    case list([MPVNode])
    /// Pairs in libmpv's order. A key may occur twice, as with options that append.
    case map([Pair])

    struct Pair: Equatable {
        var key: String
        var value: MPVNode
    }
}

extension MPVNode {
    init(copying node: mpv_node) {
        switch unsafe node.format {
        case MPV_FORMAT_STRING, MPV_FORMAT_OSD_STRING: self = unsafe node.u.string.map { .text(unsafe String(cString: $0)) } ?? .none
        case MPV_FORMAT_FLAG: self = unsafe .flag(node.u.flag != 0)
        case MPV_FORMAT_INT64: self = unsafe .integer(node.u.int64)
        case MPV_FORMAT_DOUBLE: self = unsafe .double(node.u.double_)
        case MPV_FORMAT_NODE_ARRAY: self = unsafe .list(Self.values(node.u.list))
        case MPV_FORMAT_NODE_MAP: self = unsafe .map(Self.pairs(node.u.list))
        default: self = .none
        }
    }

    private static func values(_ list: UnsafeMutablePointer<mpv_node_list>?) -> [MPVNode] {
        guard let list = unsafe list?.pointee, let values = unsafe list.values else { return [] }
        return unsafe (0..<Int(list.num)).map { unsafe MPVNode(copying: values[$0]) }
    }

    private static func pairs(_ list: UnsafeMutablePointer<mpv_node_list>?) -> [Pair] {
        guard let keys = unsafe list?.pointee.keys else { return [] }
        return unsafe values(list).enumerated().compactMap { index, value in
            unsafe keys[index].map { Pair(key: unsafe String(cString: $0), value: value) }
        }
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
    var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
    var list: [MPVNode]? { if case .list(let list) = self { list } else { nil } }
    var pairs: [Pair]? { if case .map(let pairs) = self { pairs } else { nil } }

    /// libmpv may report whole seconds as integers.
    var number: Double? {
        switch self {
        case .double(let number): number
        case .integer(let number): Double(number)
        default: nil
        }
    }

    subscript(key: String) -> MPVNode? { pairs?.first { $0.key == key }?.value }
}

/// The C form of a node for the length of one call.
@safe struct BorrowedNode: ~Copyable {
    private var memory: [UnsafeMutableRawPointer] = unsafe []
    private var root = unsafe mpv_node()

    init(_ node: MPVNode) { unsafe root = lay(node) }

    deinit { unsafe memory.forEach { unsafe free($0) } }

    mutating func withPointer<Result>(_ body: (UnsafeMutablePointer<mpv_node>) -> Result) -> Result {
        unsafe withUnsafeMutablePointer(to: &root) { unsafe body($0) }
    }

    private mutating func lay(_ node: MPVNode) -> mpv_node {
        var laid = unsafe mpv_node()
        switch node {
        case .none: unsafe laid.format = MPV_FORMAT_NONE
        case .text(let text):
            unsafe laid.format = MPV_FORMAT_STRING
            unsafe laid.u.string = lay(text)
        case .flag(let flag):
            unsafe laid.format = MPV_FORMAT_FLAG
            unsafe laid.u.flag = flag ? 1 : 0
        case .integer(let integer):
            unsafe laid.format = MPV_FORMAT_INT64
            unsafe laid.u.int64 = integer
        case .double(let double):
            unsafe laid.format = MPV_FORMAT_DOUBLE
            unsafe laid.u.double_ = double
        case .list(let list):
            unsafe laid.format = MPV_FORMAT_NODE_ARRAY
            unsafe laid.u.list = lay(values: list, keys: nil)
        case .map(let pairs):
            unsafe laid.format = MPV_FORMAT_NODE_MAP
            unsafe laid.u.list = lay(values: pairs.map(\.value), keys: pairs.map(\.key))
        }
        return unsafe laid
    }

    private mutating func lay(_ text: String) -> UnsafeMutablePointer<CChar>? {
        guard let copy = unsafe strdup(text) else { preconditionFailure("There is no memory for a text of libmpv.") }
        unsafe memory.append(copy)
        return unsafe copy
    }

    private mutating func lay(values: [MPVNode], keys: [String]?) -> UnsafeMutablePointer<mpv_node_list> {
        let list: UnsafeMutablePointer<mpv_node_list> = unsafe room(for: 1)
        let nodes: UnsafeMutablePointer<mpv_node> = unsafe room(for: values.count)
        for (index, value) in values.enumerated() { unsafe nodes[index] = lay(value) }
        unsafe list.pointee.num = Int32(values.count)
        unsafe list.pointee.values = nodes
        if let keys {
            let names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = unsafe room(for: keys.count)
            for (index, key) in keys.enumerated() { unsafe names[index] = lay(key) }
            unsafe list.pointee.keys = names
        }
        return unsafe list
    }

    private mutating func room<Element>(for count: Int) -> UnsafeMutablePointer<Element> {
        guard let block = unsafe calloc(max(count, 1), MemoryLayout<Element>.stride) else {
            preconditionFailure("There is no memory for a node of libmpv.")
        }
        unsafe memory.append(block)
        return unsafe block.bindMemory(to: Element.self, capacity: max(count, 1))
    }
}
