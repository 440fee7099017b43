import type { Address, Blockhash, Instruction } from "@solana/kit";
import { beforeEach, describe, expect, it } from "vitest";
import { agentIdOf } from "../../../../test/ids.ts";
import type { CustodyIntent } from "../../../domain/custody-intent.ts";
import { parseOwner } from "../../../domain/ids.ts";
import { type Network, NETWORKS } from "../../../domain/network.ts";
import type { VenueId } from "../../../domain/venue-id.ts";
import { instruction } from "../../../solana/encoding/instruction.ts";
import { keypairFromSeed } from "../../../solana/encoding/keys.ts";
import {
  setComputeUnitLimit,
  setComputeUnitPrice,
} from "../../../solana/programs/compute-budget.ts";
import {
  associatedTokenAddress,
  createAssociatedTokenIdempotent,
} from "../../../solana/programs/associated-token.ts";
import { TOKEN_PROGRAM, transferChecked } from "../../../solana/programs/token.ts";
import type { VenueApproval } from "../../../venues/venue-approval.ts";
import type { PreparedTransaction } from "../approval-phase.ts";
import { vaultLife, deriveMultisig, deriveVault } from "../../../solana/programs/squads.ts";
import { compileTransaction } from "../../../solana/transaction.ts";
import { deriveSpotMarket } from "../../../venues/drift/pdas.ts";
import { planDepositFrom } from "../../../venues/drift/plan-entry.ts";
import { DRIFT_INSTANCES, type DriftInstance } from "../../../venues/drift/instance.ts";
import { toBase64 } from "../../lib/base64.ts";
import { pinMultisig } from "../approval-memory.ts";
import { checkPrepared } from "./check-prepared.ts";

const keyOf = (seed: number) => keypairFromSeed(new Uint8Array(32).fill(seed)).address;
const wallet = keyOf(1);
const multisig = deriveMultisig(keyOf(2)).address;
const vault = deriveVault(multisig).address;
const AGENT = agentIdOf("a");

const ASKED = {
  intent: "deposit",
  agentId: AGENT,
  wallet: parseOwner(wallet),
  market: "SOL-PERP",
  asset: null,
  amount: "500",
} as const;

beforeEach(() => pinMultisig(AGENT, multisig));

/** Returns the server's prepared transaction for these instructions of an agent on this network. */
function prepare(instructions: readonly Instruction[], network: Network): PreparedTransaction {
  const transaction = compileTransaction({
    feePayer: wallet,
    lifetime: { blockhash: keyOf(9) as string as Blockhash, lastValidBlockHeight: 150n },
    instructions: [setComputeUnitLimit(600_000), setComputeUnitPrice(5_000n), ...instructions],
  });
  return {
    network,
    method: "signAndSend",
    multisig,
    vault,
    tables: [],
    transaction: toBase64(transaction),
  } as unknown as PreparedTransaction;
}

/** Returns the server's prepared deposit of 500 in an instance's quote token, for an agent on this network. */
function check(instance: DriftInstance, network: Network) {
  const account = { owner: wallet, multisig, vault, tradingKey: keyOf(3), subAccountId: 0 };
  const markets = { oracles: [], spotMarkets: [deriveSpotMarket(instance, 0)], perpMarkets: [] };
  const step = planDepositFrom(instance, account, 500_000_000n, markets);
  const life = vaultLife({
    multisig,
    transactionIndex: 1n,
    member: wallet,
    vault,
    rentCollector: wallet,
    instructions: step.asVault,
    tables: {},
  });
  const asked = { ...ASKED, venue: "drift" as const };
  return checkPrepared(prepare([...step.before, ...life], network), asked, []).kind;
}

describe("a deposit of the token the exchange settles in", () => {
  it.each(NETWORKS)("is accepted on %s", (network) => {
    expect(check(DRIFT_INSTANCES[network], network)).toBe("matches");
  });

  it("may be preceded by opening the vault's token account, but no other account", () => {
    const { mint } = DRIFT_INSTANCES.mainnet.quote;
    const opening = (owner: Address) => {
      const instructions = [createAssociatedTokenIdempotent({ payer: wallet, owner, mint })];
      const asked = { ...ASKED, venue: "drift" as const };
      return checkPrepared(prepare(instructions, "mainnet"), asked, []).kind;
    };
    expect(opening(vault)).toBe("matches");
    expect(opening(keyOf(3))).toBe("mismatch");
    expect(checkPrepared(prepare([], "mainnet"), { ...ASKED, venue: "drift" }, []).kind).toBe(
      "mismatch",
    );
  });

  it("is refused with another network's token", () => {
    expect(check(DRIFT_INSTANCES.mainnet, "devnet")).toBe("mismatch");
    expect(check(DRIFT_INSTANCES.devnet, "mainnet")).toBe("mismatch");
  });
});

describe("a venue that the page knows only from the list", () => {
  const quote = { mint: keyOf(7), decimals: 2, tokenProgram: TOKEN_PROGRAM, symbol: "EURX" };
  const third: VenueApproval = {
    venue: "third" as VenueId,
    on: () => ({
      quote,
      assets: [],
      sharedAddresses: [],
      rules: {
        deposit: {
          may: ["tokens", "venue-deposit"],
          moves: { from: "wallet", token: "quote", amount: "asked" },
        },
      },
      read: ({ programAddress }) =>
        programAddress === keyOf(8)
          ? { kind: "venue-deposit", account: vault, amount: 50_000n }
          : null,
    }),
  };
  const accountOf = (owner: Address) => associatedTokenAddress(owner, quote.mint);
  const move = (to: Address, amount: bigint) =>
    transferChecked(
      {
        source: accountOf(wallet),
        mint: quote.mint,
        destination: accountOf(to),
        authority: wallet,
      },
      { amount, decimals: 2 },
    );
  const own = instruction(keyOf(8), [], [1]);
  const check = (instructions: readonly Instruction[], venues = [third], intent = "deposit") =>
    checkPrepared(
      prepare(instructions, "practice"),
      { ...ASKED, venue: third.venue, intent: intent as CustodyIntent },
      [],
      venues,
    );

  it("is checked by the same engine", () => {
    expect(check([move(vault, 50_000n), own])).toMatchObject({
      kind: "matches",
      summary: {
        effects: [
          { kind: "tokens", symbol: "EURX", amount: 50_000n },
          { kind: "venue-deposit", amount: 50_000n },
        ],
      },
    });
  });

  it.each([
    ["another amount", [move(vault, 49_999n)]],
    ["another receiver", [move(keyOf(6), 50_000n)]],
    ["a program that neither it nor the page knows", [instruction(keyOf(5), [], [1])]],
  ])("gets no approval with %s", (_, instructions) => {
    expect(check(instructions).kind).toBe("mismatch");
  });

  it("gets no approval without a rule, nor when it is not listed", () => {
    expect(check([move(vault, 50_000n)], [third], "revoke").kind).toBe("mismatch");
    expect(check([move(vault, 50_000n)], [])).toEqual({
      kind: "mismatch",
      reason: "This page cannot check transactions of that venue.",
    });
  });
});
