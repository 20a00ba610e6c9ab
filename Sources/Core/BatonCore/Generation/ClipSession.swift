/// A session of clips: loops of six layers in three scenes, on one plan. A value that decides which clips sound together.
///
/// A cell of the grid has at most one finished clip and one that is being generated; the finished one sounds until the next is ready. While
/// the job of a further one is being stored, that one is there as well.
package struct ClipSession: Equatable, Sendable {
    /// One loop of a layer, finished or being generated.
    package struct Clip: Equatable, Sendable {
        /// The number of the clip, from 1 in the order of the requests, unique in its session.
        package let number: Int
        /// The layer, which with `scene` names the cell of the grid.
        package let layer: PromptLine.Layer
        /// The number of the scene, from 0.
        package let scene: Int
        /// The requested length in bars of the session's metre.
        package let bars: Int
        /// True once its sound is ready to be mixed.
        package var isMade = false
        /// False when the clip is left out of its scene's loop.
        package var isOn = true
    }

    /// A part of the session with a loop of its own.
    package struct Scene: Equatable, Sendable {
        /// The name that people see, “Scene 1” until someone changes it.
        package var name: String
        /// The numbers of the clips in the loop on disk. `durationMs` is its length.
        package var mixed: [Int] = []
        /// Length of the mixed loop; `nil` until it was mixed.
        package var durationMs: Milliseconds?
    }

    /// The id, with which the ids of all jobs and the folders of the session begin.
    package let id: String
    /// The name that people see; made from the prompt where a person gave none.
    package let name: String
    /// The words from which the plan is made.
    package let prompt: String
    /// The worker that generates the clips; `nil` is the built-in composer.
    package let worker: String?
    /// The plan in the form of the built-in composer. For another worker it has that worker's tempo, key and metre.
    package private(set) var recipe: String
    /// The id of the session at a worker over HTTP.
    package private(set) var remote: String?
    /// The plan of such a worker, which restores a session that the worker has forgotten.
    package private(set) var plan: String?
    /// The name of the person who began it, as people see it; `nil` where it is not known.
    package let author: String?
    /// Wall clock time at which the session began.
    package let startedMs: Milliseconds
    /// The id of the command that began the session.
    package let once: String
    /// The time at which a person began or resumed the session.
    package private(set) var usedMs: Milliseconds
    /// The clips in the order of their requests, without those that others have replaced.
    package private(set) var clips: [Clip] = []
    /// The scenes, always `sceneCount`; `current` and the clips refer to their indices.
    package private(set) var scenes = (1...sceneCount).map { Scene(name: "Scene \($0)") }
    /// The index of the scene that plays.
    package private(set) var current = 0
    /// Number of clips that were requested.
    package private(set) var made = 0

    /// Number of scenes of each session, which is fixed.
    package static let sceneCount = 3
    /// Allowed lengths of a clip.
    package static let bars = 1...64
    /// Length of a clip for which a person named none.
    package static let usualBars = 4

    /// An empty session. `once` lets a repeated command find the session that it has already begun.
    package init(
        id: String, name: String, prompt: String, worker: String? = nil, recipe: String, author: String?, startedMs: Milliseconds,
        once: String
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

    /// The scheme of the URIs of sessions; an entry with it repeats until a person goes on.
    package static let scheme = "loop"
    /// The URI under which the current scene plays, whichever scene that is.
    package var uri: ItemURI { ItemURI("\(Self.scheme):\(id)") }
    /// The title of the queue entry, which names the scene that plays.
    package var title: String { "Session \(name): \(scenes[current].name)" }

    /// The job id of a clip. It contains the clip's number, so that a hub that was killed finds its requests again.
    package func job(_ clip: Int) -> String { "\(id)-c\(clip)" }

    /// The number of the clip that a job makes; `nil` for a job of another session, and for one of a piece.
    package func number(of job: String) -> Int? {
        job.hasPrefix("\(id)-c") ? Int(job.dropFirst(id.utf8.count + 2)) : nil
    }

    /// True for a job that makes a clip of the session, or a piece from its motif.
    package func has(_ job: String) -> Bool { job.hasPrefix("\(id)-") }

    /// The job id of a piece that continues the motif.
    package func piece(_ id: String) -> String { "\(self.id)-p\(id)" }

    /// The folder of a scene's loop.
    package func folder(_ scene: Int) -> String { "\(id)-s\(scene + 1)" }

    /// The tags of the queue entry; without a length until the current scene was mixed.
    package var tags: Tags {
        var tags = Tags(title: title, artists: author.map { [$0] } ?? [], durationMs: scenes[current].durationMs)
        tags.kind = .generation
        return tags
    }

    // MARK: Changing

    /// Adds a requested clip; without a number it is the next one. Unfinished clips of the cell are dropped; their numbers are returned.
    package mutating func add(
        _ layer: PromptLine.Layer, scene: Int, bars: Int, number: Int? = nil
    ) -> (clip: Clip, dropped: [Int]) {
        let clip = enter(layer, scene: scene, bars: bars, number: number)
        return (clip, dropReplaced(by: clip.number))
    }

    /// Adds a requested clip beside the unfinished ones of its cell, because its job may not be stored yet. `dropReplaced` follows, or `takeOut`.
    package mutating func enter(_ layer: PromptLine.Layer, scene: Int, bars: Int, number: Int? = nil) -> Clip {
        let clip = Clip(number: number ?? made + 1, layer: layer, scene: scene, bars: bars)
        made = max(made, clip.number)
        clips.append(clip)
        return clip
    }

    /// Drops the unfinished clips that this one replaces, and returns their numbers.
    package mutating func dropReplaced(by number: Int) -> [Int] {
        guard let clip = clips.first(where: { $0.number == number }) else { return [] }
        return take { $0.layer == clip.layer && $0.scene == clip.scene && $0.number < number && !$0.isMade }
    }

    /// Takes out a clip whose job could not be stored. Its number is not given again.
    package mutating func takeOut(_ number: Int) { clips.removeAll { $0.number == number } }

    /// Marks a clip as finished. It replaces earlier clips of its cell; their numbers are returned.
    package mutating func finish(_ number: Int) -> [Int] {
        guard let at = clips.firstIndex(where: { $0.number == number && !$0.isMade }) else { return [] }
        let clip = clips[at]
        clips[at].isMade = true
        return take { $0.layer == clip.layer && $0.scene == clip.scene && $0.number < number }
    }

    /// Removes all clips of a cell, also those that are still being generated, and returns their numbers.
    package mutating func remove(_ layer: PromptLine.Layer, scene: Int) -> [Int] { take { $0.layer == layer && $0.scene == scene } }

    /// Turns the clips of a cell on or off, the finished one and one that is being generated alike.
    package mutating func turn(_ layer: PromptLine.Layer, scene: Int, on isOn: Bool) -> TurnResult {
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

    /// The result of turning a clip on or off. The last clip of a scene stays on, because an empty loop cannot play.
    package enum TurnResult { case changed, same, empty, last }

    /// Returns false when nothing changes.
    package mutating func rename(_ scene: Int, _ name: String) -> Bool {
        defer { scenes[scene].name = name }
        return scenes[scene].name != name
    }

    /// Makes a scene the current one. Returns false when it was so already.
    package mutating func choose(_ scene: Int) -> Bool {
        defer { current = scene }
        return current != scene
    }

    /// Takes over the worker's data of the session. Returns false when nothing changes.
    package mutating func agree(with worker: WorkerSession, recipe: String) -> Bool {
        let before = (remote, plan, self.recipe)
        (remote, plan, self.recipe) = (worker.id, worker.plan, recipe)
        return before != (remote, plan, self.recipe)
    }

    /// Makes this the session that commands refer to.
    package mutating func use(atMs nowMs: Milliseconds) { usedMs = nowMs }

    private mutating func take(_ isTaken: (Clip) -> Bool) -> [Int] {
        let taken = clips.filter(isTaken).map(\.number)
        clips.removeAll(where: isTaken)
        return taken
    }

    // MARK: Mixing

    /// The audible clips of a scene, in the order of the layers.
    package func active(_ scene: Int) -> [Int] {
        PromptLine.Layer.allCases.compactMap { layer in
            clips.first { $0.layer == layer && $0.scene == scene && $0.isMade && $0.isOn }?.number
        }
    }

    /// A scene whose loop on disk is out of date, the current scene first. An empty scene keeps its loop.
    package var unmixed: Int? {
        ([current] + (0..<Self.sceneCount)).first { !active($0).isEmpty && active($0) != scenes[$0].mixed }
    }

    /// Notes that the loop of a scene is missing on disk.
    package mutating func lost(_ scene: Int) { (scenes[scene].mixed, scenes[scene].durationMs) = ([], nil) }

    /// Notes that the loop of a scene on disk now consists of these clips.
    package mutating func mixed(_ scene: Int, of clips: [Int], durationMs: Milliseconds) {
        scenes[scene].mixed = clips
        scenes[scene].durationMs = durationMs
    }
}

extension QueueEntry {
    /// True for entries that repeat until a person goes on.
    package var isLoop: Bool { uri.source == ClipSession.scheme }
}

// MARK: As text, for the store

extension ClipSession {
    /// The session as lines for the store; `init(text:)` restores it.
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

    /// Restores a session; `nil` when the text has another form.
    package init?(text: String) {
        let note = NoteLines(text)
        let scenes = note.all("scene").compactMap(Scene.init(text:))
        guard let id = note["id"], let name = note["name"], let recipe = note["recipe"], let once = note["once"],
            let started = note["started"].flatMap({ Milliseconds($0) }), let current = note["current"].flatMap({ Int($0) }),
            scenes.count == Self.sceneCount, scenes.indices.contains(current), let made = note["made"].flatMap({ Int($0) })
        else { return nil }
        self.init(
            id: id, name: name, prompt: note["prompt"] ?? "", worker: note["worker"], recipe: recipe, author: note["author"],
            startedMs: started, once: once)
        remote = note["remote"]
        plan = note["plan"]
        usedMs = note["used"].flatMap { Milliseconds($0) } ?? started
        self.scenes = scenes
        self.current = current
        self.made = made
        clips = note.all("clip").compactMap(Clip.init(text:))
    }
}

extension ClipSession.Scene {
    fileprivate init?(text: String) {
        let parts = text.unicodeScalars.split(separator: " ", maxSplits: 2).map { String($0) }
        guard parts.count == 3, let durationMs = Milliseconds(parts[0]) else { return nil }
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
