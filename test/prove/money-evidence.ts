import type { Address } from "@solana/kit";
import type { Client } from "pg";
import { linesOf } from "../../src/solana/program-logs.ts";
import { parseAddress } from "../../src/solana/parse-address.ts";
import { associatedTokenAddress } from "../../src/solana/programs/associated-token.ts";
import { tokenAccountCodec } from "../../src/solana/programs/token.ts";
import { tokenAmount } from "../../src/venues/drift/balance.ts";
import { type BookEvent, parseBookEvent } from "../../src/venues/drift/book-events.ts";
import { DRIFT_V2_INSTANCE as INSTANCE, marketName } from "../../src/venues/drift/instance.ts";
import { spotMarketLayout } from "../../src/venues/drift/layout-spot-market.ts";
import { userLayout } from "../../src/venues/drift/layout-user.ts";
import { deriveSpotMarket, deriveUser } from "../../src/venues/drift/pdas.ts";

/** The book and everything on the chain that it has to agree with, in one snapshot. */
export interface MoneyEvidence {
  readonly agents: readonly ChainAgent[];
  /** In the order they were booked. */
  readonly entries: readonly BookRow[];
  /** In the order they landed. */
  readonly landed: readonly Landed[];
  readonly points: readonly NewestPoint[];
}

/** An agent's accounts, and what they hold. */
export interface ChainAgent {
  readonly agentId: string;
  readonly owner: string;
  readonly vault: Address;
  readonly vaultTokens: Address;
  /** Exchange accounts by number. */
  readonly users: readonly Address[];
  readonly holds: ReadonlyMap<string, Held>;
}

/** What one account of the book holds on the chain; `principal` leaves out what interest and rounding made of it. */
export interface Held {
  readonly amount: bigint;
  readonly principal: bigint | null;
}

export interface BookRow {
  readonly seq: bigint;
  readonly agentId: string;
  readonly owner: string;
  readonly network: string;
  readonly signature: string;
  readonly kind: string;
  readonly place: string;
  readonly subAccount: number;
  readonly market: string;
  readonly asset: string;
  readonly decimals: number;
  readonly amount: bigint;
  readonly baseMarket: string | null;
  readonly baseAmount: bigint | null;
  readonly realised: bigint | null;
  readonly heldBase: bigint | null;
  readonly heldCost: bigint | null;
  readonly slot: bigint;
  readonly atMs: number;
}

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
  readonly lamports: ReadonlyMap<string, bigint>;
  readonly tokens: readonly { readonly account: string; readonly owner: string; delta: bigint }[];
}

/** The newest recorded worth of an agent. */
export interface NewestPoint {
  readonly agentId: string;
  readonly value: bigint;
  readonly netFlow: bigint;
  readonly price: bigint | null;
  readonly entrySeq: bigint;
}

/** Key of an account of the book. */
export const accountOf = (place: string, subAccount: number, market: string, asset: string) =>
  [place, subAccount, market, asset].join("/");

const AGENTS = `
select agents.id as "agentId", owner, vault, multisigs.sub_account_id as "subAccountId"
from agents join multisigs on agent_id = agents.id where network = 'practice'`;

const ACCOUNTS = `
select address, lamports::text, data from practice_accounts where address = any($1) and lamports > 0`;

const ENTRIES = `
select seq::text, agent_id as "agentId", owner, network, signature, kind, place, sub_account as "subAccount", market, asset,
  decimals, amount::text, base_market as "baseMarket", base_amount::text as "baseAmount", realised::text,
  held_base::text as "heldBase", held_cost::text as "heldCost", slot::text,
  (extract(epoch from at) * 1000)::bigint::text as "atMs"
from ledger_entries order by ledger_entries.seq`;

const LANDED = `
select signature, error is not null as "hasFailed", slot::text, block_time::text as "blockTime", logs, fee_lamports::text as fee,
  fee_payer as "feePayer", lamport_deltas as lamports, token_deltas as tokens, coalesce(addresses, '{}') as touched
from practice_transactions left join (
  select signature, array_agg(address) as addresses, min(seq) as seq from practice_touched group by signature
) as named using (signature)
order by practice_transactions.slot, named.seq`;

const POINTS = `
select distinct on (agent_id) agent_id as "agentId", value::text, net_flow::text as "netFlow", price::text,
  entry_seq::text as "entrySeq"
from equity_points order by agent_id, at desc`;

type AccountRow = { readonly address: string; readonly lamports: string; readonly data: Buffer };

/** Reads book, events and accounts. The caller has begun a transaction that sees one snapshot. */
export async function readMoney(client: Pick<Client, "query">): Promise<MoneyEvidence> {
  const read = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await client.query(text, values)).rows as Row[];
  const agents = (
    await read<{ agentId: string; owner: string; vault: string; subAccountId: number }>(AGENTS)
  ).map(({ vault: text, subAccountId, ...agent }) => {
    const vault = parseAddress(text);
    const vaultTokens = associatedTokenAddress(vault, INSTANCE.quote.mint);
    const users = Array.from({ length: subAccountId + 1 }, (_, at) =>
      deriveUser(INSTANCE, vault, at),
    );
    return { ...agent, vault, vaultTokens, users };
  });
  const spotMarket = deriveSpotMarket(INSTANCE, INSTANCE.quoteSpotMarketIndex);
  const asked = agents.flatMap(({ vault, vaultTokens, users }) => [vault, vaultTokens, ...users]);
  const accounts = new Map(
    (await read<AccountRow>(ACCOUNTS, [[spotMarket, ...asked]])).map((row) => [row.address, row]),
  );
  const market = accounts.get(spotMarket);
  return {
    agents: agents.map((agent) => ({ ...agent, holds: holdingsOf(agent, accounts, market) })),
    entries: (await read<Record<keyof BookRow, string | null>>(ENTRIES)).map(toBookRow),
    landed: (await read<LandedRow>(LANDED)).map(toLanded),
    points: (await read<Record<keyof NewestPoint, string>>(POINTS)).map((row) => ({
      agentId: row.agentId,
      value: BigInt(row.value),
      netFlow: BigInt(row.netFlow),
      price: row.price === null ? null : BigInt(row.price),
      entrySeq: BigInt(row.entrySeq),
    })),
  };
}

function holdingsOf(
  { vault, vaultTokens, users }: Omit<ChainAgent, "holds">,
  accounts: ReadonlyMap<string, AccountRow>,
  marketRow: AccountRow | undefined,
): ReadonlyMap<string, Held> {
  const holds = new Map<string, Held>();
  const { symbol } = INSTANCE.quote;
  const sol = BigInt(accounts.get(vault)?.lamports ?? 0);
  holds.set(accountOf("vault_sol", 0, "", "SOL"), { amount: sol, principal: null });
  const tokens = accounts.get(vaultTokens);
  const amount = tokens === undefined ? 0n : tokenAccountCodec.decode(tokens.data).amount;
  holds.set(accountOf("vault", 0, "", symbol), { amount, principal: null });
  for (const [subAccount, address] of users.entries()) {
    const row = accounts.get(address);
    if (row === undefined || marketRow === undefined) continue;
    const user = userLayout.decode(row.data);
    const market = spotMarketLayout.decode(marketRow.data);
    const [quote] = user.spotPositions;
    if (quote !== undefined) {
      holds.set(accountOf("exchange", subAccount, "", symbol), {
        amount: tokenAmount(quote, market),
        principal: quote.cumulativeDeposits + user.settledPerpPnl,
      });
    }
    for (const { marketIndex, baseAssetAmount, quoteAssetAmount } of user.perpPositions) {
      if (baseAssetAmount === 0n && quoteAssetAmount === 0n) continue;
      const name = marketName(INSTANCE, marketIndex);
      const at = (asset: string) => accountOf("position", subAccount, name, asset);
      holds.set(at(symbol), { amount: quoteAssetAmount, principal: null });
      holds.set(at(name), { amount: baseAssetAmount, principal: null });
    }
  }
  return holds;
}

const units = (text: string | null): bigint | null => (text === null ? null : BigInt(text));

function toBookRow(row: Record<keyof BookRow, string | null>): BookRow {
  const text = row as Record<keyof BookRow, string>;
  return {
    ...text,
    seq: BigInt(text.seq),
    subAccount: Number(row.subAccount),
    decimals: Number(row.decimals),
    amount: BigInt(text.amount),
    baseMarket: row.baseMarket,
    baseAmount: units(row.baseAmount),
    realised: units(row.realised),
    heldBase: units(row.heldBase),
    heldCost: units(row.heldCost),
    slot: BigInt(text.slot),
    atMs: Number(row.atMs),
  };
}

interface LandedRow {
  readonly signature: string;
  readonly hasFailed: boolean;
  readonly touched: readonly string[];
  readonly slot: string;
  readonly blockTime: string;
  readonly logs: readonly string[];
  readonly fee: string;
  readonly feePayer: string | null;
  readonly lamports: Readonly<Record<string, string>>;
  readonly tokens: readonly { account: string; mint: string; owner: string; delta: string }[];
}

const toLanded = (row: LandedRow): Landed => ({
  signature: row.signature,
  hasFailed: row.hasFailed,
  touched: new Set(row.touched),
  slot: BigInt(row.slot),
  atMs: Number(row.blockTime) * 1_000,
  feePayer: row.feePayer,
  fee: BigInt(row.fee),
  events: row.hasFailed
    ? []
    : linesOf(INSTANCE.programId, row.logs).flatMap((line) => parseBookEvent(line) ?? []),
  lamports: new Map(Object.entries(row.lamports).map(([key, delta]) => [key, BigInt(delta)])),
  tokens: row.tokens
    .filter(({ mint }) => mint === INSTANCE.quote.mint)
    .map(({ account, owner, delta }) => ({ account, owner, delta: BigInt(delta) })),
});

/** Returns the items by key, each group in their order. */
export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
