import type { Client } from "pg";
import type { Landed } from "./chain-evidence.ts";
import type { Finding } from "./judge.ts";

/** What is stored beside orders, log and book: figures, sums and records that an owner sees or a later decision rests on. */
export interface StoredFacts {
  readonly rows: readonly StoredRow[];
  /** Each recorded fill with its slot. */
  readonly fillSlots: readonly {
    readonly orderId: string;
    readonly signature: string;
    readonly slot: string;
  }[];
  /** Orders that were sent, without a decision that says why. */
  readonly undecided: readonly string[];
  /** Net base by agent and market that differs from its fills. */
  readonly tradedBase: readonly Sums[];
  /** Signatures of trading keys that orders have and the signer's ledger has not, beside what it has removed. */
  readonly unsigned: readonly string[];
  /** Fees of a day by network and kind that differ from the signatures they are of. */
  readonly signerFees: readonly Sums[];
  /** Fees of a day by owner and network that are less than those of the signatures that orders have. */
  readonly ownerFees: readonly Sums[];
  readonly custody: readonly StoredCustody[];
  /** Settled transactions of owners that the audit log does not have. */
  readonly unaudited: readonly string[];
  /** Agents that are on or off without the audit log saying so last. */
  readonly unturned: readonly string[];
}

interface StoredRow {
  readonly id: string;
  readonly percentage: number;
  readonly atMs: number;
  /** Null where the order was not decided. */
  readonly wantedPercentage: number | null;
  /** Null while the order is not over. */
  readonly settledAtMs: number | null;
}

interface Sums {
  readonly of: string;
  readonly stored: string | null;
  readonly sum: string | null;
}

interface StoredCustody {
  readonly id: string;
  readonly agentId: string;
  readonly state: string;
  readonly signature: string | null;
}

const ms = (column: string) => `round(extract(epoch from ${column}) * 1000)::bigint`;

const PARTS: Readonly<Record<keyof StoredFacts, string>> = {
  rows: `
    select trade_log.id, percentage, ${ms("at")} as "atMs", (intent->>'percentage')::integer as "wantedPercentage",
      ${ms("settled_at")} as "settledAtMs"
    from trade_log join orders on orders.id = order_id`,
  fillSlots: `select order_id as "orderId", signature, slot::text from order_fills`,
  undecided: `
    select orders.id from orders left join decisions on order_id = orders.id
    where orders.submitted_at is not null and (order_id is null or facts is null)
      -- A stop that the exchange triggered was placed before; nothing was decided when it became an order
      and not (event_id is null and exit_id is null and coalesce(plan_act, 'add') <> 'add')`,
  tradedBase: `
    with fills as (
      select agent_id, market, sum(base) as net from (
        select agent_id, market, line_base(side, type, status, base_size) as base from trade_log
        union all select agent_id, market, base from upkeep_fills) as each
      group by 1, 2)
    select agent_id || ' ' || market as of, stored.net::text as stored, fills.net::text as sum
    from fills full join traded_base as stored using (agent_id, market)
    where agent_id in (select agent_id from lanes) and coalesce(stored.net, 0) <> coalesce(fills.net, 0)`,
  unsigned: `
    select signature as id from (
      select agent_id, signature from orders where signature is not null
      union all
      select agent_id, order_transactions.signature from order_transactions join orders on orders.id = order_id) as sent
    where not exists (
      select from signer.signatures as kept where kept.agent_id = sent.agent_id and kept.id = sent.signature)`,
  signerFees: `
    select network || ' ' || day || ' ' || kind as of, fees.lamports::text as stored, summed.lamports::text as sum
    from (
      select network, (signed_at at time zone 'utc')::date as day, kind, sum(lamports) as lamports
      from signer.signatures join agents on agents.id = agent_id group by 1, 2, 3) as summed
    left join signer.fees using (network, day, kind)
    where coalesce(fees.lamports, 0) < summed.lamports`,
  ownerFees: `
    select owner || ' ' || network || ' ' || day as of, owner_fees.lamports::text as stored, summed.lamports::text as sum
    from (
      select owner, network, (signed_at at time zone 'utc')::date as day, sum(lamports) as lamports
      from signer.signatures join agents on agents.id = agent_id
      where signatures.id in (select signature from orders union select signature from order_transactions)
      group by 1, 2, 3) as summed
    left join owner_fees using (owner, network, day)
    where coalesce(owner_fees.lamports, 0) < summed.lamports`,
  custody: `select id, agent_id as "agentId", state, signature from custody_transactions where signature is not null`,
  unaudited: `
    select id from custody_transactions
    where settled_at is not null and not exists (
      select from audit_log where object = custody_transactions.id and action = 'custody_' || state)`,
  unturned: `
    select id from agents left join lateral (
      select action from audit_log
      where object = agents.id and action in ('auto_trade_turned_on', 'auto_trade_turned_off')
      order by seq desc limit 1) as last on true
    where (auto_trade = 'on') <> (coalesce(action, '') = 'auto_trade_turned_on')`,
};

/** Reads what is stored beside orders, log and book, in one statement. */
export async function readStoredFacts(client: Pick<Client, "query">): Promise<StoredFacts> {
  const parts = Object.entries(PARTS).map(
    ([name, select]) =>
      `'${name}', (select coalesce(json_agg(row_to_json(each)), '[]') from (${select}) each)`,
  );
  const { rows } = await client.query<{
    facts: Record<string, readonly { readonly id: string }[]>;
  }>(`select json_build_object(${parts.join(", ")}) as facts`);
  const facts = rows[0]?.facts ?? {};
  const ids = (name: string) => (facts[name] ?? []).map(({ id }) => id);
  return {
    ...(facts as unknown as StoredFacts),
    undecided: ids("undecided"),
    unsigned: ids("unsigned"),
    unaudited: ids("unaudited"),
    unturned: ids("unturned"),
  };
}

const differs = (text: string): Finding => ({ kind: "differs", text });
const lost = (text: string): Finding => ({ kind: "lost", text });

/** Every stored figure follows from what it is a figure of, and every record that must stay is there. */
export function judgeStored(facts: StoredFacts, landed: readonly Landed[]): readonly Finding[] {
  const landedOf = new Map(landed.map((outcome) => [outcome.signature, outcome]));
  return [
    ...facts.rows.flatMap(judgeRow),
    ...facts.fillSlots.flatMap(({ orderId, signature, slot }) => {
      const seen = landedOf.get(signature)?.slot;
      return seen === undefined || seen === BigInt(slot)
        ? []
        : [differs(`a fill of order ${orderId} is recorded in slot ${slot}, it landed in ${seen}`)];
    }),
    ...facts.undecided.map((id) => lost(`the decision of order ${id} is missing`)),
    ...facts.tradedBase.map(sumDiffers("the traded base of agent")),
    ...facts.unsigned.map((id) => lost(`signature ${id} is not in the signer's ledger`)),
    ...facts.signerFees.map(sumDiffers("the signer's fees of")),
    ...facts.ownerFees.map(sumDiffers("the owner's fees of")),
    ...facts.custody.flatMap(({ id, agentId, state, signature }) => {
      const outcome = landedOf.get(signature ?? "");
      const isConfirmed = outcome !== undefined && !outcome.hasFailed;
      return (state === "confirmed") === isConfirmed || !ENDED.has(state)
        ? []
        : [
            differs(
              `transaction ${id} of agent ${agentId} is ${state}, on the chain it ${isConfirmed ? "landed" : "did not land"}`,
            ),
          ];
    }),
    ...facts.unaudited.map((id) => lost(`the end of transaction ${id} is not in the audit log`)),
    ...facts.unturned.map((id) => lost(`who turned agent ${id} is not in the audit log`)),
  ];
}

const ENDED: ReadonlySet<string> = new Set(["confirmed", "failed", "expired", "abandoned"]);

const sumDiffers =
  (what: string) =>
  ({ of, stored, sum }: Sums): Finding =>
    differs(
      `${what} ${of} is recorded as ${stored ?? "nothing"}, it adds up to ${sum ?? "nothing"}`,
    );

function judgeRow(row: StoredRow): readonly Finding[] {
  const { id, percentage, wantedPercentage, atMs, settledAtMs } = row;
  const found: Finding[] = [];
  if (wantedPercentage !== null && percentage !== wantedPercentage) {
    found.push(
      differs(`log row ${id} says ${percentage} percent, its order was of ${wantedPercentage}`),
    );
  }
  if (settledAtMs !== null && atMs !== settledAtMs) {
    found.push(
      differs(`log row ${id} says it ended at ${atMs}, its order ended at ${settledAtMs}`),
    );
  }
  return found;
}
