import { afterAll, describe, expect, it } from "vitest";
import { SQUADS_PROGRAM } from "../../src/solana/programs/squads.ts";
import { onRealProgram } from "../real-program.ts";
import { prepareSquads } from "../squads-bench.ts";
import { SQUADS_CASES } from "../squads-cases/all-cases.ts";
import { explanationsFor, openTwinBench } from "./twin-bench.ts";

const real = onRealProgram(SQUADS_CASES, "SQUADS_SO");
const explanations = explanationsFor("squads");

describe("Squads v4: the same bytes on the practice chain and on the real program", () => {
  it.for(real.rows)("%s", async ([, { run }, reason], { skip }) => {
    skip(reason !== null, reason ?? "");
    const twins = await openTwinBench({ [SQUADS_PROGRAM]: real.file }, explanations);
    await prepareSquads(twins);
    try {
      await run(twins);
    } finally {
      expect(twins.unexplained.join("\n")).toBe("");
    }
  });

  afterAll(() => {
    if (real.file !== "") expect(explanations.idle()).toEqual([]);
  });
});
