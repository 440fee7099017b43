import { afterAll, describe, expect, it } from "vitest";
import { DRIFT_V2_INSTANCE as IDS } from "../../src/venues/drift/instance.ts";
import { openExchange } from "../drift-cases/case.ts";
import { EXIT_CASES } from "../drift-cases/exit-cases.ts";
import { OLD_PRICE_CASES, TAKING_CASES, WAITING_CASES } from "../drift-cases/order-cases.ts";
import { TRADE_CASES } from "../drift-cases/trade-cases.ts";
import { onRealProgram } from "../real-program.ts";
import { CLUMSY_CASES } from "./clumsy-cases.ts";
import { SETTLE_CASES } from "./settle-cases.ts";
import { ORDER_CASES } from "./trade-cases.ts";
import { TRIGGER_CASES } from "./trigger-cases.ts";
import { explanationsFor, openTwinBench } from "./twin-bench.ts";

const CASES = [
  ...ORDER_CASES,
  ...CLUMSY_CASES,
  ...TAKING_CASES,
  ...WAITING_CASES,
  ...OLD_PRICE_CASES,
  ...TRADE_CASES,
  ...EXIT_CASES,
  ...SETTLE_CASES,
  ...TRIGGER_CASES,
];
const { file, rows } = onRealProgram(CASES, "DRIFT_SO");
const explanations = explanationsFor("trade");

describe("trading on practice and on the real program", () => {
  it.for(rows)("%s", async ([, { run }, reason], { skip }) => {
    skip(reason !== null, reason ?? "");
    const twins = await openTwinBench({ [IDS.programId]: file }, explanations);
    await run(await openExchange(twins));
    expect(twins.unexplained.join("\n")).toBe("");
  });
});

afterAll(() => {
  if (file !== "") expect(explanations.idle()).toEqual([]);
});
