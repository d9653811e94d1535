// SPDX-License-Identifier: GPL-3.0-or-later
internal import GRDB

/// The tables of the history, `Results/history.sqlite`.
///
/// A SQLite database in WAL mode whose `application_id` is `0x41534159` ("ASAY"). Deleting a run deletes what belongs
/// to it. Version 1:
///
/// - `scenarios`: every scenario text that was run, once. `id`; `text`, the `scenario.yaml` as resolved.
/// - `runs`: a row a run. `id`, counted up and never used again; `slug`, the scenario's file without folder and ending;
///   `name`, what people call it; `kind`; `digest`, 8 hexadecimal digits; `judgement`, of all thresholds: `holds`,
///   `fails` or `undecided`; `status`: `complete`, `interrupted`, `incomplete` or `failed`; `started`, the second in
///   UTC as `run.json` writes it, `2026-11-21T12:00:00Z`; `process`, its number; `seconds` on the wall; `version` of
///   Assay; `gsl`, its version; `host`, `system`, `architecture` and `cores` of the machine; `workers` that shared the
///   work; `folder` of the run, relative to the history's own where it lies below that, else absolute; `command`;
///   `scenario`, a row of `scenarios`, or nothing where its text was not to be had. A process that begins in a folder
///   at one second is one run.
/// - `measurements`: all that is needed to state an interval at any confidence. `run`; `position`, from 0; `name`,
///   `label`, `meaning`, `unit` and `nature` of the measure, with `nature_confidence` where an interval was promised;
///   `form` of the value: `exact`, `count`, `proportion`, `mean` or `interval`; then what the form has: `value`
///   (nothing where it is no number), `count` (also of successes), `undecided`, `deviation`, `low`, `high`,
///   `confidence`, `samples` (also trials).
/// - `thresholds`: `run`, `position`, `text`, `measurement`, `source`, `line`, `judgement`, `found`, `remedy`,
///   `error_probability`, each as `result.json` has it.
///
/// A migration is never changed once it has been released; later versions add others behind it.
enum HistorySchema {
  /// What marks a SQLite file as a history of Assay: "ASAY".
  static let applicationID: Int32 = 0x4153_4159

  /// What brings a history of any earlier version up to this one.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1: runs, measurements and thresholds") { database in
      try database.execute(sql: version1)
    }
    return migrator
  }

  private static let version1 = """
    PRAGMA application_id = \(applicationID);

    CREATE TABLE scenarios (
      id INTEGER PRIMARY KEY,
      text TEXT NOT NULL UNIQUE
    ) STRICT;

    CREATE TABLE runs (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      slug TEXT NOT NULL,
      name TEXT NOT NULL,
      kind TEXT NOT NULL,
      digest TEXT NOT NULL,
      judgement TEXT NOT NULL CHECK (judgement IN ('holds', 'fails', 'undecided')),
      status TEXT NOT NULL CHECK (status IN ('complete', 'interrupted', 'incomplete', 'failed')),
      started TEXT NOT NULL,
      process INTEGER NOT NULL,
      seconds REAL,
      version TEXT NOT NULL,
      gsl TEXT NOT NULL,
      host TEXT NOT NULL,
      system TEXT NOT NULL,
      architecture TEXT NOT NULL,
      cores INTEGER NOT NULL,
      workers INTEGER NOT NULL,
      folder TEXT NOT NULL,
      command TEXT NOT NULL,
      scenario INTEGER REFERENCES scenarios (id),
      UNIQUE (folder, started, process)
    ) STRICT;
    CREATE INDEX runs_in_time ON runs (started);
    CREATE INDEX runs_of_slug ON runs (slug, started);
    CREATE INDEX runs_of_scenario ON runs (scenario);

    CREATE TABLE measurements (
      run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      name TEXT NOT NULL,
      label TEXT,
      meaning TEXT NOT NULL,
      unit TEXT NOT NULL,
      nature TEXT NOT NULL CHECK (nature IN ('exact', 'count', 'proportion', 'mean', 'interval')),
      nature_confidence REAL,
      form TEXT NOT NULL CHECK (form IN ('exact', 'count', 'proportion', 'mean', 'interval')),
      value REAL,
      count INTEGER,
      undecided INTEGER,
      deviation REAL,
      low REAL,
      high REAL,
      confidence REAL,
      samples INTEGER,
      PRIMARY KEY (run, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX measurements_by_name ON measurements (name, label, run);

    CREATE TABLE thresholds (
      run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      text TEXT NOT NULL,
      measurement TEXT NOT NULL,
      source TEXT NOT NULL,
      line INTEGER NOT NULL,
      judgement TEXT NOT NULL CHECK (judgement IN ('holds', 'fails', 'undecided')),
      found TEXT NOT NULL,
      remedy TEXT NOT NULL,
      error_probability REAL NOT NULL,
      PRIMARY KEY (run, position)
    ) STRICT, WITHOUT ROWID;
    """
}
