import type { DriftCase } from "./case.ts";
import { ACCOUNT_CASES } from "./account-cases.ts";
import { EXIT_CASES } from "./exit-cases.ts";
import { TRADE_CASES } from "./trade-cases.ts";

/** The life of an agent's account at the exchange: trading key, deposit, long, short, pause, withdraw, 13 days, delete. */
export const DRIFT_CASES: readonly DriftCase[] = [...ACCOUNT_CASES, ...TRADE_CASES, ...EXIT_CASES];
