import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signTransaction, practiceKeyPair } from "../../../practice/sign-transaction.ts";
import { createPracticeChain, type PracticeChain } from "../../../practice/practice-chain.ts";
import type { Signature } from "@solana/kit";
import { transferLamports } from "../../../solana/programs/system.ts";
import { createTestDatabase, type TestDatabase } from "../../../../test/database.ts";
import { openDatabase } from "../postgres/pool.ts";
import { createPracticeLedger } from "./practice-ledger.ts";

const clock = {
  ms: 1_700_000_000_000,
  now() {
    return this.ms;
  },
};
const prices = { label: "none", quote: () => undefined };
const alice = practiceKeyPair("alice");
const bob = practiceKeyPair("bob");

let database: TestDatabase;
/** Pools of the other server processes. */
const others: ReturnType<typeof openDatabase>[] = [];

const openOn = (pool: TestDatabase["pool"]) =>
  createPracticeChain({ ledger: createPracticeLedger(pool), clock, prices });

function openElsewhere(): Promise<PracticeChain> {
  const other = openDatabase({ url: database.url, maxConnections: 3 });
  others.push(other);
  return openOn(other.pool);
}

const lamportsOn = async (chain: PracticeChain, { address } = bob) =>
  (await chain.accounts([address])).accounts[0]?.lamports ?? 0n;

async function transferBytes(chain: PracticeChain, lamports: bigint): Promise<Uint8Array> {
  const { blockhash } = await chain.latestBlockhash();
  const transfer = transferLamports({ from: alice.address, to: bob.address }, lamports);
  return signTransaction([alice], [transfer], blockhash);
}

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  for (const other of others) await other.close();
  await database.drop();
});

describe("practice chain on PostgreSQL", () => {
  it("survives a restart with accounts, history and genesis", async () => {
    const before = await openOn(database.pool);
    await before.fund(alice.address, { lamports: 5_000_000_000n, quoteUnits: 7_000_000n });
    const signature = await before.send(await transferBytes(before, 2_000_000n));
    clock.ms += 60_000;
    const after = await openElsewhere();
    expect(await after.genesisHash()).toBe(await before.genesisHash());
    expect(await lamportsOn(after)).toBe(2_000_000n);
    expect(await after.transaction(signature)).toEqual(await before.transaction(signature));
    const outcome = await after.transaction(signature);
    expect(outcome?.lamportDeltas.get(alice.address)).toBe(-2_005_000n);
    expect(await after.signaturesFor(bob.address, 5)).toEqual([signature]);
    const { statuses } = await after.signatureStatuses([signature]);
    expect(statuses[0]?.commitment).toBe("finalized");
  });

  it("shares nothing with the other built-in network that began at the same moment", async () => {
    const practice = await openOn(database.pool);
    const paper = await createPracticeChain({
      network: "paper",
      ledger: createPracticeLedger(database.pool, "paper"),
      clock,
      prices,
    });
    const carol = practiceKeyPair("carol");
    await paper.fund(alice.address, { lamports: 5_000_000_000n, quoteUnits: 0n });
    await paper.fund(carol.address, { lamports: 3_000_000_000n, quoteUnits: 0n });
    expect(await lamportsOn(practice, carol)).toBe(0n);
    expect(await lamportsOn(paper, carol)).toBe(3_000_000_000n);
    expect(await paper.genesisHash()).not.toBe(await practice.genesisHash());
    const transfer = await transferBytes(practice, 2_500_000n);
    await expect(paper.send(transfer)).rejects.toMatchObject({
      error: { name: "BlockhashNotFound" },
    });
  });

  it("lists an address's transactions page by page, and none after a foreign one", async () => {
    const chain = await openOn(database.pool);
    const sent: Signature[] = [];
    for (const lamports of [1n, 2n, 3n])
      sent.unshift(await chain.send(await transferBytes(chain, lamports)));
    const page = (before?: Signature) =>
      chain.signaturesFor(bob.address, 2, before === undefined ? {} : { before });
    expect(await page()).toEqual(sent.slice(0, 2));
    expect((await page(sent[1])).slice(0, 1)).toEqual(sent.slice(2));
    const [foreign] = await chain.signaturesFor(alice.address, 100).then((all) => all.slice(-1));
    expect(await page(foreign)).toEqual([]);
  });

  it("shows one process what another committed", async () => {
    const [one, two] = await Promise.all([openElsewhere(), openElsewhere()]);
    const before = await lamportsOn(two);
    await one.send(await transferBytes(one, 1_000_001n));
    expect(await lamportsOn(two)).toBe(before + 1_000_001n);
    await two.send(await transferBytes(two, 1_000_002n));
    expect(await lamportsOn(one)).toBe(before + 2_000_003n);
  });

  it("lands the same bytes once when two processes send them together", async () => {
    const [one, two] = await Promise.all([openElsewhere(), openElsewhere()]);
    const before = await lamportsOn(one);
    const bytes = await transferBytes(one, 1_000_003n);
    const signatures = await Promise.all([one.send(bytes), two.send(bytes), one.send(bytes)]);
    expect(new Set(signatures).size).toBe(1);
    expect(await lamportsOn(two)).toBe(before + 1_000_003n);
  });

  it("decides again on the new state when another process was faster", async () => {
    const [one, two] = [database.pool, openDatabase({ url: database.url, maxConnections: 3 })];
    others.push(two);
    const [slow, fast] = [createPracticeLedger(one), createPracticeLedger(two.pool)];
    const account = (lamports: bigint) => ({
      lamports,
      owner: alice.address,
      data: new Uint8Array(),
      executable: false,
    });
    const carol = practiceKeyPair("carol").address;
    const put = (ledger: typeof slow, lamports: bigint) =>
      ledger.transact(() => ({
        change: { accounts: new Map([[carol, account(lamports)]]), records: [] },
        value: null,
      }));
    await put(slow, 1n);
    await put(fast, 2n);
    const seen: (bigint | undefined)[] = [];
    const doubled = await slow.transact((view) => {
      const lamports = view.account(carol)?.lamports ?? 0n;
      seen.push(lamports);
      return {
        change: { accounts: new Map([[carol, account(lamports * 2n)]]), records: [] },
        value: lamports,
      };
    });
    expect([seen, doubled]).toEqual([[1n, 2n], 2n]);
    // What decides to change nothing has seen the newest state, too
    const refused = await fast.transact((view) => ({
      change: { accounts: new Map(), records: [] },
      value: view.account(carol)?.lamports,
    }));
    expect(refused).toBe(4n);
  });

  it("combines simultaneous reads into one query, and finds nothing that never landed", async () => {
    const chain = await openOn(database.pool);
    const sent: Signature[] = [];
    for (const lamports of [2_100_001n, 2_100_002n, 2_100_003n])
      sent.push(await chain.send(await transferBytes(chain, lamports)));
    const queries: unknown[] = [];
    const counting = new Proxy(database.pool, {
      get: (pool, key) =>
        key === "query"
          ? (query: Parameters<typeof pool.query>[0]) => {
              queries.push(query);
              return pool.query(query);
            }
          : Reflect.get(pool, key),
    });
    const ledger = createPracticeLedger(counting);
    const never = `${sent[0]?.slice(0, -1)}1` as Signature;
    const asked = [...sent, never, sent[0] as Signature];
    const outcomes = await Promise.all(asked.map((signature) => ledger.outcomes([signature])));
    expect(outcomes.map(([outcome]) => outcome?.signature)).toEqual([...sent, undefined, sent[0]]);
    expect(queries).toHaveLength(1);
    expect((await ledger.outcomes(sent)).map((outcome) => outcome?.signature)).toEqual(sent);
    expect(queries).toHaveLength(2);
  });

  it("loses no transfer when two processes send many at once", async () => {
    const [one, two] = await Promise.all([openElsewhere(), openElsewhere()]);
    const before = await lamportsOn(one);
    const amounts = Array.from({ length: 40 }, (_, index) => 2_000_000n + BigInt(index));
    await Promise.all(
      amounts.map(async (amount, index) => {
        const chain = index % 2 === 0 ? one : two;
        await chain.send(await transferBytes(chain, amount));
      }),
    );
    const sum = amounts.reduce((total, amount) => total + amount, 0n);
    expect(await lamportsOn(two)).toBe(before + sum);
    expect(await lamportsOn(one)).toBe(before + sum);
  });
});
