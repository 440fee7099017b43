import { afterAll, describe, expect, it } from "vitest";
import { DRIFT_V2_INSTANCE as IDS } from "../../src/venues/drift/instance.ts";
import { ACCOUNT_CASES } from "../drift-cases/account-cases.ts";
import { INTRUDER_CASES } from "../drift-cases/intruder-cases.ts";
import { openExchange } from "../drift-cases/case.ts";
import { onRealProgram } from "../real-program.ts";
import { explanationsFor, openTwinBench } from "./twin-bench.ts";

const real = onRealProgram([...ACCOUNT_CASES, ...INTRUDER_CASES], "DRIFT_SO");
const explanations = explanationsFor("account");

describe("accounts at the exchange: identical bytes on practice and on the real program", () => {
  it.for(real.rows)("%s", async ([, { run }, reason], { skip }) => {
    skip(reason !== null, reason ?? "");
    const twins = await openTwinBench({ [IDS.programId]: real.file }, explanations);
    try {
      await run(await openExchange(twins));
    } finally {
      expect(twins.unexplained.join("\n")).toBe("");
    }
  });

  afterAll(() => {
    if (real.file !== "") expect(explanations.idle()).toEqual([]);
  });
});
