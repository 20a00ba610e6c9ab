// How the hub carries out commands about accounts at servers.

extension Commands.Sources: HubRequest {
    package var request: Request { .sources(.list) }
}

extension Commands.SourceRemove: HubRequest { package var request: Request { .sources(.remove(name)) } }
extension Commands.SourceSync: HubRequest { package var request: Request { .sources(.sync(name, rescan: rescan)) } }

extension Commands.SourcePending: HubRequest {
    package var request: Request { .sources(.pending(name, isDropped: isDropped)) }
}

extension Commands.SourceAdd: HubRequest {
    public init(_ source: NewSource) {
        self.init(
            source.name, kind: source.kind, url: source.url, title: source.title, login: source.login, options: source.options)
    }

    package var request: Request {
        .sources(.add(NewSource(name: name, kind: kind, url: url, title: title, login: login, options: options)))
    }
}

extension Commands.SourceSet: HubRequest {
    public init(_ change: SourceChange) {
        self.init(
            change.name, title: change.title, url: change.url, login: change.login, options: change.options, isEnabled: change.isEnabled)
    }

    package var request: Request {
        .sources(.change(SourceChange(name, title: title, url: url, login: login, options: options, isEnabled: isEnabled)))
    }
}

extension Commands.SourceTest: HubRequest {
    public init(_ name: String) { self.init(name: name) }
    public init(_ trial: SourceTrial) { self.init(kind: trial.kind, url: trial.url, login: trial.login, options: trial.options) }

    package var request: Request {
        if let name { return .sources(.test(name)) }
        return .sources(.tryOut(SourceTrial(kind: kind ?? "", url: url ?? "", login: login, options: options)))
    }
}
