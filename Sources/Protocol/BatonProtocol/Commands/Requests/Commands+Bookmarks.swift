public import BatonCore

// How the hub carries out commands about bookmarks.

extension Commands.MarkDelete: HubRequest { package var request: Request { .bookmarks(.delete(id)) } }

extension Commands.MarkAdd: HubRequest {
    public init(_ target: BookmarkTarget, note: String = "") {
        switch target {
        case .current(let entry, let positionMs): self.init(entry: entry, positionMs: positionMs, note: note)
        case .item(let uri, let positionMs): self.init(uri: uri, positionMs: positionMs, note: note)
        }
    }

    package var request: Request {
        guard let uri else { return .bookmarks(.add(.current(entry, positionMs: positionMs), note: note)) }
        return .bookmarks(.add(.item(uri, positionMs: positionMs ?? 0), note: note))
    }
}

extension Commands.MarkEdit: HubRequest {
    public init(_ id: Int, _ edit: BookmarkEdit) {
        self.init(id, note: edit.note, positionMs: edit.positionMs, restores: edit.restores)
    }
    package var request: Request { .bookmarks(.edit(id, BookmarkEdit(note: note, positionMs: positionMs, restores: restores))) }
}

extension Commands.Marks: HubRequest {
    package var request: Request { .bookmarks(.list(uri, page)) }
}
