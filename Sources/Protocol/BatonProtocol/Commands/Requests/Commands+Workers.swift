// How the hub carries out commands about what makes music from prompts.

extension Commands.Workers: HubRequest {
    package var request: Request { .workers(.list) }
}

extension Commands.WorkerDefault: HubRequest { package var request: Request { .workers(.makeUsual(name)) } }
extension Commands.WorkerRemove: HubRequest { package var request: Request { .workers(.remove(name)) } }

extension Commands.WorkerAdd: HubRequest {
    public init(_ worker: NewWorker) {
        self.init(
            worker.name, url: worker.url, token: worker.token, program: worker.program, isConfined: worker.isConfined, map: worker.map)
    }

    package var request: Request {
        .workers(.add(NewWorker(name, url: url, token: token, program: program, isConfined: isConfined, map: map)))
    }
}

extension Commands.WorkerTest: HubRequest {
    public init(_ name: String) { self.init(name: name) }

    package var request: Request {
        if let name { return .workers(.test(name)) }
        return .workers(.tryOut(url: url ?? "", token: token))
    }
}
