import { describe, expect, it } from "vitest";
import { openPracticeBench } from "../../../test/chain-bench.ts";
import { connectRpc } from "../../../test/connect-rpc.ts";
import { openLiteNode } from "../../../test/lite-node.ts";
import { startRpcServer } from "../../../test/rpc-server.ts";
import { practiceKeyPair } from "../../practice/sign-transaction.ts";
import { PRACTICE_LOOKUP_TABLE } from "../../practice/practice-table.ts";
import type { Chain } from "../../solana/chain.ts";
import { decodeTransaction } from "../../solana/decode-transaction.ts";
import { createLookupTable, readTables } from "../../solana/programs/address-lookup-table.ts";
import { setComputeUnitPrice } from "../../solana/programs/compute-budget.ts";
import { wrapChain } from "../../../test/wrap-chain.ts";
import { landTransaction } from "./land-transaction.ts";
import { ensureSharedTable } from "./shared-table.ts";

const payer = practiceKeyPair("operator");
const addresses = (count: number) =>
  Array.from({ length: count }, (_, at) => practiceKeyPair(`shared ${at}`).address);

async function open() {
  const { chain, clock } = await openPracticeBench();
  await chain.fund(payer.address, { lamports: 10_000_000_000n, quoteUnits: 0n });
  clock.ms += 1_000 * 400;
  const nextSlot = () => (clock.ms += 400);
  const sleep = async () => nextSlot();
  return { chain, clock, nextSlot, surroundings: { chain, sleep } };
}

describe("the operator's lookup table", () => {
  it("is created completely in any number of transactions", async () => {
    const { chain, nextSlot, surroundings } = await open();
    const wanted = addresses(45);
    const created: string[] = [];
    const { table, isNew, added } = await ensureSharedTable(
      surroundings,
      payer,
      undefined,
      [...wanted, ...wanted.slice(0, 3)],
      (address) => created.push(address),
    );
    expect({ isNew, added }).toEqual({ isNew: true, added: wanted });
    expect(created).toEqual([table]);
    nextSlot();
    expect(await readTables(chain, [table])).toEqual({ [table]: wanted });
  });

  it("gets missing addresses at its end, and none twice", async () => {
    const { chain, nextSlot, surroundings } = await open();
    const [one, two, three] = [addresses(1), addresses(2), addresses(3)];
    const { table } = await ensureSharedTable(surroundings, payer, undefined, one);
    nextSlot();
    const more = await ensureSharedTable(surroundings, payer, table, three.toReversed());
    expect(more).toMatchObject({ table, isNew: false });
    nextSlot();
    const held = (await readTables(chain, [table]))[table] ?? [];
    expect(held[0]).toBe(one[0]);
    expect(new Set(held)).toEqual(new Set(three));
    expect((await ensureSharedTable(surroundings, payer, table, two)).added).toEqual([]);
  });

  it("is completed by the next run after an interrupted one", async () => {
    const { chain, nextSlot, surroundings } = await open();
    const wanted = addresses(45);
    let sent = 0;
    const breaking: Chain = {
      ...chain,
      async send(bytes) {
        sent += 1;
        if (sent === 3) throw new Error("Broken off");
        return chain.send(bytes);
      },
    };
    let made: Parameters<typeof ensureSharedTable>[2];
    const broken = { ...surroundings, chain: breaking };
    await expect(
      ensureSharedTable(broken, payer, undefined, wanted, (table) => (made = table)),
    ).rejects.toThrow("Broken off");
    nextSlot();
    const { table } = await ensureSharedTable(surroundings, payer, made, wanted);
    nextSlot();
    expect(table).toBe(made);
    expect((await readTables(chain, [table]))[table]).toEqual(wanted);
  });

  it("is refused when it is no table, or another deployment's", async () => {
    const { surroundings } = await open();
    await expect(ensureSharedTable(surroundings, payer, payer.address, [])).rejects.toThrow(
      "is not a lookup table",
    );
    await expect(ensureSharedTable(surroundings, payer, PRACTICE_LOOKUP_TABLE, [])).rejects.toThrow(
      "belongs to another key",
    );
  });

  it("is created and filled over JSON-RPC as on the chain itself", async () => {
    const { chain, nextSlot } = await open();
    const node = await startRpcServer(chain);
    const clock = { now: () => 0 };
    const surroundings = {
      chain: (await connectRpc([node], chain, { clock })).chain,
      sleep: async () => nextSlot(),
    };
    const wanted = addresses(25);
    const { table } = await ensureSharedTable(surroundings, payer, undefined, wanted);
    nextSlot();
    expect(await readTables(surroundings.chain, [table])).toEqual({ [table]: wanted });
    await node.close();
  });

  it("is created at an older slot when the executing node does not know the newest", async () => {
    const { chain, nextSlot, surroundings } = await open();
    const ahead = wrapChain(chain, (inner) => ({
      async progress(commitment) {
        const known = await inner.progress(commitment);
        return { ...known, slot: known.slot + 60n };
      },
    }));
    const { table, isNew } = await ensureSharedTable(
      { ...surroundings, chain: ahead },
      payer,
      undefined,
      addresses(1),
    );
    expect(isNew).toBe(true);
    nextSlot();
    expect(await readTables(chain, [table])).toEqual({ [table]: addresses(1) });
  });

  it("reports that no slot was recent enough, and changes nothing", async () => {
    const { chain, surroundings } = await open();
    const behind = wrapChain(chain, (inner) => ({
      async progress(commitment) {
        const known = await inner.progress(commitment);
        return { ...known, slot: known.slot + 10_000n };
      },
    }));
    await expect(
      ensureSharedTable({ ...surroundings, chain: behind }, payer, undefined, addresses(1)),
    ).rejects.toThrow(
      /^Creating the lookup table: none of the slots [\d, ]+ is recent to the node/,
    );
    const [held] = (await chain.accounts([payer.address])).accounts;
    expect(held?.lamports).toBe(10_000_000_000n);
  });

  it("reports that the fee payer holds too little", async () => {
    const { surroundings } = await open();
    const poor = practiceKeyPair("poor operator");
    await expect(ensureSharedTable(surroundings, poor, undefined, addresses(1))).rejects.toThrow(
      "Creating the lookup table: the fee payer holds too little SOL for it.",
    );
  });

  it("offers the priority fee of recent blocks, up to the cap", async () => {
    const { chain, surroundings } = await open();
    const sent: Uint8Array[] = [];
    const busy = wrapChain(chain, (inner) => ({
      recentUnitPrices: async () => [1_000_000n],
      send(bytes) {
        sent.push(bytes);
        return inner.send(bytes);
      },
    }));
    const priorityFee = { percentile: 50, capMicroLamports: 70_000n };
    const deps = { ...surroundings, chain: busy, priorityFee };
    await ensureSharedTable(deps, payer, undefined, addresses(1));
    const budgets = sent.map((bytes) => decodeTransaction(bytes).instructions.slice(0, 2));
    expect(budgets).toHaveLength(2);
    for (const [, price] of budgets) {
      expect(price?.data).toEqual(setComputeUnitPrice(70_000n).data);
    }
  });

  it("is created and filled on the real runtime, which accepts only past slots", async () => {
    const clock = { ms: 1_764_000_000_000, now: () => clock.ms };
    const { chain, give } = openLiteNode({ clock });
    give(payer.address, 10_000_000_000n);
    const deps = { chain, sleep: async () => (clock.ms += 400) };
    const newest = (await chain.progress("confirmed")).slot;
    await expect(
      landTransaction(deps, payer, "At the newest slot", () => [
        createLookupTable(payer.address, newest),
      ]),
    ).rejects.toThrow(/^At the newest slot: the chain refused it \(InvalidInstructionData/);
    const wanted = addresses(25);
    const { table } = await ensureSharedTable(deps, payer, undefined, wanted);
    clock.ms += 400;
    expect(await readTables(chain, [table])).toEqual({ [table]: wanted });
  });

  it("reports when its transaction expires unseen", async () => {
    const { chain, clock, surroundings } = await open();
    const deaf: Chain = { ...chain, send: async () => "1".repeat(64) as never };
    const sleep = async () => (clock.ms += 200 * 400);
    await expect(
      ensureSharedTable({ ...surroundings, chain: deaf, sleep }, payer, undefined, addresses(1)),
    ).rejects.toThrow("expired without landing");
  });
});
