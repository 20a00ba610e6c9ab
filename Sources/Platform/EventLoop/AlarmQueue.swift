import BatonCore
import BatonSeams

/// Deadlines in order: a binary heap, earliest first, equal ones in the order they were set.
///
/// Cancelled entries stay until they reach the top, or until they are more than half of the heap.
/// So a cancel costs nothing and the heap stays bounded.
@Loop
struct AlarmQueue {
    @Loop
    final class Entry: Alarm {
        let deadlineUs: Microseconds
        fileprivate let order: UInt64
        fileprivate(set) var action: (@Loop () -> Void)?
        private let loop: Int

        fileprivate init(at deadlineUs: Microseconds, order: UInt64, on loop: Int, action: @escaping @Loop () -> Void) {
            self.deadlineUs = deadlineUs
            self.order = order
            self.loop = loop
            self.action = action
        }

        func cancel() {
            guard action != nil else { return }
            action = nil
            EventLoop.running(loop)?.alarms.noteCancelled()
        }

        fileprivate func isBefore(_ other: Entry) -> Bool { (deadlineUs, order) < (other.deadlineUs, other.order) }
    }

    private var heap: [Entry] = []
    private var nextOrder: UInt64 = 0
    private var cancelled = 0

    mutating func add(_ deadlineUs: Microseconds, for loop: EventLoop, _ action: @escaping @Loop () -> Void) -> Entry {
        let entry = Entry(at: deadlineUs, order: nextOrder, on: loop.number, action: action)
        nextOrder += 1
        heap.append(entry)
        siftUp(heap.count - 1)
        return entry
    }

    var count: Int { heap.count }

    /// Time of the next alarm.
    var earliestUs: Microseconds? { heap.first?.deadlineUs }

    /// Removes the next due alarm.
    mutating func takeDue(_ nowUs: Microseconds) -> (@Loop () -> Void)? {
        guard let first = heap.first, first.deadlineUs <= nowUs else { return nil }
        removeFirst()
        defer {
            first.action = nil
            dropCancelled()
        }
        return first.action
    }

    mutating func noteCancelled() {
        cancelled += 1
        if cancelled > 16 && cancelled * 2 > heap.count {
            heap = heap.filter { $0.action != nil }.sorted { $0.isBefore($1) }
            heap.dropSpareRoom()
            cancelled = 0
        }
        dropCancelled()
    }

    private mutating func dropCancelled() {
        while let first = heap.first, first.action == nil {
            removeFirst()
            cancelled -= 1
        }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        siftDown()
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func siftDown() {
        var parent = 0
        while true {
            var least = parent
            for child in [parent * 2 + 1, parent * 2 + 2] where child < heap.count && heap[child].isBefore(heap[least]) {
                least = child
            }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
