import type { SquadsCase } from "./case.ts";
import { CREATION_CASES } from "./creation-cases.ts";
import { DRAW_CASES } from "./draw-cases.ts";
import { LIMIT_CASES } from "./limit-cases.ts";
import { MEMBER_CASES, RECOVERY_CASES } from "./member-cases.ts";
import { ORDER_CASES } from "./order-cases.ts";
import { VAULT_CASES } from "./vault-cases.ts";

/** Everything of Squads v4 that custody relies on, one behaviour each; they run on practice and on the real program. */
export const SQUADS_CASES: readonly SquadsCase[] = [
  ...CREATION_CASES,
  ...VAULT_CASES,
  ...ORDER_CASES,
  ...MEMBER_CASES,
  ...RECOVERY_CASES,
  ...LIMIT_CASES,
  ...DRAW_CASES,
];
