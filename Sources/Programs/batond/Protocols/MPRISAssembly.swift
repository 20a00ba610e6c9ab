/// Rooms as players on the desktop in which the hub runs, if it runs in one.
import BatonHub
import BatonSeams
import Configuration
import DesktopBus
import EventLoop
import Glibc
import MPRIS

@Loop
enum MPRISAssembly {
    /// Adds the dialect to the hub. It has to `begin`, and without a session bus it does nothing then but wait for one.
    static func add(to hub: Hub, _ settings: HubSettings, on loop: EventLoop, log: Log) -> MPRIS {
        let around = ProcessEnvironment.current()
        let pictures = PictureFiles(environment: around.environment, home: around.home)
        let dialect = MPRIS(
            hub.ports,
            .init(
                bus: SessionBus(reactor: loop, log: log, environment: around.environment), uid: getuid(), process: getpid(),
                wallMs: { Clock.wallMs() }, storePicture: { id, bytes in pictures?.store(id, bytes) }), isOn: settings.mpris)
        hub.add(dialect as any Dialect)
        return dialect
    }
}
