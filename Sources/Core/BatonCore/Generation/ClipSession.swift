/// A session of clips: loops of six layers in three scenes, on one plan. A value that decides which clips sound together.
///
/// A cell of the grid has at most one clip that is made, and one that is coming; the earlier one sounds until the later one is made.
package struct ClipSession: Equatable, Sendable {
    package struct Clip: Equatable, Sendable {
        package let number: Int
        package let layer: PromptLine.Layer
        /// From 0.
        package let scene: Int
        package let bars: Int
        package var isMade = false
        /// It belongs to its scene's loop as soon as it is made.
        package var isOn = true
    }

    package struct Scene: Equatable, Sendable {
        package var name: String
        /// The clips in the loop that is on the disk, by their numbers, and how long that is.
        package var mixed: [Int] = []
        package var durationMs: Int?
    }

    package let id: String
    package let name: String
    package let prompt: String
    /// Who makes its clips. `nil` is the built-in composer.
    package let worker: String?
    /// The plan, as the built-in composer writes it. Where another worker makes the clips, it has that one's tempo, key and metre.
    package private(set) var recipe: String
    /// By which a worker over HTTP knows the session.
    package private(set) var remote: String?
    /// The plan of such a worker. With it the session is made anew where the worker has forgotten it.
    package private(set) var plan: String?
    package let author: String?
    package let startedMs: Int64
    /// The command that began it.
    package let once: String
    /// When a person began it or took it up again.
    package private(set) var usedMs: Int64
    package private(set) var clips: [Clip] = []
    package private(set) var scenes = (1...sceneCount).map { Scene(name: "Scene \($0)") }
    /// The one that plays.
    package private(set) var current = 0
    /// How many clips were asked for.
    package private(set) var made = 0

    package static let sceneCount = 3
    package static let bars = 1...64
    package static let usualBars = 4

    package init(
        id: String, name: String, prompt: String, worker: String? = nil, recipe: String, author: String?, startedMs: Int64, once: String
    ) {
        self.id = id
        self.name = name
        self.prompt = prompt
        self.worker = worker
        self.recipe = recipe
        self.author = author
        self.startedMs = startedMs
        self.once = once
        usedMs = startedMs
    }

    // MARK: Names

    package static let scheme = "loop"
    package var uri: ItemURI { ItemURI("\(Self.scheme):\(id)") }
    package var title: String { "Session \(name): \(scenes[current].name)" }

    /// The job of a clip. The number in it tells a hub that was killed what it had asked for.
    package func job(_ clip: Int) -> String { "\(id)-c\(clip)" }

    package func number(of job: String) -> Int? {
        job.hasPrefix("\(id)-c") ? Int(job.dropFirst(id.utf8.count + 2)) : nil
    }

    /// Whether the job makes a clip of the session, or a piece that goes on with it.
    package func has(_ job: String) -> Bool { job.hasPrefix("\(id)-") }

    /// The job of a piece that goes on with the motif.
    package func piece(_ id: String) -> String { "\(self.id)-p\(id)" }

    /// The folder of a scene's loop.
    package func folder(_ scene: Int) -> String { "\(id)-s\(scene + 1)" }

    package var tags: Tags {
        var tags = Tags(title: title, artists: author.map { [$0] } ?? [], durationMs: scenes[current].durationMs)
        tags.kind = .generation
        return tags
    }

    // MARK: Changing

    /// Asks for the next clip. Clips of the cell that are still coming are dropped; their numbers are returned.
    package mutating func add(_ layer: PromptLine.Layer, scene: Int, bars: Int) -> (clip: Clip, dropped: [Int]) {
        recall(made + 1, layer, scene: scene, bars: bars)
    }

    /// A clip that was asked for, also by a hub that was killed before it noted so.
    package mutating func recall(
        _ number: Int, _ layer: PromptLine.Layer, scene: Int, bars: Int
    ) -> (clip: Clip, dropped: [Int]) {
        let clip = Clip(number: number, layer: layer, scene: scene, bars: bars)
        let dropped = take { $0.layer == clip.layer && $0.scene == clip.scene && !$0.isMade }
        made = max(made, clip.number)
        clips.append(clip)
        return (clip, dropped)
    }

    /// The clip can be heard, in the place of the one before. The numbers of those that it replaces are returned.
    package mutating func finish(_ number: Int) -> [Int] {
        guard let at = clips.firstIndex(where: { $0.number == number && !$0.isMade }) else { return [] }
        let clip = clips[at]
        clips[at].isMade = true
        return take { $0.layer == clip.layer && $0.scene == clip.scene && $0.number < number }
    }

    package mutating func remove(_ layer: PromptLine.Layer, scene: Int) -> [Int] { take { $0.layer == layer && $0.scene == scene } }

    package mutating func turn(_ layer: PromptLine.Layer, scene: Int, on isOn: Bool) -> Turned {
        let cell = clips.indices.filter { clips[$0].layer == layer && clips[$0].scene == scene }
        guard !cell.isEmpty else { return .empty }
        guard cell.contains(where: { clips[$0].isOn != isOn }) else { return .same }
        let before = clips
        for at in cell { clips[at].isOn = isOn }
        guard isOn || before.contains(where: { $0.scene == scene && $0.layer != layer && $0.isMade && $0.isOn }) else {
            clips = before
            return .last
        }
        return .changed
    }

    /// What came of turning a clip on or off. The last one of a scene stays on: a loop of nothing cannot be played.
    package enum Turned { case changed, same, empty, last }

    /// False when nothing changes.
    package mutating func rename(_ scene: Int, _ name: String) -> Bool {
        defer { scenes[scene].name = name }
        return scenes[scene].name != name
    }

    package mutating func choose(_ scene: Int) -> Bool {
        defer { current = scene }
        return current != scene
    }

    /// What its worker says of it. False when nothing changes.
    package mutating func agree(with worker: WorkerSession, recipe: String) -> Bool {
        let before = (remote, plan, self.recipe)
        (remote, plan, self.recipe) = (worker.id, worker.plan, recipe)
        return before != (remote, plan, self.recipe)
    }

    /// It is the one that commands mean from now on.
    package mutating func use(atMs nowMs: Int64) { usedMs = nowMs }

    private mutating func take(_ isTaken: (Clip) -> Bool) -> [Int] {
        let taken = clips.filter(isTaken).map(\.number)
        clips.removeAll(where: isTaken)
        return taken
    }

    // MARK: Mixing

    /// The clips of a scene that sound together, in the order of the layers.
    package func active(_ scene: Int) -> [Int] {
        PromptLine.Layer.allCases.compactMap { layer in
            clips.first { $0.layer == layer && $0.scene == scene && $0.isMade && $0.isOn }?.number
        }
    }

    /// The scene whose loop on the disk is another than its clips are; the one that plays comes first. An empty scene keeps its loop.
    package var unmixed: Int? {
        ([current] + (0..<Self.sceneCount)).first { !active($0).isEmpty && active($0) != scenes[$0].mixed }
    }

    /// The loop of the scene is not on the disk any more.
    package mutating func lost(_ scene: Int) { (scenes[scene].mixed, scenes[scene].durationMs) = ([], nil) }

    package mutating func mixed(_ scene: Int, of clips: [Int], durationMs: Int) {
        scenes[scene].mixed = clips
        scenes[scene].durationMs = durationMs
    }
}

extension QueueEntry {
    /// It begins anew at its end, until a person goes on.
    package var isLoop: Bool { uri.source == ClipSession.scheme }
}

// MARK: As text, for the store

extension ClipSession {
    package var text: String {
        var note = NoteLines()
        note["id"] = id
        note["name"] = name
        note["prompt"] = prompt
        note["worker"] = worker
        note["recipe"] = recipe
        note["remote"] = remote
        note["plan"] = plan
        note["author"] = author
        note["started"] = String(startedMs)
        note["once"] = once
        note["used"] = String(usedMs)
        note["current"] = String(current)
        note["made"] = String(made)
        for scene in scenes {
            let mixed = scene.mixed.map(String.init).joined(separator: ",")
            note.add("scene", "\(scene.durationMs ?? 0) \(mixed.isEmpty ? "-" : mixed) \(scene.name)")
        }
        for clip in clips {
            note.add("clip", "\(clip.number) \(clip.layer.rawValue) \(clip.scene) \(clip.bars) \(clip.isMade ? 1 : 0) \(clip.isOn ? 1 : 0)")
        }
        return note.text
    }

    /// `nil` when the text has another form.
    package init?(text: String) {
        let note = NoteLines(text)
        let scenes = note.all("scene").compactMap(Scene.init(text:))
        guard let id = note["id"], let name = note["name"], let recipe = note["recipe"], let once = note["once"],
            let started = note["started"].flatMap({ Int64($0) }), let current = note["current"].flatMap({ Int($0) }),
            scenes.count == Self.sceneCount, scenes.indices.contains(current), let made = note["made"].flatMap({ Int($0) })
        else { return nil }
        self.init(
            id: id, name: name, prompt: note["prompt"] ?? "", worker: note["worker"], recipe: recipe, author: note["author"],
            startedMs: started, once: once)
        remote = note["remote"]
        plan = note["plan"]
        usedMs = note["used"].flatMap { Int64($0) } ?? started
        self.scenes = scenes
        self.current = current
        self.made = made
        clips = note.all("clip").compactMap(Clip.init(text:))
    }
}

extension ClipSession.Scene {
    fileprivate init?(text: String) {
        let parts = text.unicodeScalars.split(separator: " ", maxSplits: 2).map { String($0) }
        guard parts.count == 3, let durationMs = Int(parts[0]) else { return nil }
        self.init(
            name: parts[2], mixed: parts[1].split(separator: ",").compactMap { Int($0) }, durationMs: durationMs > 0 ? durationMs : nil)
    }
}

extension ClipSession.Clip {
    fileprivate init?(text: String) {
        let parts = text.split(separator: " ").map(String.init)
        guard [5, 6].contains(parts.count), let number = Int(parts[0]), let layer = PromptLine.Layer(rawValue: parts[1]),
            let scene = Int(parts[2]),
            (0..<ClipSession.sceneCount).contains(scene), let bars = Int(parts[3])
        else { return nil }
        self.init(
            number: number, layer: layer, scene: scene, bars: bars, isMade: parts[4] == "1", isOn: parts.count == 5 || parts[5] == "1")
    }
}
