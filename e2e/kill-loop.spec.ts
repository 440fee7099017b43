import { chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "@playwright/test";
import { runProof } from "../test/prove/run-proof.ts";
import { MAIN, makeDataDir } from "./product.ts";
import { patient } from "../test/patient.ts";

const KILLS = 10;

/** Same moments and victims in each run. */
const SEED = 2026;

test("kills at random moments: each alert counts once and trades at most once, and log and book equal the chain", async () => {
  test.setTimeout(patient(600_000));
  const folder = makeDataDir(tmpdir());
  // Under root the database runs as another account
  chmodSync(folder.path, 0o711);
  const lines: string[] = [];
  const proof = await runProof({
    kills: KILLS,
    seed: SEED,
    servers: 1,
    main: MAIN,
    folder: folder.path,
    given: null,
    owners: 4,
    agentsOfEach: 1,
    pauseMs: { least: 20, most: 120 },
    momentMs: 700,
    say: (line) => lines.push(line),
    signal: new AbortController().signal,
  });
  expect(proof.findings).toEqual([]);
  expect(proof.acknowledged).toBeGreaterThan(KILLS);
  folder.remove();
});
