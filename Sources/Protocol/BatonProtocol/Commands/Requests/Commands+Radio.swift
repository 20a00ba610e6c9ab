import BatonCore

// How the hub carries out commands about radio stations, their past and recordings.

extension Commands.RadioPlay: HubRequest {
    public init(_ choice: StationChoice) {
        self.init()
        switch choice {
        case .item(let uri): self.uri = uri
        case .preset(let place): preset = place
        case .name(let name): self.name = name
        }
    }

    package var request: Request { .radio(.play(uri.map(StationChoice.item) ?? preset.map(StationChoice.preset) ?? .name(name ?? ""))) }
}

extension Commands.RadioList: HubRequest {
    public init(_ search: StationSearch) {
        self.init(
            words: search.words, country: search.country, tag: search.tag, language: search.language, presetsOnly: search.presetsOnly,
            page: search.page)
    }

    package var request: Request {
        .radio(.list(StationSearch(words, country: country, tag: tag, language: language, presetsOnly: presetsOnly, page: page)))
    }
}

extension Commands.RadioChange: HubRequest {
    public init(_ edit: RadioEdit) {
        self.init()
        switch edit {
        case .add(let stations, let source): (add, self.source) = (stations, source)
        case .remove(let uri): remove = uri
        case .change(let uri, let title, let url): (change, self.title, self.url) = (uri, title, url)
        case .star(let uri, let place): (star, self.place) = (uri, place)
        }
    }

    package var request: Request {
        if let add { return .radio(.edit(.add(add, source: source))) }
        if let remove { return .radio(.edit(.remove(remove))) }
        if let change { return .radio(.edit(.change(change, title: title, url: url))) }
        return .radio(.edit(.star(star ?? ItemURI(""), at: place)))
    }
}

extension Commands.RadioRecord: HubRequest {
    public init(_ wish: RecordRequest) {
        switch wish {
        case .start(let uri, let atMs, let lengthMs, let repeats):
            self.init(uri: uri, atMs: atMs.map { Int($0) }, lengthMs: lengthMs, every: repeats)
        case .stop(let id): self.init(stop: id)
        }
    }

    package var request: Request {
        if let stop { return .radio(.record(.stop(stop))) }
        return .radio(.record(.start(uri ?? ItemURI(""), atMs: atMs.map { Int64($0) }, lengthMs: lengthMs, repeats: every)))
    }
}

extension Commands.RadioLive: HubRequest { package var request: Request { .room(.rewind(entry: entry, to: .live)) } }

extension Commands.RadioBack: HubRequest {
    package var request: Request {
        if let atMs { return .room(.rewind(entry: entry, to: .received(atMs: Int64(atMs)))) }
        return .room(.rewind(entry: entry, to: title.map { .title($0) } ?? .by(ms: ms ?? 0)))
    }
}

extension Commands.RadioTitles: HubRequest {
    package var request: Request { .radio(.titles(uri, before: before, limit: limit)) }
}

extension Commands.RadioSave: HubRequest { package var request: Request { .radio(.save(uri, title: title)) } }
