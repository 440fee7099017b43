import type { Signature } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../../test/database.ts";
import { agentIdOf } from "../../../../test/ids.ts";
import { createRandom, type Random } from "../../../../test/random.ts";
import type { AgentId } from "../../../domain/ids.ts";
import {
  type AccountReading,
  type BudgetRefusal,
  type OrderToSign,
  SIGNATURE_KINDS,
  SIGNING_BUDGETS,
  type SignatureKind,
} from "../../../domain/order/signing-budget.ts";
import { type Chain, ChainUnavailableError } from "../../../solana/chain.ts";
import type { VenueAccount } from "../../../venues/venue.ts";
import type { SignedTransaction } from "../account/trading-key-signer.ts";
import { openDatabase } from "../../store/postgres/pool.ts";
import { createAgentTurns } from "./create-trading-key-signer.ts";
import { createSigningLedger, type LedgerRequest, type SigningLedger } from "./signing-ledger.ts";

const START = Date.UTC(2026, 10, 21, 12);
const DOLLAR = 1_000_000n;
const MARKET = "SOL-PERP";
/** A signature can land for a minute. */
const LIFE_MS = 60_000;

/** A signature that left the signer, and what the model's chain does with it. */
interface Released {
  readonly agentId: AgentId;
  readonly id: string;
  readonly kind: SignatureKind;
  readonly atMs: number;
  readonly lamports: bigint;
  readonly notional: bigint;
  readonly cost: bigint;
  readonly beyondBps: bigint;
  landedSlot: bigint | null;
  hasFailed: boolean;
}

/** An agent's account in the model: a dollar of position costs a dollar. */
interface Account {
  cash: bigint;
  held: bigint;
  failedExits: number;
}

const readingOf = ({ cash, held }: Account, slot: bigint): AccountReading => ({
  slot,
  worth: cash + held,
  free: cash,
  held,
  cash,
  positions: held === 0n ? {} : { [MARKET]: held },
  hasOpenOrders: false,
});

const orderOf = (
  kind: OrderToSign["kind"],
  size: bigint,
  beyondBps: bigint,
  account: AccountReading,
): OrderToSign => ({
  kind,
  marketId: MARKET,
  baseSize: size,
  notional: size,
  beyondBps,
  cost: (size * (beyondBps + 10n)) / 10_000n,
  isPriceUsable: true,
  account,
});

/** A chain whose slots are milliseconds and that knows these signatures. */
const chainOf = (sent: ReadonlyMap<string, Released>, nowMs: () => number): Chain =>
  ({
    signaturesFor: async () => [...sent.keys()] as Signature[],
    slotDurationMs: async () => 1,
    withOneNode: async (work: (node: Chain) => Promise<unknown>) =>
      work({
        signatureStatuses: async ([id]: readonly Signature[]) => {
          const found = sent.get(String(id));
          const error = found?.hasFailed === true ? { kind: "instruction", name: "Custom" } : null;
          const slot = found?.landedSlot ?? null;
          return {
            slot: BigInt(nowMs()),
            statuses: [slot === null ? null : { slot, commitment: "confirmed", error }],
          };
        },
        progress: async () => ({ slot: BigInt(nowMs()), blockHeight: BigInt(nowMs()) }),
        historyStart: async () => 0n,
      } as unknown as Chain),
  }) as unknown as Chain;

/** Asks again, as the signer does, where another signer wrote meanwhile. */
async function untilSigned(
  ledger: SigningLedger,
  request: LedgerRequest,
  complete: () => Uint8Array,
): Promise<SignedTransaction | BudgetRefusal> {
  return (await ledger.sign(request, complete)) ?? (await untilSigned(ledger, request, complete));
}

const database = useDatabase();

/** A world of agents whose requests a signer answers that is killed now and then. */
function createWorld(random: Random) {
  const clock = { ms: START, now: () => clock.ms };
  const released = new Map<string, Released>();
  const made = new Map<string, Omit<Released, "landedSlot" | "hasFailed">>();
  const chain = chainOf(released, clock.now);
  const agents = ["a", "b", "c", "d", "e"].map(agentIdOf);
  const accounts = new Map<AgentId, Account>(
    agents.map((agent) => [agent, { cash: 1_000n * DOLLAR, held: 0n, failedExits: 0 }]),
  );
  const openSigner = () => {
    const own = openDatabase({ url: database.url, maxConnections: 3 });
    const ledger = createSigningLedger({ pool: own.pool, clock });
    return { own, ledger, inTurn: createAgentTurns() };
  };
  let signer = openSigner();
  let count = 0;

  const request = (agentId: AgentId): LedgerRequest => {
    const account = accounts.get(agentId) as Account;
    const reading = readingOf(account, BigInt(clock.ms));
    const kind = random.weighted<SignatureKind>([
      [5, "entry"],
      [3, "exit"],
      [2, "protective"],
      [2, "upkeep"],
    ]);
    const beyond = BigInt(random.pick([0, 10, 60, 100, 150, 250, 1_050]));
    const share = BigInt(random.int(1, 100));
    const size = ((kind === "entry" ? account.cash : account.held) * share) / 100n;
    const order = kind === "upkeep" || size <= 0n ? null : orderOf(kind, size, beyond, reading);
    const lamports = BigInt(random.int(10_000, 290_000));
    const whose = { tradingKey: agentId } as unknown as VenueAccount;
    return {
      agentId,
      agentDigest: null,
      isRemembered: false,
      network: "practice",
      chain,
      account: whose,
      slippageBps: 50,
      leverage: 1,
      order,
      lamports,
      draft: draftOf(`signature ${(count += 1)}`),
    };
  };

  const draftOf = (id: string) => ({
    signature: id as Signature,
    lastValidBlockHeight: BigInt(clock.ms + LIFE_MS),
    blockhashSlot: 0n,
  });

  /** Asks for one signature and checks the answer against the model. */
  const ask = (agentId: AgentId): Promise<void> => {
    const { ledger, inTurn } = signer;
    // What was signed lands before the next request reads the account, or a reading would hide what its slot shows
    return inTurn(agentId, random.chance(50), async () => {
      const account = accounts.get(agentId) as Account;
      const asked = request(agentId);
      const signed = await untilSigned(ledger, asked, () => make(asked)).catch((error: unknown) => {
        // It may be written down all the same, and then expires
        account.failedExits += 1;
        throw error;
      });
      if (!("signature" in signed)) {
        // A wider exit that was refused counts as an attempt later
        if (signed.limitBps !== undefined) account.failedExits += 1;
        return;
      }
      const row = made.get(String(signed.signature));
      if (row === undefined) throw new Error("A signature nobody made");
      check(row, asked.order);
      const out: Released = { ...row, landedSlot: null, hasFailed: false };
      released.set(row.id, out);
      land(out, asked.order);
    });
  };

  function make({ agentId, order, lamports, draft }: LedgerRequest) {
    const id = String(draft.signature);
    const kind = order?.kind ?? "upkeep";
    const { notional = 0n, cost = 0n, beyondBps = 0n } = order ?? {};
    made.set(id, { agentId, id, kind, atMs: clock.ms, lamports, notional, cost, beyondBps });
    return new Uint8Array();
  }

  const within = (agentId: AgentId, kind: SignatureKind, ms: number) =>
    [...released.values()].filter(
      (each) => each.agentId === agentId && each.kind === kind && each.atMs > clock.ms - ms,
    );

  function check(row: Omit<Released, "landedSlot" | "hasFailed">, order: OrderToSign | null): void {
    const { agentId, kind, notional, beyondBps } = row;
    expect(within(agentId, kind, 60_000).length).toBeLessThan(SIGNING_BUDGETS[kind].perMinute);
    if (order === null) return;
    const live = within(agentId, "entry", LIFE_MS).filter(({ landedSlot }) => landedSlot === null);
    if (kind === "entry") {
      const growing = live.reduce((sum, each) => sum + each.notional, notional);
      if (live.length > 0) expect(growing).toBeLessThanOrEqual((order.account.free * 201n) / 200n);
      const open = live.reduce((sum, each) => sum + each.cost, 0n);
      expect(open).toBeLessThanOrEqual((order.account.worth * 250n) / 10_000n);
    } else if (kind === "exit") {
      const { failedExits } = accounts.get(agentId) as Account;
      expect(beyondBps).toBeLessThanOrEqual(50n * 2n ** BigInt(failedExits) + 50n);
    }
  }

  /** Most land at a random price up to their worst, some fail or never land. */
  function land(row: Released, order: OrderToSign | null): void {
    const account = accounts.get(row.agentId) as Account;
    const fate = random.weighted([
      [6, "fills"],
      [2, "fails"],
      [2, "never lands"],
    ] as const);
    // Whatever does not fill may count as an attempt
    if (row.kind === "exit") account.failedExits += 1;
    if (fate === "never lands" || order === null) return;
    row.landedSlot = BigInt(clock.ms);
    row.hasFailed = fate === "fails";
    // Protective orders rest for now
    if (row.hasFailed || row.kind === "protective") return;
    const lost = (order.notional * BigInt(random.int(0, Number(order.beyondBps)))) / 10_000n;
    const sign = row.kind === "entry" ? 1n : -1n;
    account.held += sign * order.baseSize;
    account.cash -= sign * order.baseSize + lost;
    if (account.held === 0n) account.failedExits = 0;
  }

  /** Kills the signer in the middle of a statement: what it was asked stays unanswered. */
  async function kill(): Promise<void> {
    const dead = signer;
    signer = openSigner();
    await database.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and query like '%signer.%' and datname = current_database()",
    );
    await dead.own.close();
  }

  return { clock, agents, ask, kill, made, released, close: () => signer.own.close() };
}

describe("random requests in any order, with kills of the signer between", () => {
  it("leave a ledger that equals what was signed, within every limit", async () => {
    const requests = Number(process.env["SIGNER_REQUESTS"] ?? 2_000);
    const random = createRandom(191);
    const world = createWorld(random);
    let kills = 0;
    for (let done = 0; done < requests;) {
      const burst = random.int(1, 12);
      const asked = Array.from({ length: burst }, () => world.ask(random.pick(world.agents)));
      const answered = Promise.allSettled(asked);
      const isKilled = random.chance(5);
      if (isKilled) await world.kill();
      const ends = await answered;
      if (isKilled) kills += 1;
      else for (const end of ends) if (end.status === "rejected") throw end.reason;
      done += burst;
      world.clock.ms += random.int(0, 8_000);
    }
    await world.close();
    expect(kills).toBeGreaterThan(0);
    const { rows } = await database.pool.query<Record<string, string>>(
      "select id, agent_id, kind, lamports, notional from signer.signatures where last_valid_block_height is not null",
    );
    const written = new Map(rows.map((row) => [row["id"], row]));
    expect(world.released.size).toBeGreaterThan(requests / 20);
    for (const { id, agentId, kind, lamports, notional } of world.released.values()) {
      expect(written.get(id)).toMatchObject({
        agent_id: agentId,
        kind,
        lamports: String(lamports),
        notional: String(notional),
      });
    }
    // A row without an answer is of a signer that was killed
    expect(rows.length - world.released.size).toBeLessThanOrEqual(kills * 12);
    for (const row of rows) expect(world.made.has(String(row["id"]))).toBe(true);
    const sums = await database.pool.query<{ kind: string; lamports: string }>(
      "select kind, sum(lamports)::text as lamports from signer.fees group by kind order by kind",
    );
    expect(sums.rows).toEqual(
      SIGNATURE_KINDS.toSorted().map((kind) => ({
        kind,
        lamports: String(
          rows.reduce(
            (sum, row) => (row["kind"] === kind ? sum + BigInt(row["lamports"] ?? 0) : sum),
            0n,
          ),
        ),
      })),
    );
  });
});

describe("the signer's ledger", () => {
  const agentId = agentIdOf("3");
  const clock = { ms: START, now: () => clock.ms };
  const account = { tradingKey: agentId } as unknown as VenueAccount;
  const quiet = { cash: 1_000n * DOLLAR, held: 0n, failedExits: 0 };
  let count = 0;

  const openLedger = (pool = database.pool) => createSigningLedger({ pool, clock });

  /** Asks for one signature; returns the refusal's words, or null. */
  async function ask(
    kind: OrderToSign["kind"],
    {
      dollars = 100n,
      beyondBps = 0n,
      chain = chainOf(new Map(), clock.now),
      agent = agentId,
      state = quiet,
      ledger = openLedger(),
    }: {
      readonly dollars?: bigint;
      readonly beyondBps?: bigint;
      readonly chain?: Chain;
      readonly agent?: AgentId;
      readonly state?: Account;
      readonly ledger?: SigningLedger;
    } = {},
  ) {
    const order = orderOf(kind, dollars * DOLLAR, beyondBps, readingOf(state, BigInt(clock.ms)));
    const request = {
      agentId: agent,
      agentDigest: null,
      isRemembered: false,
      network: "practice",
      chain,
      account,
      slippageBps: 50,
      leverage: 1,
      lamports: 10_000n,
      draft: {
        signature: `${kind} ${(count += 1)}` as Signature,
        lastValidBlockHeight: BigInt(clock.ms + LIFE_MS),
        blockhashSlot: BigInt(clock.ms),
      },
    } as const;
    const signed = await untilSigned(ledger, { ...request, order }, () => new Uint8Array());
    return "signature" in signed ? null : signed.text;
  }

  it("counts what a restored backup forgot before the next entry, and lets exits go on", async () => {
    const lost = new Map<string, Released>();
    for (let n = 0; n < 3; n += 1) lost.set(`lost ${n}`, {} as Released);
    const chain = chainOf(lost, clock.now);
    const away = {
      ...chain,
      signaturesFor: () => Promise.reject(new ChainUnavailableError("away")),
    };
    await database.pool.query("insert into signer.restored values ($1)", [agentId]);
    await expect(ask("entry", { chain: away })).rejects.toThrow("away");
    expect(await ask("exit", { chain: away })).toBeNull();
    expect(await ask("entry", { chain })).toBe("orders of this hour cost too much");
    expect(await ask("exit", { chain })).toBeNull();
    clock.ms += 3_600_001;
    expect(await ask("entry", { chain })).toBeNull();
    const { rows } = await database.pool.query("select from signer.restored");
    expect(rows).toEqual([]);
  });

  it("widens an exit with each attempt that failed, within what the exits of an hour may cost", async () => {
    const agent = agentIdOf("1");
    const state = { cash: 900n * DOLLAR, held: 100n * DOLLAR, failedExits: 0 };
    const exit = (beyondBps: bigint) => ask("exit", { agent, state, beyondBps });
    const tooWide = "the exit is wider than its failed attempts allow";
    expect(await exit(101n)).toBe(tooWide);
    expect(await exit(100n)).toBeNull();
    // Unsent: it has expired a minute later
    clock.ms += LIFE_MS + 1;
    expect(await exit(151n)).toBe(tooWide);
    expect(await exit(150n)).toBeNull();
    clock.ms += LIFE_MS + 20_000;
    expect(await exit(451n)).toBe(tooWide);
    expect(await exit(250n)).toBeNull();
    const whole = { cash: 0n, held: 1_000n * DOLLAR, failedExits: 0 };
    const all = (beyondBps: bigint) =>
      ask("exit", { agent, state: whole, beyondBps, dollars: 1_000n });
    clock.ms += LIFE_MS + 1;
    expect(await all(250n)).toBe(tooWide);
    clock.ms += 3_600_000;
    expect(await all(250n)).toBeNull();
  });

  it("counts the same whatever the clock does", async () => {
    const agent = agentIdOf("2");
    for (let n = 0; n < 10; n += 1) {
      expect(await ask("entry", { agent, dollars: 1n })).toBeNull();
    }
    expect(await ask("entry", { agent, dollars: 1n })).toBe("too many signatures within a minute");
    clock.ms -= 3_000_000;
    expect(await ask("entry", { agent, dollars: 1n })).toBe("too many signatures within a minute");
    expect(await ask("exit", { agent, dollars: 1n })).toBeNull();
    clock.ms += 3_000_000;
  });

  it("counts what another signer signs, asked in turns and at once", async () => {
    const other = openDatabase({ url: database.url, maxConnections: 3 });
    const signers = [openLedger(), openLedger(other.pool)] as const;
    const tooMany = "too many signatures within a minute";
    const inTurns = agentIdOf("4");
    for (const ledger of Array.from({ length: 5 }, () => signers).flat()) {
      expect(await ask("entry", { agent: inTurns, dollars: 1n, ledger })).toBeNull();
    }
    for (const ledger of signers) {
      expect(await ask("entry", { agent: inTurns, dollars: 1n, ledger })).toBe(tooMany);
    }
    const atOnce = agentIdOf("5");
    const answers = await Promise.all(
      signers.map(async (ledger) => {
        const own: (string | null)[] = [];
        for (let n = 0; n < 10; n += 1) {
          own.push(await ask("entry", { agent: atOnce, dollars: 1n, ledger }));
        }
        return own;
      }),
    );
    await other.close();
    expect(answers.flat().filter((text) => text === null)).toHaveLength(10);
    expect(new Set(answers.flat())).toEqual(new Set([null, tooMany]));
    const { rows } = await database.pool.query<{ seq: string }>(
      "select seq from signer.signatures where agent_id = $1 order by seq",
      [atOnce],
    );
    expect(rows.map(({ seq }) => Number(seq))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it("reads the book again where a restored database ends with another row of that number", async () => {
    const [agent, ledger] = [agentIdOf("8"), openLedger()];
    for (let n = 0; n < 2; n += 1) {
      expect(await ask("entry", { agent, dollars: 1n, ledger })).toBeNull();
    }
    await database.pool.query("delete from signer.signatures where agent_id = $1", [agent]);
    await database.pool.query(
      `insert into signer.signatures (agent_id, seq, id, kind, market, signed_at, last_valid_block_height, lamports, base,
        notional, cost, account, outcome)
      select $1, n, 'restored ' || n, 'entry', '', $2, 1, 0, 0, 0, 0, '{}', 'done' from generate_series(-7, 2) as n`,
      [agent, new Date(clock.ms)],
    );
    expect(await ask("entry", { agent, dollars: 1n, ledger })).toBe(
      "too many signatures within a minute",
    );
  });

  it("keeps back what goes beyond the deployment's fees, whoever spent them", async () => {
    const [agent, ledger] = [agentIdOf("6"), openLedger()];
    const exit = () => ask("exit", { agent, dollars: 1n, ledger });
    expect(await exit()).toBeNull();
    await database.pool.query("update signer.fees set lamports = 49999995000 where kind = 'exit'");
    // Known once it is written
    expect(await exit()).toBe("too many fees of the deployment today");
    expect(await exit()).toBe("too many fees of the deployment today");
    const { rows } = await database.pool.query(
      "select count(*)::int as count from signer.signatures where agent_id = $1",
      [agent],
    );
    expect(rows).toEqual([{ count: 2 }]);
    await database.pool.query("delete from signer.fees");
  });

  it("signs the same bytes again without counting them twice", async () => {
    const [agent, ledger] = [agentIdOf("7"), openLedger()];
    expect(await ask("exit", { agent, ledger })).toBeNull();
    count -= 1;
    expect(await ask("exit", { agent, ledger })).toBeNull();
    count -= 1;
    expect(await ask("exit", { agent })).toBeNull();
    const { rows } = await database.pool.query(
      "select count(*)::int as count from signer.signatures where agent_id = $1",
      [agent],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });
});
