PRAGMA journal_mode=WAL;
PRAGMA secure_delete=ON;
CREATE TABLE IF NOT EXISTS cases (id TEXT PRIMARY KEY, created REAL, case_file TEXT, original TEXT);
CREATE TABLE IF NOT EXISTS changes (number INTEGER PRIMARY KEY, id TEXT, case_file TEXT);
CREATE TABLE IF NOT EXISTS jobs (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE, source TEXT, status TEXT,
    created REAL, started REAL, finished REAL, case_file TEXT, options TEXT, detail TEXT,
    result TEXT
);
CREATE TABLE IF NOT EXISTS files (job TEXT, name TEXT, content BLOB, PRIMARY KEY (job, name));
CREATE TABLE IF NOT EXISTS ratings (
    job TEXT, rater TEXT, item TEXT, scores TEXT, notes TEXT, PRIMARY KEY (job, rater, item)
);
CREATE TRIGGER IF NOT EXISTS forget_changes AFTER DELETE ON cases BEGIN
    DELETE FROM changes WHERE id = old.id;
END;
CREATE TRIGGER IF NOT EXISTS forget_analyses AFTER DELETE ON cases BEGIN
    DELETE FROM jobs WHERE source = old.id;
END;
CREATE TRIGGER IF NOT EXISTS forget_reports AFTER DELETE ON jobs BEGIN
    DELETE FROM files WHERE job = old.id;
    DELETE FROM ratings WHERE job = old.id;
END;
