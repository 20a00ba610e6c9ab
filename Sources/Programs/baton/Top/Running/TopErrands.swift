import BatonClient
import BatonCore
import BatonProtocol

/// Takes what the screen wishes to the hub, and its answers back.
///
/// Commands go out one after the other, so that edits of a queue keep their order; each has its key, and is sent again over the next
/// connection until it is answered. Three kinds have ways of their own: *next*, of which many are in the air at once; the volume, of which
/// only the newest counts; and questions, of which an old one must not hold up the next.
struct TopErrands: Sendable {
    let hub: SteadyHub
    let screen: TopScreen
    private let commands: Lane<TopEffect>
    private let questions: Lane<LibraryQuestion>
    private let items: Lane<ItemURI>
    private let pictures: Lane<PictureWish>
    private let dial: Dial

    /// The queue is shown as far as that; who wants to see more searches.
    static let queueRows = 2000
    private static let mostWaiting = 64

    /// Things that wait for one task.
    private struct Lane<Thing: Sendable>: Sendable {
        let things: AsyncStream<Thing>
        let put: AsyncStream<Thing>.Continuation

        init(_ policy: AsyncStream<Thing>.Continuation.BufferingPolicy) {
            (things, put) = AsyncStream.makeStream(bufferingPolicy: policy)
        }
    }

    init(_ hub: SteadyHub, for screen: TopScreen) {
        (self.hub, self.screen) = (hub, screen)
        commands = Lane(.bufferingOldest(Self.mostWaiting))
        questions = Lane(.bufferingNewest(1))
        items = Lane(.bufferingNewest(1))
        pictures = Lane(.bufferingNewest(1))
        dial = Dial(hub)
    }

    /// Until cancelled.
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
