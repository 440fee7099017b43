import { describe, expect, it } from "vitest";
import { openLiteBench, openPracticeBench } from "../../../../test/chain-bench.ts";
import { onRealProgram } from "../../../../test/real-program.ts";
import { createKey, owner, prepareSquads, stranger } from "../../../../test/squads-bench.ts";
import { SQUADS_CASES } from "../../../../test/squads-cases/all-cases.ts";
import { create } from "../../../../test/squads-cases/case.ts";
import { SQUADS_PROGRAM } from "../../../solana/programs/squads.ts";

const real = onRealProgram(SQUADS_CASES, "SQUADS_SO");

/** Number of behaviours measured on the real program; later tests go beyond them. */
const MEASURED = 56;

describe("Squads v4 on the practice chain", () => {
  it("is tested for every measured behaviour, each under a unique name", () => {
    expect(SQUADS_CASES.length).toBeGreaterThanOrEqual(MEASURED);
    expect(new Set(SQUADS_CASES.map(({ name }) => name)).size).toBe(SQUADS_CASES.length);
  });

  it.each(SQUADS_CASES)("$name", async ({ run }) => {
    const { bench } = await openPracticeBench();
    await prepareSquads(bench);
    await run(bench);
    expect.hasAssertions();
  });

  it("names its errors in the logs as the real program does", async () => {
    const { bench } = await openPracticeBench();
    await prepareSquads(bench);
    const { logs } = await bench.send([owner, createKey], [create({}, stranger.address)]);
    expect(logs).toContain("Program log: Instruction: MultisigCreateV2");
    expect(logs).toContain(
      "Program log: AnchorError occurred. Error Code: InvalidAccount. Error Number: 6014. Error Message: Invalid account provided.",
    );
    expect(logs.at(-1)).toBe(`Program ${SQUADS_PROGRAM} failed: custom program error: 0x177e`);
  });
});

describe("Squads v4, the real program", () => {
  it.for(real.rows)("%s", async ([, { run }, reason], { skip }) => {
    skip(reason !== null, reason ?? "");
    const bench = openLiteBench({ [SQUADS_PROGRAM]: real.file });
    await prepareSquads(bench);
    await run(bench);
    expect.hasAssertions();
  });
});
