import { randomBytes } from "node:crypto";
import type { Address } from "@solana/kit";
import { isAppError } from "../src/contract/errors.ts";
import type { Account } from "../src/solana/chain.ts";
import { keypairFromSeed, type Keypair } from "../src/solana/encoding/keys.ts";
import { transferLamports } from "../src/solana/programs/system.ts";
import { TOKEN_PROGRAM, tokenAccountCodec } from "../src/solana/programs/token.ts";
import { signTransaction } from "../src/solana/signing.ts";
import { compileTransaction } from "../src/solana/transaction.ts";
import { deriveUser, deriveUserStats } from "../src/venues/drift/pdas.ts";
import { DRIFT_V2_INSTANCE } from "../src/venues/drift/instance.ts";
import {
  JUPITER_PRACTICE_INSTANCE,
  quoteToken,
  tokenAccountOf,
} from "../src/venues/jupiter/instance.ts";
import { deriveSpendingLimit } from "../src/solana/programs/squads.ts";
import { passAuction } from "./auctions.ts";
import { type CustodyWorld, SOL } from "./custody-world.ts";
import { amountOf, type LifeStep, type LifeStory } from "./custody-stories.ts";

/** Custody life of one agent on the practice chain with every lamport and quote unit counted. */
export interface CustodyLife {
  readonly world: CustodyWorld;
  /** Key that can temporarily hold the owner's SOL. */
  readonly friend: Keypair;
  /** Executes the steps before `at`. */
  reach(at: number): Promise<void>;
  /** Executes the open steps from `at` until the agent's custody is closed. */
  finish(at: number): Promise<void>;
  /** Returns the labels of confirmed transactions in order; repeatable ones once. */
  confirmed(): Promise<readonly string[]>;
  /** Sends the owner's lamports except this many to the friend. */
  lendAllBut(lamports: bigint): Promise<void>;
  /** Returns the lent lamports to the owner. */
  repay(): Promise<void>;
  /** Returns the lamports of owner, friend and all custody accounts, excluding wrapped ones. */
  held(): Promise<bigint>;
  /** Returns the quote units of the vault, its venue account and the trading key. */
  entrusted(): Promise<bigint>;
  /** Returns the rent of the owner's own token accounts, which only the owner can close. */
  assetRent(): Promise<bigint>;
}

const FEE_LAMPORTS = 5_000n;

/** Time after which an expired blockhash is final, in milliseconds. */
const EXPIRY_MS = 190 * 400;

export async function beginLife(world: CustodyWorld, { steps }: LifeStory): Promise<CustodyLife> {
  const friend = keypairFromSeed(randomBytes(32));
  await world.chain.fund(friend.address, { lamports: 10_000_000n, quoteUnits: 0n });
  const owner = world.owner.address;
  const { multisig, vault, tradingKey } = world.keys.of(world.agentId);
  await world.chain.fund(tradingKey.address, { lamports: SOL, quoteUnits: 0n });
  const venueAccount = {
    owner,
    multisig,
    vault,
    tradingKey: tradingKey.address,
    subAccountId: 0,
    marketId: "SOL",
  };
  const tokens = [quoteToken(JUPITER_PRACTICE_INSTANCE), ...JUPITER_PRACTICE_INSTANCE.assets];
  const holders = [
    owner,
    friend.address,
    multisig,
    vault,
    tradingKey.address,
    deriveUser(DRIFT_V2_INSTANCE, vault, 0),
    deriveUserStats(DRIFT_V2_INSTANCE, vault),
    ...tokens.map(({ mint }) => deriveSpendingLimit(multisig, mint).address),
    ...tokens.flatMap((token) =>
      [owner, vault, tradingKey.address].map((holder) => tokenAccountOf(holder, token)),
    ),
  ];

  async function pay(from: Keypair, to: Address, lamports: bigint): Promise<void> {
    const bytes = compileTransaction({
      feePayer: from.address,
      lifetime: await world.chain.latestBlockhash(),
      instructions: [transferLamports({ from: from.address, to }, lamports)],
    });
    await world.chain.send(signTransaction(bytes, from));
  }

  const repeatable = new Set(
    steps
      .filter(({ isRepeatable, isRenewed }) => isRepeatable || isRenewed)
      .map(({ label }) => label),
  );
  const confirmed = async (): Promise<readonly string[]> => {
    const rows = await world.database.db
      .selectFrom("custody_transactions")
      .select("label")
      .where("agent_id", "=", world.agentId)
      .where("state", "=", "confirmed")
      .orderBy("settled_at")
      .orderBy("seq")
      .execute();
    const labels = rows.map(({ label }) => label);
    return labels.filter((label, at) => label !== labels[at - 1] || !repeatable.has(label));
  };

  const begun = new Set<LifeStep>();
  async function begin(step: LifeStep | undefined): Promise<void> {
    if (step === undefined || begun.has(step)) return;
    begun.add(step);
    await step.before?.(world);
  }

  async function take(step: LifeStep): Promise<void> {
    await begin(step);
    const ask = async () => world.prepare(step.intent, await amountOf(world, step));
    const prepared = await ask().catch(async (error: unknown) => {
      if (!isAppError(error, "order_waiting")) throw error;
      await passAuction(world);
      return ask();
    });
    const followed = await world.approve(prepared);
    if (followed.state !== "confirmed") {
      throw new Error(`${step.name}: ${followed.state} ${followed.reason ?? ""}`);
    }
  }

  let lent = 0n;
  return {
    world,
    friend,
    async reach(at) {
      for (const step of steps.slice(0, at)) await take(step);
      await begin(steps[at]);
    },
    async finish(at) {
      await world.custody.follow(world.agentId);
      for (const [index, step] of steps.entries()) {
        while (index >= at && (await confirmed()).length <= index) await take(step);
      }
      await world.custody.close(world.agentId).catch(async (error: unknown) => {
        if (!isAppError(error, "transaction_open")) throw error;
        // A replaced transaction is still signable; its records are dropped after its blockhash expires
        world.clock.advance(EXPIRY_MS);
        await world.custody.close(world.agentId);
      });
    },
    confirmed,
    async lendAllBut(lamports) {
      lent = (await world.lamports(owner)) - lamports - FEE_LAMPORTS;
      await pay(world.owner, friend.address, lent);
    },
    repay: () => pay(friend, owner, lent),
    async held() {
      const { accounts } = await world.chain.accounts(holders);
      return accounts.reduce((sum, account) => sum + unwrapped(account), 0n);
    },
    async assetRent() {
      const { assets } = JUPITER_PRACTICE_INSTANCE;
      const { accounts } = await world.chain.accounts(
        assets.map((asset) => tokenAccountOf(owner, asset)),
      );
      return accounts.reduce((sum, account) => sum + unwrapped(account), 0n);
    },
    async entrusted() {
      const token = quoteToken(JUPITER_PRACTICE_INSTANCE);
      const { accounts } = await world.chain.accounts(
        [vault, tradingKey.address].map((holder) => tokenAccountOf(holder, token)),
      );
      const drift = world.networks.get("practice")?.venues.get("drift");
      const { portfolioValue = 0n } = (await drift?.accountState(venueAccount)) ?? {};
      return accounts.reduce((sum, account) => sum + tokensIn(account), portfolioValue);
    },
  };
}

const tokensIn = (account: Account | null): bigint =>
  account === null ? 0n : tokenAccountCodec.decode(account.data).amount;

function unwrapped(account: Account | null): bigint {
  if (account === null) return 0n;
  const isWrapped =
    account.owner === TOKEN_PROGRAM && tokenAccountCodec.decode(account.data).isNative !== null;
  return account.lamports - (isWrapped ? tokensIn(account) : 0n);
}
