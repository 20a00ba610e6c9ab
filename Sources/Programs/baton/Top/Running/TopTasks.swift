import BatonClient
import BatonCore
import BatonProtocol

/// Carries the screen's requests to the hub, and returns the answers.
///
/// Commands are sent one after the other, so that edits of the queue keep their order. Each has a key, and is
/// repeated on later connections until it is answered. Three kinds are sent separately: *next*, of which several may
/// be in transit; the volume, of which only the newest counts; and queries, because an old one must not delay the
/// next.
struct TopTasks: Sendable {
    let hub: ReconnectingHub
    let screen: TopScreen
    private let commands: Lane<TopEffect>
    private let questions: Lane<LibraryQuestion>
    private let items: Lane<ItemURI>
    private let pictures: Lane<PictureWish>
    private let dial: Dial

    /// Limit of queue rows that are loaded; people search for entries further down.
    static let queueRows = 2000
    private static let mostWaiting = 64

    /// Requests that wait for one task.
    private struct Lane<Thing: Sendable>: Sendable {
        let things: AsyncStream<Thing>
        let put: AsyncStream<Thing>.Continuation

        init(_ policy: AsyncStream<Thing>.Continuation.BufferingPolicy) {
            (things, put) = AsyncStream.makeStream(bufferingPolicy: policy)
        }
    }

    init(_ hub: ReconnectingHub, for screen: TopScreen) {
        (self.hub, self.screen) = (hub, screen)
        commands = Lane(.bufferingOldest(Self.mostWaiting))
        questions = Lane(.bufferingNewest(1))
        items = Lane(.bufferingNewest(1))
        pictures = Lane(.bufferingNewest(1))
        dial = Dial(hub)
    }

    /// Runs until cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { for await effect in commands.things { await send(effect) } }
            group.addTask { for await question in questions.things { await ask(question) } }
            group.addTask { for await uri in items.things { await look(at: uri) } }
            group.addTask { for await wish in pictures.things { await fetch(wish) } }
            group.addTask {
                await dial.run { level, result in
                    if case .failure(let error) = result { return await answered(.level(level, of: nil), error) }
                    await answered(.level(level, of: nil), nil)
                }
            }
            for await wish in screen.wishes {
                switch wish {
                case .item(let uri): items.put.yield(uri)
                case .picture(let wish): pictures.put.yield(wish)
                case .effect(.ask(let question)): questions.put.yield(question)
                case .effect(.next): group.addTask { await send(.next) }
                case .effect(.level(let level, of: nil)): dial.turn(to: level)
                case .effect(let effect):
                    guard case .dropped = commands.put.yield(effect) else { continue }
                    await answered(effect, Stop(.refused, "The hub has not answered so many keys yet; this one is left out."))
                }
            }
            group.cancelAll()
        }
    }
}
