import BatonSeams

/// The programs that have asked for something, with their users, as far as the bus has named those.
///
/// A value. The bus is asked once for each program; its calls wait meanwhile, so that they stay in order. A program that leaves the bus is
/// forgotten, so the table has at most as many rows as programs that are there.
struct BusCallers<Waiting> {
    private enum Row {
        case asked([Waiting])
        case known(BusCaller)
    }

    /// The treatment of a call.
    enum Step: Equatable {
        case go(BusCaller)
        /// The call waits, and the bus has to be asked.
        case ask
        case wait
        /// The program has too many calls that wait, or there are too many programs.
        case refuse
    }

    private var rows: [String: Row] = [:]
    private static var mostPrograms: Int { 1_024 }
    private static var mostWaiting: Int { 64 }

    init() {}

    mutating func take(_ call: Waiting, from name: String) -> Step {
        switch rows[name] {
        case .known(let caller): return .go(caller)
        case .asked(let waiting) where waiting.count >= Self.mostWaiting: return .refuse
        case .asked(let waiting):
            rows[name] = .asked(waiting + [call])
            return .wait
        case nil where rows.count >= Self.mostPrograms: return .refuse
        case nil:
            rows[name] = .asked([call])
            return .ask
        }
    }

    /// Notes the user of a program and returns the calls that waited. Without one the program is gone, or the bus refuses to say.
    mutating func learn(_ uid: UInt32?, of name: String) -> (caller: BusCaller?, calls: [Waiting]) {
        guard case .asked(let waiting)? = rows[name] else { return (nil, []) }
        let caller = uid.map { BusCaller(name: name, uid: $0) }
        rows[name] = caller.map { .known($0) }
        return (caller, waiting)
    }

    /// Forgets a program that has left; `nil` if it never acted.
    mutating func forget(_ name: String) -> BusCaller? {
        guard let row = rows.removeValue(forKey: name), case .known(let caller) = row else { return nil }
        return caller
    }

    var names: [String] { Array(rows.keys) }
}
