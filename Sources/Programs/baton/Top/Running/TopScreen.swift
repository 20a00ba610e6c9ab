import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import Terminals

/// Connects the model of `baton top` to its terminal: keys go in, and changed cells come out.
///
/// Everything runs on the loop, so a key is read, handled and drawn in one step. Nothing waits: requests to the hub
/// leave by `wishes`, and answers arrive as calls. While the terminal is busy, as on a slow network, no frame is
/// drawn; the newest one follows when it is ready.
@Loop
final class TopScreen {
    /// Requests caused by keys, for `TopTasks`.
    nonisolated let wishes: AsyncStream<TopWish>
    private let wished: AsyncStream<TopWish>.Continuation

    private let terminal: Terminal
    private let reactor: any Reactor
    private let depth: ColourDepth
    private(set) var model = TopModel()
    private var drawing: TopDrawing
    private var shown: Frame?
    private var input = TerminalInput()
    private var escapeAlarm: (any Alarm)?
    private var abilities = TerminalAbilities()
    private var pictureWish: PictureWish?
    private var itemWish: ItemURI?

    /// Time after which a lone escape counts as the key.
    private static let escapeWait = Duration.milliseconds(60)

    init(_ terminal: Terminal, on reactor: any Reactor, _ depth: ColourDepth, asking: Bool) {
        (self.terminal, self.reactor, self.depth) = (terminal, reactor, depth)
        (wishes, wished) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(256))
        model.hasPictures = depth != .none
        drawing = TopDrawing(model)
        terminal.whenIdle = { [weak self] in self?.draw() }
        enter()
        // The kernel's old console prints such queries as text.
        if asking { terminal.write(Array(TerminalAbilities.questions.utf8)) }
    }

    /// Prepares the terminal, also after a suspension.
    private func enter() {
        terminal.enter()
        shown = nil
        resize()
    }

    func close() {
        escapeAlarm?.cancel()
        terminal.leave()
        wished.finish()
    }

    // MARK: The terminal

    /// Handles bytes from the terminal; returns false when the person quits.
    func take(_ bytes: [UInt8]) -> Bool {
        escapeAlarm?.cancel()
        let goesOn = handle(input.take(bytes))
        if input.isWaitingForRest {
            escapeAlarm = reactor.after(Self.escapeWait) { [weak self] in
                guard let self else { return }
                _ = handle(input.giveUp())
            }
        }
        return goesOn
    }

    private func handle(_ events: [TerminalEvent]) -> Bool {
        guard !events.isEmpty else { return true }
        for event in events {
            let effects: [TopEffect]
            switch event {
            case .key(let key): effects = model.press(key)
            case .mouse(let act, let spot): effects = model.mouse(act, spot, on: drawing)
            case .pasted(let text): effects = model.paste(text)
            case .answer(let answer):
                abilities.take(answer)
                effects = []
            }
            if effects.contains(.quit) { return false }
            for effect in effects { carryOut(effect) }
        }
        draw()
        return true
    }

    private func carryOut(_ effect: TopEffect) {
        switch effect {
        case .redraw: shown = nil
        case .suspend: terminal.suspend()
        default: wish(.effect(effect))
        }
    }

    private func wish(_ wish: TopWish) {
        if case .dropped(let dropped) = wished.yield(wish), case .effect(let effect) = dropped {
            model.answered(effect, "The hub has not answered so many keys yet; this one is left out.")
        }
    }

    /// Redraws the screen after a suspension.
    func goOn() {
        enter()
        draw()
    }

    func suspend() { terminal.suspend() }

    func resize() {
        let size = terminal.size
        model.resize(columns: min(size.columns, Self.mostColumns), rows: min(size.rows, Self.mostRows))
        abilities.guess(cellWidth: size.cellWidth, cellHeight: size.cellHeight)
        draw()
    }

    // Limits of the screen; on a larger terminal the rest stays empty.
    private static let mostColumns = 500
    private static let mostRows = 200

    // MARK: The hub

    func take(_ mirror: Mirror, _ position: TopPosition) {
        model.link = .answering
        model.take(mirror)
        tick(position)
    }

    func take(_ queue: QueueMirror) {
        model.take(queue)
        draw()
    }

    func tick(_ position: TopPosition) {
        model.tick(position)
        draw()
    }

    func tell(_ sentence: String, isTrouble: Bool = true) {
        model.notice = .init(text: sentence, isTrouble: isTrouble)
        draw()
    }

    func link(_ link: TopModel.Link) {
        model.link = link
        draw()
    }

    func answered(_ effect: TopEffect, saying sentence: String?, mirror: Mirror, queue: QueueMirror?) {
        // The state of this answer may take a slower path, so the newest one is taken here.
        if mirror.room == model.mirror.room, mirror.revision > model.mirror.revision { model.take(mirror) }
        if mirror.room == model.mirror.room, let queue, queue.revision != nil { model.take(queue) }
        model.answered(effect, sentence)
        draw()
    }

    func take(_ list: ItemList, of question: LibraryQuestion) {
        model.take(list, of: question)
        // Results of slower servers are requested at once, unless the query has changed.
        if let rest = model.library.rest() { wish(.effect(.ask(rest))) }
        draw()
    }

    func fail(_ question: LibraryQuestion, _ sentence: String) {
        model.library.fail(question, sentence)
        draw()
    }

    func take(_ item: TopModel.CurrentItem) {
        guard item.uri == model.mirror.now?.uri else { return }
        model.take(item)
        draw()
    }

    func take(_ file: [UInt8], of wish: PictureWish) {
        guard wish == pictureWish, let cover = wish.cover(file) else { return }
        model.cover = cover
        draw()
    }

    // MARK: Drawing

    private func draw() {
        guard !terminal.isBusy else { return }
        drawing = TopDrawing(model)
        terminal.write(FrameWriter.bytes(from: shown, to: drawing.frame, depth, isSynchronised: abilities.isSynchronised))
        shown = drawing.frame
        askForMore()
    }

    /// Requests details and the cover of the current item, if they are missing.
    private func askForMore() {
        if let uri = model.mirror.now?.uri, uri != itemWish {
            itemWish = uri
            wish(.item(uri))
        }
        guard let area = drawing.coverArea, let id = model.tags?.art?.id else { return }
        let wanted = PictureWish(id: id, area: area, abilities: abilities)
        guard wanted != pictureWish else { return }
        pictureWish = wanted
        wish(.picture(wanted))
    }
}

/// A request to the hub.
enum TopWish: Sendable {
    case effect(TopEffect)
    case item(ItemURI)
    case picture(PictureWish)
}
