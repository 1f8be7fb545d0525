-- What the first stored block of a pipeline names as its parent: blocks before it may be stored later.

ALTER TABLE follow_pipeline ADD COLUMN first_parent text;
