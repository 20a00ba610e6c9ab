/// The step of `library.db` that gives users their own marks, plays and playlists.
import SQLite

extension Schema {
    /// Tables for single users. Existing marks and plays stay the hub's, and so do existing playlists, whose owner is NULL.
    static let owners = Step(
        before: """
            CREATE TABLE own_mark (
                person TEXT NOT NULL,
                item INTEGER NOT NULL,
                -- When it became a favourite; 0 is none.
                favourite_ms INTEGER NOT NULL DEFAULT 0,
                stars INTEGER NOT NULL DEFAULT 0,
                plays INTEGER NOT NULL DEFAULT 0,
                played_ms INTEGER NOT NULL DEFAULT 0,
                PRIMARY KEY (person, item)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX own_mark_of_item ON own_mark (item);
            ALTER TABLE play ADD COLUMN person TEXT NOT NULL DEFAULT 'home';
            CREATE INDEX play_of_person ON play (person, id);
            -- Who may see a list that has an owner: private, shared, link.
            ALTER TABLE playlist ADD COLUMN sharing TEXT NOT NULL DEFAULT 'shared';
            ALTER TABLE playlist ADD COLUMN link TEXT;
            ALTER TABLE deleted_playlist ADD COLUMN sharing TEXT NOT NULL DEFAULT 'shared';
            ALTER TABLE deleted_playlist ADD COLUMN link TEXT;
            """)
}
