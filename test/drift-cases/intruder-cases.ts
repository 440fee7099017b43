import { AccountRole, type AccountMeta, type Address, type Instruction } from "@solana/kit";
import { expect } from "vitest";
import {
  deleteUser,
  updateUserCustomMarginRatio,
  updateUserDelegate,
} from "../../src/venues/drift/instructions.ts";
import { deriveUser, deriveUserStats } from "../../src/venues/drift/pdas.ts";
import { DRIFT_V2_INSTANCE as IDS } from "../../src/venues/drift/instance.ts";
import { tokensOf } from "../chain-bench.ts";
import { tradingKey, tradingKeyUsdc, owner, putDollars, stranger } from "../squads-bench.ts";
import {
  as,
  bring,
  DOLLAR,
  type DriftCase,
  expectError,
  nameDelegate,
  open,
  ownerUsdc,
  take,
  user,
  withAccount,
} from "./case.ts";
import { SOL_ORACLE, SOL_PERP } from "./initialised-exchange.ts";

/** Returns the instruction with one account replaced, removed, or passed with other rights. */
function altered(
  instruction: Instruction,
  at: number,
  change: ((meta: AccountMeta) => AccountMeta) | null,
): Instruction {
  const accounts = [...(instruction.accounts ?? [])] as AccountMeta[];
  const meta = accounts[at];
  if (meta === undefined) throw new Error(`The instruction has no account ${at}`);
  const next = change === null ? accounts.toSpliced(at, 1) : accounts.with(at, change(meta));
  return { ...instruction, accounts: next };
}

const instead = (address: Address) => (meta: AccountMeta) => ({ ...meta, address });
const readonly = (meta: AccountMeta) => ({ ...meta, role: AccountRole.READONLY });

/** Positions of accounts in deposit and withdrawal instructions. */
const USER = 1;
const STATS = 2;
const DEPOSIT = { vault: 4, tokens: 5, program: 6, market: 7 };
const WITHDRAWAL = { vault: 4, signer: 5, tokens: 6, program: 7, market: 8 };

interface Attempt {
  readonly name: string;
  readonly instruction: () => Instruction;
  readonly error: string | null;
  readonly by?: typeof owner;
}

const ATTEMPTS: readonly Attempt[] = [
  { name: "nothing is deposited", instruction: () => bring(0n), error: "Custom 6002 at 0" },
  { name: "nothing is withdrawn", instruction: () => take(0n), error: null },
  {
    name: "a deposit above the largest number",
    instruction: () => bring(2n ** 64n - 1n),
    error: "Custom 6041 at 0",
  },
  {
    name: "a withdrawal of more than the balance",
    instruction: () => take(1_000n * DOLLAR + 1n),
    error: "Custom 6003 at 0",
  },
  {
    name: "a deposit to a missing account",
    instruction: () => altered(bring(DOLLAR), USER, instead(deriveUser(IDS, owner.address, 7))),
    error: "Custom 3007 at 0",
  },
  {
    name: "a deposit with missing statistics",
    instruction: () =>
      altered(bring(DOLLAR), STATS, instead(deriveUserStats(IDS, stranger.address))),
    error: "Custom 3007 at 0",
  },
  {
    name: "a deposit into another vault",
    instruction: () => altered(bring(DOLLAR), DEPOSIT.vault, instead(tradingKeyUsdc)),
    error: "Custom 2006 at 0",
  },
  {
    name: "a deposit out of another's tokens",
    instruction: () => altered(bring(DOLLAR), DEPOSIT.tokens, instead(tradingKeyUsdc)),
    error: "Custom 2015 at 0",
  },
  {
    name: "a deposit out of no token account",
    instruction: () => altered(bring(DOLLAR), DEPOSIT.tokens, instead(stranger.address)),
    error: "Custom 3007 at 0",
  },
  {
    name: "a deposit through another program",
    instruction: () => altered(bring(DOLLAR), DEPOSIT.program, instead(IDS.programId)),
    error: "Custom 3008 at 0",
  },
  {
    name: "a deposit without its market",
    instruction: () => altered(bring(DOLLAR), DEPOSIT.market, null),
    error: "Custom 6087 at 0",
  },
  {
    name: "a deposit with a perpetual market in its market's place",
    instruction: () => altered(bring(DOLLAR), DEPOSIT.market, instead(SOL_PERP)),
    error: "Custom 6087 at 0",
  },
  {
    name: "a deposit with an oracle in its market's place",
    instruction: () => altered(bring(DOLLAR), DEPOSIT.market, instead(SOL_ORACLE)),
    error: "Custom 6087 at 0",
  },
  {
    name: "a deposit with its market read-only",
    instruction: () => altered(bring(DOLLAR), DEPOSIT.market, readonly),
    error: "Custom 6090 at 0",
  },
  {
    name: "a deposit to a read-only account",
    instruction: () => altered(bring(DOLLAR), USER, readonly),
    error: "Custom 2000 at 0",
  },
  {
    name: "a withdrawal from another vault",
    instruction: () => altered(take(DOLLAR), WITHDRAWAL.vault, instead(tradingKeyUsdc)),
    error: "Custom 2006 at 0",
  },
  {
    name: "a withdrawal signed by somebody else",
    instruction: () => altered(take(DOLLAR), WITHDRAWAL.signer, instead(stranger.address)),
    error: "Custom 2003 at 0",
  },
  {
    name: "a withdrawal to somebody else's tokens, by the owner",
    instruction: () => altered(take(DOLLAR), WITHDRAWAL.tokens, instead(tradingKeyUsdc)),
    error: null,
  },
  {
    name: "a withdrawal without its market",
    instruction: () => altered(take(DOLLAR), WITHDRAWAL.market, null),
    error: "Custom 6087 at 0",
  },
  {
    name: "a withdrawal by the trading key",
    instruction: () => as(tradingKey.address, take(DOLLAR)),
    by: tradingKey,
    error: "Custom 2001 at 0",
  },
  {
    name: "a stranger's deposit to the account",
    instruction: () => as(stranger.address, bring(DOLLAR)),
    by: stranger,
    error: "Custom 2003 at 0",
  },
  {
    name: "the trading key's deposit of its own tokens",
    instruction: () =>
      altered(as(tradingKey.address, bring(DOLLAR)), DEPOSIT.tokens, instead(tradingKeyUsdc)),
    by: tradingKey,
    error: null,
  },
  {
    name: "a stranger deletes the account",
    instruction: () => as(stranger.address, deleteUser(IDS, user)),
    by: stranger,
    error: "Custom 2001 at 0",
  },
  {
    name: "a stranger names the trading key",
    instruction: () => as(stranger.address, updateUserDelegate(IDS, user, stranger.address)),
    by: stranger,
    error: "Custom 2006 at 0",
  },
  {
    name: "the trading key changes the account's own margin ratio",
    instruction: () => as(tradingKey.address, updateUserCustomMarginRatio(IDS, user, 0)),
    by: tradingKey,
    error: "Custom 2006 at 0",
  },
  {
    name: "the owner sets the account's own margin ratio",
    instruction: () => updateUserCustomMarginRatio(IDS, user, 5_000),
    error: null,
  },
  {
    name: "the owner names nobody",
    instruction: () => updateUserDelegate(IDS, user, "11111111111111111111111111111111" as Address),
    error: null,
  },
];

/** Instructions a thief or a careless owner could send to the exchange for an account. */
export const INTRUDER_CASES: readonly DriftCase[] = [
  ...ATTEMPTS.map(({ name, instruction, error, by = owner }): DriftCase => ({
    name,
    async run(bench) {
      await withAccount(bench);
      await putDollars(bench, tradingKey.address, 10n * DOLLAR);
      await putDollars(bench, stranger.address, 10n * DOLLAR);
      await expectError(bench.send([by], [instruction()]), error);
    },
  })),
  {
    name: "while everything is paused no money moves, and afterwards it does",
    async run(bench) {
      await withAccount(bench);
      await bench.setExchange({ exchangeStatus: 127 });
      await expectError(bench.send([owner], [bring(DOLLAR)]), "Custom 6024 at 0");
      await expectError(bench.send([owner], [take(DOLLAR)]), "Custom 6024 at 0");
      await expectError(bench.send([owner], [nameDelegate()]), null);
      await bench.setExchange({ exchangeStatus: 0 });
      await expectError(bench.send([owner], [take(DOLLAR)]), null);
    },
  },
  {
    name: "partial payouts are rounded against the owner, and everything can be paid out",
    async run(bench) {
      await withAccount(bench, 10n);
      for (const part of [1n, 333_333n, 2n * DOLLAR, 7n]) {
        bench.advance(3_600);
        await expectError(bench.send([owner], [take(part)]), null);
      }
      await expectError(bench.send([owner], [take(10n * DOLLAR)]), "Custom 6003 at 0");
      // Four parts, a unit lost at each
      const rest = 10n * DOLLAR - 1n - 333_333n - 2n * DOLLAR - 7n - 4n;
      await expectError(bench.send([owner], [take(rest)]), null);
      expect(await tokensOf(bench, ownerUsdc)).toBe(2_000n * DOLLAR - 4n);
    },
  },
  {
    name: "a closed account takes no deposit and is not deleted twice",
    async run(bench) {
      await expectError(bench.send([owner], open()), null);
      await putDollars(bench, owner.address, DOLLAR);
      await expectError(bench.send([owner], [deleteUser(IDS, user)]), null);
      await expectError(bench.send([owner], [bring(DOLLAR)]), "Custom 3007 at 0");
      await expectError(bench.send([owner], [deleteUser(IDS, user)]), "Custom 3007 at 0");
      await expectError(bench.send([owner], [nameDelegate()]), "Custom 3007 at 0");
    },
  },
];
