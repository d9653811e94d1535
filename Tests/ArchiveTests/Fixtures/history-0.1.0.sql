PRAGMA application_id = 1095975257;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('1: runs, measurements and thresholds');
CREATE TABLE scenarios (
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO scenarios VALUES(1,replace('name: The trainer''s chart from the rules alone\nkind: blackjack.chart\nrules: [6d-s17-das]\nmethod: simulate\nrandom:\n  generator: mt19937\n  seed: 1\nconfidence: 0.999\nindifference: 0.0005\nestimator: conditional\nagainst: [exact, trainer]\nthresholds:\n  - chart.undecided == 0\n  - exact.mismatches == 0\n  - exact.outside == 0\n  - trainer.mismatches == 0\n','\n',char(10)));
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
INSERT INTO runs VALUES(1,'quick','The trainer''s chart from the rules alone','blackjack.chart','48ef368f','holds','complete','2026-11-22T19:57:40Z',12698,4.0294055090000000518,'0.1.0','2.7.1','anvil','Debian GNU/Linux 12 (bookworm)','x86_64',2,2,'runs/quick-48ef368f','assay run Scenarios/quick.yaml',1);
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
INSERT INTO measurements VALUES(1,0,'chart.certified','6d-s17-das','cells whose action is certainly the best','cells','count',NULL,'count',NULL,330,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO measurements VALUES(1,1,'chart.indifferent','6d-s17-das','cells whose two best actions certainly differ by less than the indifference','cells','count',NULL,'count',NULL,0,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO measurements VALUES(1,2,'chart.undecided','6d-s17-das','cells of which neither can be said','cells','count',NULL,'count',NULL,0,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO measurements VALUES(1,3,'margin.least','6d-s17-das','how much better the best action is in the closest cell','bets','interval',0.99899999999999999911,'interval',0.0023718735383518076142,NULL,NULL,NULL,5.1629971711101019585e-06,0.0045553546196991168484,0.99899999999999999911,1564672);
INSERT INTO measurements VALUES(1,4,'rounds','6d-s17-das','rounds played from a cell on, each with every action under test','rounds','count',NULL,'count',NULL,13235178,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO measurements VALUES(1,5,'exact.mismatches','6d-s17-das','decided cells where the exact chart does something else, indifferent cells apart','cells','count',NULL,'count',NULL,0,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO measurements VALUES(1,6,'exact.outside','6d-s17-das','exact values of actions outside their simulated intervals','values','count',NULL,'count',NULL,0,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO measurements VALUES(1,7,'trainer.mismatches','6d-s17-das','decided cells where the trainer chart does something else, indifferent cells apart','cells','count',NULL,'count',NULL,0,0,NULL,NULL,NULL,NULL,NULL);
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
INSERT INTO thresholds VALUES(1,0,'chart.undecided[6d-s17-das] == 0','chart.undecided[6d-s17-das]','',10,'holds','0 cells','',0.0);
INSERT INTO thresholds VALUES(1,1,'exact.mismatches[6d-s17-das] == 0','exact.mismatches[6d-s17-das]','',11,'holds','0 cells','',0.0);
INSERT INTO thresholds VALUES(1,2,'exact.outside[6d-s17-das] == 0','exact.outside[6d-s17-das]','',12,'holds','0 values','',0.0);
INSERT INTO thresholds VALUES(1,3,'trainer.mismatches[6d-s17-das] == 0','trainer.mismatches[6d-s17-das]','',13,'holds','0 cells','',0.0);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('runs',1);
CREATE INDEX runs_in_time ON runs (started);
CREATE INDEX runs_of_slug ON runs (slug, started);
CREATE INDEX runs_of_scenario ON runs (scenario);
CREATE INDEX measurements_by_name ON measurements (name, label, run);
COMMIT;
