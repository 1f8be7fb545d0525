-- Which export is being imported into an empty database: nothing is followed before all of its rows are stored.
ALTER TABLE "follow_network" ADD COLUMN "importing" TEXT;
