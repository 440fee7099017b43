import { randomBytes } from "node:crypto";
import type { Address } from "@solana/kit";
import { keypairFromSeed, type Keypair } from "../src/solana/keys.ts";
import { transferLamports } from "../src/solana/programs/system.ts";
import { tokenAccountCodec } from "../src/solana/programs/token.ts";
import { signTransaction } from "../src/solana/signing.ts";
import { compileTransaction } from "../src/solana/transaction.ts";
import { deriveUser, deriveUserStats } from "../src/venues/drift/pdas.ts";
import { DRIFT_V2_PROFILE } from "../src/venues/drift/profile.ts";
import {
  JUPITER_PRACTICE_PROFILE,
  quoteToken,
  tokenAccountOf,
} from "../src/venues/jupiter/profile.ts";
import { deriveSpendingLimit } from "../src/solana/programs/squads-pdas.ts";
import type { CustodyWorld } from "./custody-world.ts";

/** One transaction an owner signs in the life of an agent's custody. */
export interface LifeStep {
  readonly name: string;
  readonly intent: Parameters<CustodyWorld["prepare"]>[0];
  readonly amount?: string;
}

const DEPOSITED = "100";

/** From nothing to nothing: what an owner signs, first to last. */
export const LIFE: readonly LifeStep[] = [
  { name: "creating the multisig", intent: "set-up" },
  { name: "giving the trading key its right", intent: "set-up" },
  { name: "deposit", intent: "deposit", amount: DEPOSITED },
  { name: "withdrawal", intent: "withdraw", amount: DEPOSITED },
  { name: "deletion, first step", intent: "delete" },
  { name: "deletion, last step", intent: "delete" },
];

/** The life of one agent's custody on the practice chain, every lamport and quote unit counted. */
export interface CustodyLife {
  readonly world: CustodyWorld;
  /** Somebody the owner's SOL can be lent to. */
  readonly friend: Keypair;
  /** Goes through the steps before `at`. */
  reach(at: number): Promise<void>;
  /** Does the steps from `at` on, as far as they are not done, until the agent's custody is closed. */
  finish(at: number): Promise<void>;
  /** Labels of everything that was confirmed, in order. */
  confirmed(): Promise<readonly string[]>;
  /** Sends all but so many of the owner's lamports to the friend. */
  lendAllBut(lamports: bigint): Promise<void>;
  /** Gives them back. */
  repay(): Promise<void>;
  /** Lamports of the owner, the friend and every account the agent's custody can hold. */
  held(): Promise<bigint>;
  /** Quote units of the owner, the vault, its venue account and the trading key. */
  quote(): Promise<bigint>;
}

const FEE_LAMPORTS = 5_000n;

export async function beginLife(world: CustodyWorld): Promise<CustodyLife> {
  const friend = keypairFromSeed(randomBytes(32));
  await world.chain.fund(friend.address, { lamports: 10_000_000n, quoteUnits: 0n });
  const owner = world.owner.address;
  const { multisig, vault, delegate } = world.keys.of(world.agentId);
  const venueAccount = {
    owner,
    multisig,
    vault,
    delegate: delegate.address,
    subAccountId: 0,
    marketId: "SOL",
  };
  const tokens = [quoteToken(JUPITER_PRACTICE_PROFILE), ...JUPITER_PRACTICE_PROFILE.assets];
  const holders = [
    owner,
    friend.address,
    multisig,
    vault,
    delegate.address,
    deriveUser(DRIFT_V2_PROFILE, vault, 0),
    deriveUserStats(DRIFT_V2_PROFILE, vault),
    ...tokens.map(({ mint }) => deriveSpendingLimit(multisig, mint).address),
    ...tokens.flatMap((token) =>
      [owner, vault, delegate.address].map((holder) => tokenAccountOf(holder, token)),
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

  const confirmed = async (): Promise<readonly string[]> => {
    const rows = await world.database.db
      .selectFrom("custody_transactions")
      .select("label")
      .where("agent_id", "=", world.agentId)
      .where("state", "=", "confirmed")
      .orderBy("settled_at")
      .orderBy("seq")
      .execute();
    return rows.map(({ label }) => label);
  };

  const turnOff = () =>
    world.database.db
      .updateTable("agents")
      .set({ auto_trade: "off" })
      .where("id", "=", world.agentId)
      .execute();

  async function take(step: LifeStep): Promise<void> {
    if (step.intent === "withdraw") await turnOff();
    const followed = await world.approve(await world.prepare(step.intent, step.amount));
    if (followed.state !== "confirmed") {
      throw new Error(`${step.name}: ${followed.state} ${followed.reason ?? ""}`);
    }
  }

  let lent = 0n;
  return {
    world,
    friend,
    async reach(at) {
      for (const step of LIFE.slice(0, at)) await take(step);
      if (LIFE[at]?.intent === "withdraw") await turnOff();
    },
    async finish(at) {
      await world.custody.follow(world.agentId);
      for (const [index, step] of LIFE.entries()) {
        if (index >= at && (await confirmed()).length <= index) await take(step);
      }
      await world.custody.close(world.agentId);
    },
    confirmed,
    async lendAllBut(lamports) {
      lent = (await world.lamports(owner)) - lamports - FEE_LAMPORTS;
      await pay(world.owner, friend.address, lent);
    },
    repay: () => pay(friend, owner, lent),
    async held() {
      const { accounts } = await world.chain.accounts(holders);
      return accounts.reduce((sum, account) => sum + (account?.lamports ?? 0n), 0n);
    },
    async quote() {
      const token = quoteToken(JUPITER_PRACTICE_PROFILE);
      const { accounts } = await world.chain.accounts(
        [owner, vault, delegate.address].map((holder) => tokenAccountOf(holder, token)),
      );
      const drift = await world.networks
        .get("practice")
        ?.venues.get("drift")
        ?.accountState({
          ...venueAccount,
        });
      return accounts.reduce(
        (sum, account) =>
          sum + (account === null ? 0n : tokenAccountCodec.decode(account.data).amount),
        drift?.portfolioValue ?? 0n,
      );
    },
  };
}
