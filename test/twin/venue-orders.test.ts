import { describe, expect, it } from "vitest";
import { DRIFT_V2_INSTANCE as IDS } from "../../src/venues/drift/instance.ts";
import { openExchange } from "../drift-cases/case.ts";
import { OLD_PRICE_CASES, TAKING_CASES, WAITING_CASES } from "../drift-cases/order-cases.ts";
import { onRealProgram } from "../real-program.ts";
import { explanationsFor, openTwinBench } from "./twin-bench.ts";

const cases = [...TAKING_CASES, ...WAITING_CASES, ...OLD_PRICE_CASES];
const { file, rows } = onRealProgram(cases, "DRIFT_SO");

describe("the venue's orders on practice and on the real program", () => {
  it.for(rows)("%s", async ([, { run }, reason], { skip }) => {
    skip(reason !== null, reason ?? "");
    const twins = await openTwinBench({ [IDS.programId]: file }, explanationsFor("trade"));
    await run(await openExchange(twins));
    expect(twins.unexplained.join("\n")).toBe("");
  });
});
