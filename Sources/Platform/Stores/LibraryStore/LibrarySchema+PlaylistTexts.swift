/// The step of `library.db` that adds descriptions and creation times of playlists.
import SQLite

extension Schema {
    static let playlistTexts = Step(
        before: """
            ALTER TABLE playlist ADD COLUMN about TEXT NOT NULL DEFAULT '';
            -- NULL for a list that was made before this step.
            ALTER TABLE playlist ADD COLUMN made_ms INTEGER;
            ALTER TABLE deleted_playlist ADD COLUMN about TEXT NOT NULL DEFAULT '';
            ALTER TABLE deleted_playlist ADD COLUMN made_ms INTEGER;
            """)
}
