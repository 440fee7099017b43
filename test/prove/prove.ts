import { randomInt } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LaunchError } from "../../src/server/store/launch/account.ts";
import { OptionError, readOptions } from "./options.ts";
import { type ProofSettings, runProof, summarise } from "./run-proof.ts";
import { proveStops, summariseStops } from "./prove-stops.ts";
import { ScratchDatabaseError } from "./scratch-database.ts";

const OWNERS = 3;
const AGENTS_OF_EACH = 4;
/** An agent takes 60 alerts a minute from each server process. */
const PAUSE_MS = { least: 100, most: 700 };
const MOMENT_MS = 3_000;

/** Runs `npm run prove`; returns the exit code. `main` is the built program. */
export async function prove(words: readonly string[], main: string): Promise<number> {
  const ending = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => ending.abort());
  }
  let folder: string | null = null;
  try {
    const options = readOptions(words);
    const url = process.env["DATABASE_URL"] ?? "";
    folder = mkdtempSync(join(tmpdir(), "wheelhouse-prove-"));
    // Under root the database runs as another account
    chmodSync(folder, 0o711);
    if (options.stops > 0) {
      const { stops: rounds } = options;
      const say = (line: string) => console.log(line);
      const { signal } = ending;
      const proof = await proveStops({ main, folder, rounds, say, signal });
      for (const { kind, text } of proof.findings) console.log(`${kind}: ${text}`);
      if (proof.findings.length === 0) rmSync(folder, { recursive: true, force: true });
      console.log(summariseStops(proof));
      return proof.findings.length === 0 ? 0 : 1;
    }
    return await run(
      {
        ...options,
        seed: options.seed ?? randomInt(2 ** 32),
        main,
        folder,
        given:
          url === "" ? null : { url, ownerUrl: process.env["DATABASE_OWNER_URL"] || undefined },
        owners: OWNERS,
        agentsOfEach: AGENTS_OF_EACH,
        pauseMs: PAUSE_MS,
        momentMs: MOMENT_MS,
        say: (line) => console.log(line),
        signal: ending.signal,
      },
      folder,
    );
  } catch (error) {
    if (ending.signal.aborted) {
      if (folder !== null) rmSync(folder, { recursive: true, force: true });
      console.error("Ended early; nothing was compared.");
      return 130;
    }
    const isForUser =
      error instanceof OptionError ||
      error instanceof ScratchDatabaseError ||
      error instanceof LaunchError;
    console.error(isForUser ? error.message : String((error as Error).stack ?? error));
    if (folder !== null && isForUser) rmSync(folder, { recursive: true, force: true });
    else if (folder !== null) console.error(`Kept: ${folder}`);
    return 1;
  }
}

async function run(settings: ProofSettings, folder: string): Promise<number> {
  const proof = await runProof(settings);
  const isRight = proof.findings.length === 0;
  const lines = proof.findings.map(({ kind, text }) => `${kind}: ${text}`);
  for (const line of lines) console.log(line);
  if (isRight) rmSync(folder, { recursive: true, force: true });
  else {
    writeFileSync(join(folder, "findings.txt"), `${lines.join("\n")}\n`);
    const kept = [folder, ...(proof.keptDatabase === null ? [] : [proof.keptDatabase])];
    console.log(`Kept: ${kept.join(", ")}. Again: --seed ${settings.seed}.`);
  }
  console.log(summarise(proof));
  return isRight ? 0 : 1;
}
