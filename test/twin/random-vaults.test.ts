import { expect, it } from "vitest";
import { SQUADS_PROGRAM } from "../../src/solana/programs/squads.ts";
import { prepareSquads } from "../squads-bench.ts";
import { runVaultSequence } from "./random-custody.ts";
import { createChance } from "./random-trading.ts";
import { alsoSpoilt } from "./spoilt-bytes.ts";
import { explanationsFor, openTwinBench } from "./twin-bench.ts";

const file = process.env["SQUADS_SO"];
const sequences = Number(process.env["TWIN_SEEDS"] ?? "200");
const first = Number(process.env["TWIN_FIRST_SEED"] ?? "1");
const STEPS = 6;

it(
  `vaults stay identical over ${sequences} random sequences`,
  { timeout: sequences * 5_000 },
  async ({ skip }) => {
    if (file === undefined) return skip("SQUADS_SO names no program file");
    const explanations = explanationsFor("squads");
    for (let seed = first; seed < first + sequences; seed += 1) {
      const twins = await openTwinBench({ [SQUADS_PROGRAM]: file }, explanations);
      await prepareSquads(twins);
      await runVaultSequence(alsoSpoilt(twins, seed), createChance(seed), STEPS);
      expect(twins.unexplained.join("\n"), `seed ${seed}`).toBe("");
    }
  },
);
