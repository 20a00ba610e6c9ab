/// The sample file `examples/batond.conf`: every setting with its default, below its comment.
enum SampleFile {
    static var text: String {
        let settings = ordered
        let general = settings.filter { !$0.isLimit }.map(paragraph).joined()
        let limits = settings.filter(\.isLimit).map(paragraph).joined()
        return "\(head)\n\(general)\n\(limitsHead)\n\(limits)\n\(sections)\n"
    }

    /// The order of the help, except for settings that name their predecessor.
    private static var ordered: [SettingAbout] {
        var ordered = SettingAbout.all
        for setting in SettingAbout.all {
            guard let other = setting.after, let here = ordered.firstIndex(where: { $0.flag == setting.flag }) else { continue }
            ordered.remove(at: here)
            let place = ordered.firstIndex { $0.name == other } ?? here - 1
            ordered.insert(setting, at: place + 1)
        }
        return ordered
    }

    private static func paragraph(_ setting: SettingAbout) -> String {
        let comment = setting.comment.map { (setting.joins ? "" : "\n") + lines($0.split(separator: "\n")) } ?? ""
        return comment + lines(setting.example.map { "\(setting.name) = \($0)" })
    }

    private static func lines(_ texts: [some StringProtocol]) -> String { texts.map { "# \($0)\n" }.joined() }

    static let head = """
        # batond.conf: everything that can be set about a hub, at its default.
        #
        # The hub reads $XDG_CONFIG_HOME/baton/batond.conf (usually ~/.config/baton/batond.conf); as a system
        # service, /etc/baton/batond.conf. Another file is named with --config FILE.
        #
        # Each line is also a flag and an environment variable: `lan_plain` is --lan-plain and
        # BATON_LAN_PLAIN, `queue` under [limits] is --limit-queue and BATON_LIMIT_QUEUE. A flag counts before
        # the environment, and that before this file. Everything here is optional; remove the # in front of a
        # line to change it. `batond --check` names mistakes; log, allow_origin, trusted_proxies, signup and guests are taken over by a
        # running hub (systemctl reload batond), all others at its next start.
        #
        # `yes` and `no` may also be on/off, true/false, 1/0. Behind a value, a semicolon after a space begins
        # a comment. Paths are absolute or begin with ~/.
        """

    private static let limitsHead = """
        # What the hub takes from each remote before it says no. The defaults fit a home; a venue with
        # hundreds of people raises `connections`, and the start-up log says how far the machine allows it.
        [limits]
        """

    private static let sections = """
        # Programs that make music from words, a section each; the first is used where a person names none. They run without network and without
        # the files of people, by bubblewrap, with 4 GiB of memory and 256 processes; sandbox = off runs one as it is. A service over HTTP is
        # named by its url. Others are added by: baton worker add.
        #
        #   [worker tones]
        #   program = /usr/share/baton/tones.py
        #   sandbox = on
        #
        #   [worker studio]
        #   url = http://studio:8000
        #   artifact_map = /srv/timbre/artifacts:/mnt/studio
        #   token_file = /etc/baton/studio-token

        # Accounts at servers whose music the hub plays, a section each. The name is the first part of the addresses of its items.
        # Others are added by: baton source add. A password does not stand here, since others may read this file: it is the first
        # line of password_file, or api_key_file holds a key. As a service, systemd can pass it in instead:
        # LoadCredential=source-attic:/etc/baton/attic.secret, a file with lines `user = ...` and `password = ...`.
        #
        #   [source attic]
        #   kind = subsonic
        #   url = https://music.example.org/sub
        #   title = The attic
        #   user = anna
        #   password_file = /etc/baton/attic-password
        #   enabled = yes
        #   quality = raw
        #   sync_queue = no
        """
}
