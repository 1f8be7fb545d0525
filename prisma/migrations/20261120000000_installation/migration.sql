CREATE TABLE "installation" (
  "id" UUID NOT NULL,
  "secret" BYTEA NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "installation_pkey" PRIMARY KEY ("id")
);

-- At most one row, whichever processes start first together.
CREATE UNIQUE INDEX "installation_single_row" ON "installation" ((true));
