/// Edits of collections on the server. A collection is read again before each change, and a change for an outdated
/// version is refused.
package import BatonCore
import BatonJSON
package import BatonSeams

extension SapphoConnector {
    func collections() async throws(SourceFault) -> [SapphoCollection] {
        try await server.list("/api/collections").compactMap { SapphoCollection($0) }
    }

    func collection(_ id: Int) async throws(SourceFault) -> SapphoCollection {
        guard let collection = SapphoCollection(try await server.ask("/api/collections/\(id)")) else {
            throw SourceFault(.failed, "“\(title)” answers with something that is no collection.")
        }
        return collection
    }

    package func edit(_ edit: SourceListEdit) async throws(SourceFault) -> ItemURI {
        guard let list = edit.list else { return try await create(edit.changes) }
        guard case .collection(let id) = try item(list) else {
            throw SourceFault(.unsupported, "\(list.text) is no collection that can be edited.")
        }
        var collection = try await collection(id)
        guard collection.isOwn else {
            throw SourceFault(.forbidden, "The collection “\(collection.name)” belongs to another user of “\(title)”.")
        }
        if let base = edit.base, base != collection.version {
            throw SourceFault(.conflict, "The collection “\(collection.name)” was changed at the server meanwhile.")
        }
        for change in edit.changes {
            try await apply(change, to: collection)
            if change != edit.changes.last { collection = try await self.collection(id) }
        }
        return list
    }

    private func create(_ changes: [SourceListEdit.Change]) async throws(SourceFault) -> ItemURI {
        guard case .create(let name)? = changes.first, !name.isEmpty else {
            throw SourceFault(.badRequest, "A new collection needs a name.")
        }
        let body = JSONText.object([("name", JSONText.string(name))])
        let made = try await server.tell(.post, "/api/collections", body: body, once: true).json.flatMap { SapphoCollection($0) }
        guard let made else { throw SourceFault(.failed, "“\(title)” does not show the collection that it made.") }
        for change in changes.dropFirst() { try await apply(change, to: try await collection(made.id)) }
        return rows.uri(.collection(made.id))
    }

    private func apply(_ change: SourceListEdit.Change, to collection: SapphoCollection) async throws(SourceFault) {
        let path = "/api/collections/\(collection.id)"
        switch change {
        case .create: return
        case .rename(let name): try await server.tell(.put, path, body: collection.body(name: name))
        case .describe(let text): try await server.tell(.put, path, body: collection.body(about: text))
        case .setPublic(let isPublic): try await server.tell(.put, path, body: collection.body(isPublic: isPublic))
        case .delete: try await server.tell(.delete, path, allowing: [404])
        case .insert, .remove, .move:
            guard let after = try collection.ids(after: change, bookID) else { return }
            try await arrange(collection.books.map(\.id), as: after, path)
        }
    }

    /// Sends only the differences: removals, additions at the end, then the order.
    private func arrange(_ before: [Int], as after: [Int], _ path: String) async throws(SourceFault) {
        for id in before where !after.contains(id) { try await server.tell(.delete, "\(path)/items/\(id)", allowing: [404]) }
        let added = after.filter { !before.contains($0) }
        for id in added {
            // The book was added already if the answer to an earlier attempt was lost.
            try await server.tell(.post, "\(path)/items", body: JSONText.object([("audiobook_id", String(id))]), allowing: [409])
        }
        guard before.filter(after.contains) + added != after else { return }
        let order = "[\(after.map { String($0) }.joined(separator: ","))]"
        try await server.tell(.put, "\(path)/items/reorder", body: JSONText.object([("order", order)]))
    }
}

extension SapphoCollection {
    /// A full request body, because a server may clear members that are left out.
    fileprivate func body(name: String? = nil, about: String? = nil, isPublic: Bool? = nil) -> String {
        JSONText.object([
            ("name", JSONText.string(name ?? self.name)), ("description", JSONText.string(about ?? self.about ?? "")),
            ("is_public", isPublic ?? self.isPublic ? "true" : "false"),
        ])
    }
}
