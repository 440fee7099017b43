import { describe, expect, it } from "vitest";
import { openLiteBench, openPracticeBench } from "../../../test/chain-bench.ts";
import { openExchange } from "../../../test/drift-cases/case.ts";
import {
  OLD_PRICE_CASES,
  TAKING_CASES,
  WAITING_CASES,
} from "../../../test/drift-cases/order-cases.ts";
import { onRealProgram } from "../../../test/real-program.ts";
import { DRIFT_V2_INSTANCE as IDS } from "./instance.ts";

const cases = [...TAKING_CASES, ...WAITING_CASES];
const real = onRealProgram([...cases, ...OLD_PRICE_CASES], "DRIFT_SO");

describe("the venue's orders on the practice exchange", () => {
  it.each(cases)("$name", async ({ run }) => {
    const { bench, market } = await openPracticeBench();
    await run(await openExchange(bench, (price) => market.setPrice("SOL", price)));
    expect.hasAssertions();
  });
});

describe("the venue's orders on the real program", () => {
  it.for(real.rows)("%s", async ([, { run }, reason], { skip }) => {
    skip(reason !== null, reason ?? "");
    await run(await openExchange(openLiteBench({ [IDS.programId]: real.file })));
    expect.hasAssertions();
  });
});
