import { expect, it } from "vitest";
import { DRIFT_V2_INSTANCE as IDS } from "../../src/venues/drift/instance.ts";
import { openExchange } from "../drift-cases/case.ts";
import { runSequence } from "./random-trading.ts";
import { alsoSpoilt } from "./spoilt-bytes.ts";
import { explanationsFor, openTwinBench } from "./twin-bench.ts";

const file = process.env["DRIFT_SO"];
const sequences = Number(process.env["TWIN_SEEDS"] ?? "200");
const first = Number(process.env["TWIN_FIRST_SEED"] ?? "1");
const STEPS = 8;

it(
  `${sequences} random sequences of ${STEPS} trades are identical on practice and on the real program`,
  { timeout: sequences * 5_000 },
  async ({ skip }) => {
    if (file === undefined) return skip("DRIFT_SO names no program file");
    const twins = await openTwinBench({ [IDS.programId]: file }, explanationsFor("trade"));
    for (let seed = first; seed < first + sequences; seed += 1) {
      const bench = await openExchange(alsoSpoilt(twins, seed));
      await runSequence(bench, seed, STEPS);
      expect(twins.unexplained.join("\n"), `seed ${seed}`).toBe("");
    }
  },
);
