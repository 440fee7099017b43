import type { Address, Blockhash, Instruction } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { instruction, readonly } from "../../../solana/encoding/instruction.ts";
import { keypairFromSeed } from "../../../solana/encoding/keys.ts";
import {
  associatedTokenAddress,
  createAssociatedTokenIdempotent,
} from "../../../solana/programs/associated-token.ts";
import type { LookupTables } from "../../../solana/programs/squads-message.ts";
import { vaultLife, deriveMultisig, deriveVault } from "../../../solana/programs/squads.ts";
import { TOKEN_PROGRAM, transferChecked } from "../../../solana/programs/token.ts";
import { compileTransaction } from "../../../solana/transaction.ts";
import { deposit, withdraw } from "../../../venues/drift/instructions.ts";
import {
  derivePerpMarket,
  deriveSpotMarket,
  deriveState,
  deriveUserStats,
} from "../../../venues/drift/pdas.ts";
import { DRIFT_V2_INSTANCE as instance } from "../../../venues/drift/instance.ts";
import { DRIFT_APPROVAL } from "../../../venues/drift/approval.ts";
import type { ApprovalRequest } from "../../../venues/venue-approval.ts";
import { checkTransaction } from "./check-transaction.ts";
import { vouchedTables } from "./check-prepared.ts";
import { sharedAddresses } from "../../../venues/drift/shared-addresses.ts";

const keyOf = (seed: number) => keypairFromSeed(new Uint8Array(32).fill(seed)).address;
const wallet = keyOf(1);
const multisig = deriveMultisig(keyOf(2)).address;
const vault = deriveVault(multisig).address;
const thief = keyOf(4);
const oracle = keyOf(5);
const table = keyOf(6);
const { mint } = instance.quote;
const AMOUNT = 500_000_000n;
const walletTokens = associatedTokenAddress(wallet, mint);
const vaultTokens = associatedTokenAddress(vault, mint);
const user = { authority: vault, subAccountId: 0 };
const markets = {
  oracles: [oracle],
  spotMarkets: [deriveSpotMarket(instance, 0)],
  perpMarkets: [derivePerpMarket(instance, 0)],
};
const none = { ...markets, oracles: [], perpMarkets: [] };
const move = { spotMarketIndex: 0, tokenAccount: vaultTokens, amount: AMOUNT, markets };
const inside = deposit(instance, user, move);

const shared = sharedAddresses(instance, [oracle]);

/** Returns a transaction compiled with the server's tables; the page is told `claimed`. */
function check(
  inner: readonly Instruction[],
  real: LookupTables,
  claimed: readonly Address[] = shared,
  changes: Partial<ApprovalRequest> = {},
) {
  const bytes = compileTransaction({
    feePayer: wallet,
    lifetime: { blockhash: keyOf(9) as string as Blockhash, lastValidBlockHeight: 150n },
    instructions: [
      createAssociatedTokenIdempotent({ payer: wallet, owner: vault, mint }),
      transferChecked(
        { source: walletTokens, mint, destination: vaultTokens, authority: wallet },
        { amount: AMOUNT, decimals: 6 },
      ),
      ...vaultLife({
        multisig,
        transactionIndex: 1n,
        member: wallet,
        vault,
        rentCollector: wallet,
        instructions: inner,
        tables: real,
      }),
    ],
    tables: real,
  });
  const known = sharedAddresses(instance, []);
  const request: ApprovalRequest = {
    intent: "deposit",
    method: "signAndSend",
    wallet,
    multisig,
    vault,
    pinnedMultisig: multisig,
    tables: vouchedTables([{ address: table, addresses: claimed }], known),
    amount: AMOUNT,
    market: "SOL-PERP",
    moved: null,
    ...changes,
  };
  const checked = checkTransaction(bytes, request, DRIFT_APPROVAL.on("mainnet"));
  return { bytes: bytes.length, ...checked };
}

const swapped = (from: Address, to: Address) => shared.map((key) => (key === from ? to : key));

describe("a transaction that names the shared lookup table", () => {
  it("is accepted with the same effects as without the table, in fewer bytes", () => {
    const small = deposit(instance, user, { ...move, markets: none });
    const plain = check([small], {});
    const short = check([small], { [table]: shared });
    expect(plain).toMatchObject({ kind: "matches" });
    expect(short).toMatchObject({ kind: "matches" });
    expect(short.kind === "matches" && short.summary).toEqual(
      plain.kind === "matches" && plain.summary,
    );
    expect(short.bytes).toBeLessThan(plain.bytes - 200);
  });

  it("is refused when it names another table", () => {
    expect(check([inside], { [keyOf(7)]: shared })).toMatchObject({
      kind: "mismatch",
      reason: expect.stringMatching(/unknown lookup table/),
    });
  });

  it.each([
    ["the vault's tokens", vaultTokens],
    ["the wallet's tokens", walletTokens],
    ["the wallet's statistics account", deriveUserStats(instance, vault)],
    ["the multisig", multisig],
  ])("is refused when it takes %s out of a table, whatever the server claims", (_, own) => {
    const claimed = [...shared, own];
    expect(check([inside], { [table]: claimed }, claimed).kind).toBe("mismatch");
  });

  it.each([
    ["the mint", mint, keyOf(8)],
    ["the token program", TOKEN_PROGRAM, thief],
    ["the exchange", deriveState(instance), thief],
  ])("is refused when a table's %s turns out to be different", (_, from, to) => {
    expect(check([inside], { [table]: shared }, swapped(from, to)).kind).toBe("mismatch");
  });

  it("is refused when the vault would call a program hidden in the table", () => {
    const evil = instruction(thief, [readonly(vault)], [1]);
    const honest = check([inside, evil], { [table]: [...shared, thief] }, [...shared, thief]);
    expect(honest.kind).toBe("mismatch");
  });

  it("is refused when it withdraws instead of depositing, with or without a table", () => {
    const out = withdraw(instance, user, move);
    expect(check([out], { [table]: shared }).kind).toBe("mismatch");
  });

  it("does not check price accounts, because the exchange does", () => {
    const claimed = swapped(oracle, thief);
    expect(check([inside], { [table]: shared }, claimed).kind).toBe("matches");
  });

  it("is refused when the quote token's market in the table turns out to be different", () => {
    const claimed = swapped(deriveSpotMarket(instance, 0), thief);
    expect(check([inside], { [table]: shared }, claimed).kind).toBe("mismatch");
  });

  it("is refused when the table is claimed to be shorter than the transaction reads", () => {
    expect(check([inside], { [table]: shared }, shared.slice(0, 4)).kind).toBe("mismatch");
  });
});
