import BatonClient
import BatonProtocol
import BatonSeams
import BatonWire
import Discovery
import WebClient

/// Lists the hubs that this machine can use: paired hubs at their current addresses, and hubs announced on the network.
///
/// Every machine on the network can announce anything. So the program connects to each paired hub, at its last address and
/// where it is announced, and accepts it only with the key from the pairing.
struct HubSearch: Sendable {
    let finder: HubFinder
    let transport: SocketTransport

    /// Time limit for an address.
    static let patience: Duration = .seconds(2)

    init(_ finder: HubFinder) {
        self.finder = finder
        transport = SocketTransport(loop: finder.loop, timeout: Self.patience)
    }

    struct Sight: Equatable, Sendable {
        let name: String
        let id: String
        let address: String
        let relation: HubFinder.Relation
        /// Whether it is announced on the network.
        let isAnnounced: Bool

        func encode(into writer: inout JSONWriter) {
            writer.object { hub in
                hub.member("name", name)
                hub.member("id", id)
                hub.member("address", address)
                hub.member("standing", relation.rawValue)
                hub.member("announced", isAnnounced)
            }
        }

        var line: String {
            let isHidden = relation == .paired && !isAnnounced
            return "\(name)\t\(address)\t\(relation.rawValue)\(isHidden ? ", not announced" : "")"
        }
    }

    struct Outcome: Equatable, Sendable {
        var hubs: [Sight]
        /// The reason why the network cannot be searched.
        var blindness: String?

        /// Advice when the network does not show all hubs; else `nil`.
        var advice: String? {
            if let blindness { return "The network cannot be searched: \(blindness) \(HubFinder.byAddress)" }
            let isHidden = hubs.contains { $0.relation == .paired && !$0.isAnnounced } && !hubs.contains(where: \.isAnnounced)
            return isHidden ? "A hub answers here that this network does not show. \(HubFinder.byAddress)" : nil
        }
    }

    func run() async -> Outcome {
        async let looking = NetworkSight.look(finder)
        let known = finder.memory.known
        let answers = await answers(from: known.map(\.endpoint))
        let (records, blindness): ([HubRecord], String?) =
            switch await looking {
            case .hubs(let records): (records, nil)
            case .blind(let sentence): ([], sentence)
            }
        var hubs: [Sight] = []
        for (hub, answer) in zip(known, answers) {
            hubs.append(await sight(of: hub, answer, records.first { finder.known($0)?.id == hub.id }))
        }
        for record in records where finder.known(record) == nil {
            hubs.append(
                Sight(
                    name: record.name, id: record.id ?? "", address: (try? finder.endpoint(of: record))?.text ?? "",
                    relation: finder.relation(of: record), isAnnounced: true))
        }
        return Outcome(hubs: hubs, blindness: blindness)
    }

    private func sight(of hub: KnownHub, _ answer: Answer, _ record: HubRecord?) async -> Sight {
        func sight(_ address: String, _ relation: HubFinder.Relation) -> Sight {
            Sight(name: record?.name ?? hub.name, id: hub.id, address: address, relation: relation, isAnnounced: record != nil)
        }
        if answer == .itself { return sight(hub.address, .paired) }
        guard let record, let place = try? finder.endpoint(of: record), place.text != hub.address else {
            return sight(hub.address, answer == .another ? .impostor : .away)
        }
        switch await self.answer(from: place) {
        case .itself:
            finder.memory.moved(hub, to: place)
            return sight(place.text, .paired)
        case .another: return sight(place.text, .impostor)
        case .none: return sight(place.text, .away)
        }
    }

    // MARK: Queries

    private enum Answer: Sendable {
        case itself, another, none
    }

    /// All addresses are asked at the same time, because each may take seconds.
    private func answers(from places: [Endpoint?]) async -> [Answer] {
        await withTaskGroup(of: (Int, Answer).self) { group in
            for (index, place) in places.enumerated() {
                group.addTask { (index, await answer(from: place)) }
            }
            var answers = [Answer](repeating: .none, count: places.count)
            for await (index, answer) in group { answers[index] = answer }
            return answers
        }
    }

    private func answer(from place: Endpoint?) async -> Answer {
        guard let place else { return .none }
        do throws(ConnectFault) {
            (try await transport.connect(to: place)).close(CloseCode.normal.rawValue)
            return .itself
        } catch {
            return error.code == .otherKey ? .another : .none
        }
    }
}
