import BatonClient
import BatonCore
import BatonProtocol

/// The commands that the keys of `baton top` send to the hub.
extension TopTasks {
    /// Carries out a key's effect and reports the result.
    func send(_ effect: TopEffect) async {
        do {
            try await say(effect)
            await answered(effect, nil)
        } catch is CancellationError {
            return
        } catch {
            await answered(effect, error)
        }
    }

    func answered(_ effect: TopEffect, _ error: (any Error)?) async {
        let (mirror, queue) = (await hub.mirror, await hub.queue)
        await screen.answered(effect, saying: error.map { Satellite.stop(for: $0).sentence }, mirror: mirror, queue: queue)
    }

    private func say(_ effect: TopEffect) async throws {
        switch effect {
        case .toggle(let wanted): try await hub.send(Commands.Toggle(wanted))
        case .next: try await hub.next()
        case .previous(let entry): try await hub.send(Commands.Previous(from: entry))
        case .seek(let entry, let ms): try await hub.send(Commands.Seek(entry: entry, positionMs: ms))
        case .seekBy(let entry, let ms): try await hub.send(Commands.SeekBy(entry: entry, ms: ms))
        case .level(let level, let room): try await hub.send(Commands.VolumeSet(level), room: room)
        case .mute(let isOn): try await hub.send(Commands.VolumeMute(isOn))
        case .modes(let command): try await hub.send(command)
        case .jump(let entry): try await hub.send(Commands.Jump(entry))
        case .remove(let entry): try await hub.send(Commands.QueueRemove([entry]))
        case .move(let entry, let anchor): try await hub.send(Commands.QueueMove([entry], anchor: .after(anchor)))
        case .undo: try await hub.send(Commands.QueueUndo())
        case .play(let uri, let index): try await hub.send(Commands.Play(uri, index: index))
        case .add(let uri, let place): try await add(uri, at: place)
        case .favourite(let uri, let isOn): try await hub.send(Commands.FavouriteSet(uri, isOn: isOn))
        case .follow(let room): try await hub.follow(room)
        case .ask, .redraw, .suspend, .quit: break
        }
    }

    private func add(_ uri: ItemURI, at place: InsertionPoint) async throws {
        let added = try await hub.send(Commands.QueueAdd([uri], place: place)).reply.queue
        let count = (added?.ids?.count ?? 0) + (added?.more ?? 0)
        await screen.tell("Added \(count) \(count == 1 ? "entry" : "entries").", isTrouble: false)
    }

    // MARK: Queries

    /// Fetches a page. The model ignores answers to outdated queries.
    func ask(_ question: LibraryQuestion) async {
        var page = PageRequest(limit: LibraryModel.pageOfRows)
        page.cursor = question.cursor
        do {
            let list: ItemList
            switch question.what {
            case .shelves: list = try await hub.send(Self.browse(nil, page)).whole()
            case .node(let uri): list = try await hub.send(Self.browse(uri, page)).whole()
            case .search(let text): list = try await hub.send(Self.search(text, page)).whole()
            }
            await screen.take(list, of: question)
        } catch is CancellationError {
            return
        } catch {
            await screen.fail(question, Satellite.stop(for: error).sentence)
        }
    }

    private static func browse(_ node: ItemURI?, _ page: PageRequest) -> Commands.Browse {
        var question = Commands.Browse(node: node)
        question.page = page
        return question
    }

    private static func search(_ text: String, _ page: PageRequest) -> Commands.Search {
        var question = Commands.Search(text)
        question.page = page
        return question
    }

    func look(at uri: ItemURI) async {
        // Without an answer there are no rating and no lyrics, as is already shown.
        guard let answer = try? await hub.ask(Commands.Item(uri, lyrics: true)) else { return }
        await screen.take(.init(uri: uri, isFavourite: answer.details.row.mark.isFavourite, lyrics: answer.lyrics))
    }

    func fetch(_ wish: PictureWish) async {
        guard let file = try? await hub.picture(wish.id, width: wish.width, height: wish.height) else { return }
        await screen.take(file, of: wish)
    }
}
