import type { PracticeLedger } from "../src/practice/ledger.ts";
import type { AccountState } from "../src/practice/runtime/account-state.ts";
import { TOKEN_PROGRAM, tokenAccountCodec, USDC_MINT } from "../src/solana/programs/token.ts";

/** Practice ledger that totals all accounts and all fees ever written. */
export interface CountingLedger extends PracticeLedger {
  /** Lamports of all accounts of the chain together. */
  totalLamports(): bigint;
  /** Quote units of all token accounts of the chain together. */
  totalQuote(): bigint;
  /** Fees of everything that landed. */
  feeLamports(): bigint;
}

const TOKEN_ACCOUNT_BYTES = 165;

function quoteOf(state: AccountState | undefined): bigint {
  if (state === undefined || state.owner !== TOKEN_PROGRAM || state.lamports === 0n) return 0n;
  if (state.data.length !== TOKEN_ACCOUNT_BYTES) return 0n;
  const { mint, amount } = tokenAccountCodec.decode(state.data);
  return mint === USDC_MINT ? amount : 0n;
}

export function countingLedger(ledger: PracticeLedger): CountingLedger {
  let total = 0n;
  let quote = 0n;
  let fees = 0n;
  return {
    ...ledger,
    transact: (run) =>
      ledger.transact((view) => {
        const decision = run(view);
        for (const [address, state] of decision.change.accounts) {
          const before = view.account(address);
          total += state.lamports - (before?.lamports ?? 0n);
          quote += quoteOf(state) - quoteOf(before);
        }
        for (const { outcome } of decision.change.records) fees += outcome.feeLamports;
        return decision;
      }),
    totalLamports: () => total,
    totalQuote: () => quote,
    feeLamports: () => fees,
  };
}
