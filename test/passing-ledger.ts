import type {
  SigningAgent,
  SigningAgents,
} from "../src/server/custody/signer/create-trading-key-signer.ts";
import type { SigningLedger } from "../src/server/custody/signer/signing-ledger.ts";
import type { AccountReading } from "../src/domain/order/signing-budget.ts";
import type { Chain } from "../src/solana/chain.ts";
import type { SigningRules, SigningTerms } from "../src/venues/order-signing.ts";

/** Terms of an agent for SOL-PERP that is on, without leverage. */
export const SOL_TERMS = {
  marketId: "SOL-PERP",
  slippageBps: 50,
  leverage: 1,
  stop: null,
  tradingState: "active",
} as const satisfies SigningTerms;

/** A ledger without limits, for tests of what the signer refuses before it. */
export const passingLedger: SigningLedger = {
  read: async () => {},
  sign: async ({ draft }, complete) => ({ ...draft, transaction: complete() }),
};

/** The one agent there is, read anew for each signature. */
export const theAgent = (agent: Omit<SigningAgent, "digest"> | null): SigningAgents => ({
  read: async () => (agent === null ? null : { ...agent, digest: null }),
  remembered: () => null,
  forget: () => {},
});

/** Rules with a limit that says this; their chain is never asked. */
export const rulesSaying = (
  allow: SigningRules["allow"],
  refusal: string | null = null,
): SigningRules => ({
  allow,
  limit: async () => (refusal === null ? { refusal, order: null } : { refusal }),
  chain: {} as Chain,
});

/** An account with 500 dollars and no position. */
export const QUIET_ACCOUNT: AccountReading = {
  slot: 1n,
  worth: 500_000_000n,
  free: 500_000_000n,
  held: 0n,
  cash: 500_000_000n,
  positions: {},
  hasOpenOrders: false,
};
