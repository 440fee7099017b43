import { expect, it } from "vitest";
import { SQUADS_PROGRAM } from "../../src/solana/programs/squads-pdas.ts";
import { DRIFT_V2_PROFILE as IDS } from "../../src/venues/drift/profile.ts";
import { openExchange } from "../drift-cases/case.ts";
import { prepareSquads } from "../squads-bench.ts";
import { runAccountSequence, runVaultSequence } from "./random-custody.ts";
import { createChance } from "./random-trading.ts";
import { explanationsFor, openTwinBench } from "./twin-bench.ts";

const { SQUADS_SO: squads, DRIFT_SO: drift } = process.env;
const sequences = Number(process.env["TWIN_SEEDS"] ?? "200");
const first = Number(process.env["TWIN_FIRST_SEED"] ?? "1");
const STEPS = 6;
const timeout = sequences * 5_000;
const seeds = Array.from({ length: sequences }, (_, at) => first + at);

it(
  `keeps vaults alike over ${sequences} random sequences${squads === undefined ? " [not run: SQUADS_SO names no program file]" : ""}`,
  { timeout },
  async ({ skip }) => {
    if (squads === undefined) return skip("SQUADS_SO names no program file");
    const explanations = explanationsFor("squads");
    for (const seed of seeds) {
      const twins = await openTwinBench({ [SQUADS_PROGRAM]: squads }, explanations);
      await prepareSquads(twins);
      await runVaultSequence(twins, createChance(seed), STEPS);
      expect(twins.unexplained.join("\n"), `seed ${seed}`).toBe("");
    }
  },
);

it(
  `keeps accounts at the exchange alike over ${sequences} random sequences${drift === undefined ? " [not run: DRIFT_SO names no program file]" : ""}`,
  { timeout },
  async ({ skip }) => {
    if (drift === undefined) return skip("DRIFT_SO names no program file");
    const explanations = explanationsFor("account");
    for (const seed of seeds) {
      const twins = await openTwinBench({ [IDS.programId]: drift }, explanations);
      await runAccountSequence(await openExchange(twins), createChance(seed), STEPS);
      expect(twins.unexplained.join("\n"), `seed ${seed}`).toBe("");
    }
  },
);
