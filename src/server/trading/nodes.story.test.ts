import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectRpc } from "../../../test/connect-rpc.ts";
import { changing, historyLess } from "../../../test/node-behaviours.ts";
import { practiceVenues } from "../../../test/practice-venues.ts";
import { type RpcBehaviour, type RpcServer, startRpcServer } from "../../../test/rpc-server.ts";
import { createTradingWorld, type TradingWorld } from "../../../test/trading-world.ts";
import { SLOT_MS } from "../../practice/slots.ts";
import {
  ChainUnavailableError,
  type Progress,
  TransactionRefusedError,
} from "../../solana/chain.ts";
import type { TransactionErrorName } from "../../solana/transaction-errors.ts";
import { wrapChain } from "../../../test/wrap-chain.ts";
import type { TradingDeps } from "./orders/order-context.ts";
import { changeExchange } from "../../../test/practice-operator.ts";

let world: TradingWorld;
let nodes: RpcServer[];

beforeEach(async () => {
  world = await createTradingWorld();
  nodes = [await startRpcServer(world.chain), await startRpcServer(world.chain)];
});

afterEach(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  await world.database.drop();
  expect(world.problems).toEqual([]);
});

const passSlots = (slots: number) => world.clock.advance(slots * SLOT_MS);

/** A server as it starts: it remembers nothing and asks these nodes, the first one first. */
async function startServer(...servers: RpcServer[]): Promise<TradingDeps> {
  const { clock, deps, prices } = world;
  const runtime = deps.networks.get("practice");
  if (runtime === undefined) throw new Error("No practice network");
  const { chain } = await connectRpc(servers, world.chain, { clock, network: "practice" });
  const venues = practiceVenues(chain, prices, clock);
  return { ...deps, networks: new Map([["practice", { ...runtime, chain, venues }]]) };
}

const run = (server: TradingDeps) => world.run("test", server);

/** Answers the sending as the next node behind one address would, once the bytes are in or while it is behind. */
async function refusingOnce(name: TransactionErrorName, isTaken: boolean) {
  let isFirst = true;
  const node = await startRpcServer(
    wrapChain(world.chain, (inner) => ({
      async send(bytes) {
        if (!isFirst) return inner.send(bytes);
        isFirst = false;
        if (isTaken) await inner.send(bytes);
        throw new TransactionRefusedError({ kind: "transaction", name }, []);
      },
    })),
  );
  nodes.push(node);
  return node;
}

describe("an order that a node refuses at preflight", () => {
  it.each([
    ["AlreadyProcessed", true],
    ["BlockhashNotFound", true],
    ["BlockhashNotFound", false],
    ["AccountInUse", false],
    ["WouldExceedMaxBlockCostLimit", true],
  ] as const)("with %s gets the chain's outcome (taken: %s)", async (name, isTaken) => {
    const server = await startServer(await refusingOnce(name, isTaken));
    await world.fire("long");
    await run(server);
    await run(server);
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    expect(await world.landed()).toHaveLength(1);
  });
});

describe("the only node of a network", () => {
  it("is not believed while it stands still, and again once it goes on", async () => {
    let stuckAt: Progress | undefined;
    const node = await startRpcServer(
      wrapChain(world.chain, (inner) => ({
        progress: async (commitment) => stuckAt ?? inner.progress(commitment),
      })),
    );
    nodes.push(node);
    const network = await connectRpc([node], world.chain, {
      clock: world.clock,
      network: "practice",
    });
    const look = () => network.chain.progress("confirmed");
    const first = await look();
    passSlots(100);
    stuckAt = await look();
    expect(stuckAt.slot).toBeGreaterThan(first.slot);
    world.clock.advance(59_000);
    expect(await look()).toEqual(stuckAt);
    world.clock.advance(2_000);
    await expect(look()).rejects.toThrow(ChainUnavailableError);
    expect(network.nodes()).toMatchObject([{ trouble: { kind: "behind" } }]);
    stuckAt = undefined;
    await look();
    expect(network.nodes()).toMatchObject([{ trouble: null }]);
  });
});

describe("an order that landed while its answer was lost", () => {
  const statusesBehind: RpcBehaviour = {
    after(method, result) {
      if (method !== "getSignatureStatuses") return result;
      const { context } = result as { context: { slot: bigint } };
      return { context: { slot: context.slot - 300n }, value: [null] };
    },
  };
  const behaviours: Readonly<Record<string, () => Promise<RpcBehaviour>>> = {
    "whose height and statuses come from two nodes behind one address": async () => statusesBehind,
    "that lost its history": async () => {
      const { slot } = await world.chain.progress("confirmed");
      return historyLess(slot - 50n, { isSilent: false });
    },
    "that forgot it and does not say so": async () => {
      const { slot } = await world.chain.progress("confirmed");
      return historyLess(slot - 50n, { isSilent: true });
    },
  };

  it.each(Object.entries(behaviours))(
    "is not abandoned because of a node %s, nor after a restart",
    async (_, behaviourOf) => {
      await changeExchange(world.chain, { minPerpAuctionDuration: 0 });
      const [node] = nodes as [RpcServer];
      const away = wrapChain(world.chain, (inner) => ({
        async send(bytes) {
          await inner.send(bytes);
          throw new ChainUnavailableError("The answer was lost");
        },
      }));
      const first = await startRpcServer(away);
      nodes.push(first);
      first.behave({
        before: (method) =>
          method === "getSignatureStatuses" ? { kind: "status", status: 503 } : undefined,
      });
      await world.fire("long");
      await run(await startServer(first));
      expect(await world.story()).toEqual(["OPEN_LONG submitted"]);
      expect(await world.landed()).toHaveLength(1);
      passSlots(300);
      node.behave(await behaviourOf());
      const server = await startServer(node);
      await run(server);
      await run(server);
      expect((await world.story())[0]).toMatch(/^OPEN_LONG (submitted|unknown)/);
      await run(await startServer(node));
      expect((await world.story())[0]).toMatch(/^OPEN_LONG (submitted|unknown)/);
      node.behave(null);
      await run(await startServer(node));
      expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    },
  );
});

describe("an account that a node returns without its positions", () => {
  /** Bytes of the exchange's account for a user, and where its positions lie in it. */
  const USER_BYTES = 4_376;
  const [POSITIONS_FROM, POSITIONS_TO] = [424, 1_192];

  type Wire = { data: [string, string]; space: number };
  const usersOnly = (change: (data: Buffer) => Buffer | null): RpcBehaviour =>
    changing("getMultipleAccounts", (answer: { context: unknown; value: (Wire | null)[] }) => ({
      ...answer,
      value: answer.value.map((account) => {
        if (account?.space !== USER_BYTES) return account;
        const data = change(Buffer.from(account.data[0], "base64"));
        if (data === null) return null;
        return { ...account, data: [data.toString("base64"), "base64"], space: data.length };
      }),
    }));

  it.each([
    ["as if it were not there", usersOnly(() => null)],
    ["empty", usersOnly(() => Buffer.alloc(0))],
    ["full of zeros", usersOnly((data) => Buffer.alloc(data.length))],
    ["cut off", usersOnly((data) => data.subarray(0, POSITIONS_FROM))],
    [
      "with its positions blank",
      usersOnly((data) => Buffer.from(data).fill(0, POSITIONS_FROM, POSITIONS_TO)),
    ],
  ] as const)("%s is not treated as flat", async (_, behaviour) => {
    const [bad, good] = nodes as [RpcServer, RpcServer];
    await world.fire("long");
    await run(await startServer(good));
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    const before = (await world.account()).positions;
    expect(before).toHaveLength(1);

    passSlots(10);
    bad.behave(behaviour);
    await world.fire("long");
    await run(await startServer(bad, good));
    await run(await startServer(bad, good));
    expect((await world.account()).positions).toMatchObject(
      before.map(({ baseSize }) => ({ baseSize })),
    );
    expect(await world.landed()).toHaveLength(1);
  });
});
