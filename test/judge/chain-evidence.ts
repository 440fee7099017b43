import type { Address, Signature } from "@solana/kit";
import type { Client } from "pg";
import type { LedgerRecord } from "../../src/practice/ledger.ts";
import type { TransactionError } from "../../src/solana/chain.ts";
import { linesOf } from "../../src/solana/program-logs.ts";
import { parseAddress } from "../../src/solana/encoding/address-codec.ts";
import { associatedTokenAddress } from "../../src/solana/programs/associated-token.ts";
import { tokenAccountCodec } from "../../src/solana/programs/token.ts";
import { tokenAmount } from "../../src/venues/drift/balance.ts";
import { type BookEvent, parseBookEvent } from "../../src/venues/drift/book-events.ts";
import { DRIFT_V2_INSTANCE as INSTANCE, marketName } from "../../src/venues/drift/instance.ts";
import { spotMarketLayout } from "../../src/venues/drift/layout-spot-market.ts";
import { ORDER_STATUS, userLayout } from "../../src/venues/drift/layout-user.ts";
import { parseOrderLog } from "../../src/venues/drift/order-action-record.ts";
import { deriveSpotMarket, deriveUser } from "../../src/venues/drift/pdas.ts";

/** An agent with its accounts on the chain. */
export interface ChainAgent {
  readonly agentId: string;
  readonly owner: string;
  readonly multisig: Address;
  readonly tradingKey: Address;
  readonly vault: Address;
  readonly vaultTokens: Address;
  /** Exchange accounts by number. */
  readonly users: readonly Address[];
}

/** What an agent's accounts hold. */
export interface Holdings {
  /** By account of the book. */
  readonly held: ReadonlyMap<string, Held>;
  /** Orders that are open at the exchange, as `placedOrder` names them. */
  readonly openOrders: readonly string[];
}

/** What one account of the book holds on the chain; `principal` leaves out what interest and rounding made of it. */
export interface Held {
  readonly amount: bigint;
  readonly principal: bigint | null;
}

/** A transaction on the chain and its effects. */
export interface Landed {
  readonly signature: string;
  readonly hasFailed: boolean;
  /** Accounts it named. */
  readonly touched: ReadonlySet<string>;
  readonly slot: bigint;
  readonly atMs: number;
  readonly feePayer: string | null;
  readonly fee: bigint;
  readonly events: readonly BookEvent[];
  /** Orders it placed at the exchange, as `placedOrder` names them. */
  readonly placed: readonly string[];
  readonly lamports: ReadonlyMap<string, bigint>;
  readonly tokens: readonly {
    readonly account: string;
    readonly owner: string;
    readonly delta: bigint;
  }[];
}

/** Where transactions and accounts are read: the chain's tables, or a chain in memory. */
export interface ChainSource {
  landed(): Promise<readonly Landed[]>;
  accounts(
    addresses: readonly Address[],
  ): Promise<readonly ({ readonly lamports: bigint; readonly data: Uint8Array } | null)[]>;
}

/** Key of an account of the book. */
export const accountOf = (place: string, subAccount: number, market: string, asset: string) =>
  [place, subAccount, market, asset].join("/");

/** Name of an order at the exchange. */
const placedOrder = (user: string, orderId: number) => `${orderId} of account ${user}`;

type Asks = Pick<Client, "query">;

interface AgentRow {
  readonly agentId: string;
  readonly owner: string;
  readonly multisig: string;
  readonly delegate: string;
  readonly vault: string;
  readonly subAccountId: number;
}

/** Reads the agents of the practice network and derives their accounts. */
export async function readAgents(client: Asks): Promise<readonly ChainAgent[]> {
  const { rows } = await client.query<AgentRow>(
    `select agents.id as "agentId", owner, multisig, delegate, vault, multisigs.sub_account_id as "subAccountId"
     from agents join multisigs on agent_id = agents.id where network = 'practice' order by 1`,
  );
  return rows.map(({ agentId, owner, multisig, delegate, vault: text, subAccountId }) => {
    const vault = parseAddress(text);
    return {
      agentId,
      owner,
      multisig: parseAddress(multisig),
      tradingKey: parseAddress(delegate),
      vault,
      vaultTokens: associatedTokenAddress(vault, INSTANCE.quote.mint),
      users: Array.from({ length: subAccountId + 1 }, (_, at) => deriveUser(INSTANCE, vault, at)),
    };
  });
}

/** Reads what agents hold now, by agent. */
export async function readHoldings(
  chain: ChainSource,
  agents: readonly ChainAgent[],
): Promise<ReadonlyMap<string, Holdings>> {
  const spotMarket = deriveSpotMarket(INSTANCE, INSTANCE.quoteSpotMarketIndex);
  const addresses = [
    spotMarket,
    ...agents.flatMap(({ vault, vaultTokens, users }) => [vault, vaultTokens, ...users]),
  ];
  const states = await chain.accounts(addresses);
  const stateOf = new Map(addresses.map((address, at) => [address, states[at] ?? null]));
  return new Map(agents.map((agent) => [agent.agentId, holdingsOf(agent, spotMarket, stateOf)]));
}

type States = ReadonlyMap<Address, { readonly lamports: bigint; readonly data: Uint8Array } | null>;

function holdingsOf(agent: ChainAgent, spotMarket: Address, stateOf: States): Holdings {
  const { vault, vaultTokens, users } = agent;
  const held = new Map<string, Held>();
  const openOrders: string[] = [];
  const { symbol } = INSTANCE.quote;
  const sol = stateOf.get(vault)?.lamports ?? 0n;
  held.set(accountOf("vault_sol", 0, "", "SOL"), { amount: sol, principal: null });
  const tokens = stateOf.get(vaultTokens);
  const amount = tokens ? tokenAccountCodec.decode(tokens.data).amount : 0n;
  held.set(accountOf("vault", 0, "", symbol), { amount, principal: null });
  const marketState = stateOf.get(spotMarket);
  for (const [subAccount, address] of users.entries()) {
    const state = stateOf.get(address);
    if (!state || !marketState) continue;
    const user = userLayout.decode(state.data);
    const market = spotMarketLayout.decode(marketState.data);
    const [quote] = user.spotPositions;
    if (quote !== undefined) {
      held.set(accountOf("exchange", subAccount, "", symbol), {
        amount: tokenAmount(quote, market),
        principal: quote.cumulativeDeposits + user.settledPerpPnl,
      });
    }
    for (const { marketIndex, baseAssetAmount, quoteAssetAmount } of user.perpPositions) {
      if (baseAssetAmount === 0n && quoteAssetAmount === 0n) continue;
      const name = marketName(INSTANCE, marketIndex);
      const at = (asset: string) => accountOf("position", subAccount, name, asset);
      held.set(at(symbol), { amount: quoteAssetAmount, principal: null });
      held.set(at(name), { amount: baseAssetAmount, principal: null });
    }
    for (const { status, orderId } of user.orders) {
      if (status === ORDER_STATUS.open) openOrders.push(placedOrder(address, orderId));
    }
  }
  return { held, openOrders };
}

/** Returns a chain's record of a transaction as evidence. */
export function toLanded({ outcome, touched }: LedgerRecord): Landed {
  const { signature, error, slot, blockTime, logs, feePayer, feeLamports } = outcome;
  const hasFailed = error !== null;
  const lines = hasFailed ? [] : linesOf(INSTANCE.programId, logs);
  return {
    signature,
    hasFailed,
    touched: new Set(touched),
    slot,
    atMs: Number(blockTime) * 1_000,
    feePayer: feePayer ?? null,
    fee: feeLamports,
    events: lines.flatMap((line) => parseBookEvent(line) ?? []),
    placed: lines
      .flatMap((line) => parseOrderLog(line) ?? [])
      .map(({ user, order }) => placedOrder(user, order.orderId)),
    lamports: outcome.lamportDeltas,
    tokens: outcome.tokenDeltas.filter(({ mint }) => mint === INSTANCE.quote.mint),
  };
}

const LANDED = `
select signature, error, slot::text, block_time::text as "blockTime", logs, fee_lamports::text as fee,
  fee_payer as "feePayer", lamport_deltas as lamports, token_deltas as tokens, coalesce(addresses, '{}') as touched
from practice_transactions left join (
  select signature, array_agg(address) as addresses, min(seq) as seq from practice_touched group by signature
) as named using (signature)
order by practice_transactions.slot, named.seq`;

interface LandedRow {
  readonly signature: Signature;
  readonly error: TransactionError | null;
  readonly touched: readonly Address[];
  readonly slot: string;
  readonly blockTime: string;
  readonly logs: readonly string[];
  readonly fee: string;
  readonly feePayer: Address | null;
  readonly lamports: Readonly<Record<Address, string>>;
  readonly tokens: readonly { account: Address; mint: Address; owner: Address; delta: string }[];
}

/** Returns the practice chain as its tables hold it. */
export const storedChain = (client: Asks): ChainSource => ({
  async landed() {
    const { rows } = await client.query<LandedRow>(LANDED);
    return rows.map(({ touched, feePayer, lamports, tokens, ...row }) => {
      const outcome = {
        ...row,
        ...(feePayer === null ? {} : { feePayer }),
        slot: BigInt(row.slot),
        blockTime: BigInt(row.blockTime),
        feeLamports: BigInt(row.fee),
        lamportDeltas: new Map(
          Object.entries(lamports).map(([key, delta]) => [key as Address, BigInt(delta)]),
        ),
        tokenDeltas: tokens.map((moved) => ({ ...moved, delta: BigInt(moved.delta) })),
      };
      return toLanded({ outcome, touched });
    });
  },
  async accounts(addresses) {
    const { rows } = await client.query<{ address: string; lamports: string; data: Buffer }>(
      "select address, lamports::text, data from practice_accounts where address = any($1) and lamports > 0",
      [addresses],
    );
    const stateOf = new Map(
      rows.map(({ address, lamports, data }) => [address, { lamports: BigInt(lamports), data }]),
    );
    return addresses.map((address) => stateOf.get(address) ?? null);
  },
});
