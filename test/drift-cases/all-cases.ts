import type { DriftCase } from "./case.ts";
import { ACCOUNT_CASES } from "./account-cases.ts";
import { EXIT_CASES } from "./exit-cases.ts";
import { MARGIN_CASES } from "./margin-cases.ts";
import { TRADE_CASES } from "./trade-cases.ts";

/** All cases of an agent's account at the exchange, from its trading key and deposit to its deletion. */
export const DRIFT_CASES: readonly DriftCase[] = [
  ...ACCOUNT_CASES,
  ...TRADE_CASES,
  ...MARGIN_CASES,
  ...EXIT_CASES,
];
