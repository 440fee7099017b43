import type { Address } from "@solana/kit";
import { afterEach, describe } from "vitest";
import type { Clock } from "../src/domain/clock.ts";
import { createMemoryLedger } from "./memory-ledger.ts";
import { createPracticeChain } from "../src/practice/practice-chain.ts";
import type { Chain } from "../src/solana/chain.ts";
import { type ConformanceWorld, describeChain } from "./chain-conformance.ts";
import { connectRpc } from "./connect-rpc.ts";
import { openLiteNode } from "./lite-node.ts";
import type { RpcBackend } from "./rpc-answers.ts";
import { type RpcServer, startRpcServer } from "./rpc-server.ts";
import { programFiles } from "./twin/real-network.ts";

/** Vault and exchange programs when their files are configured; the runtime's built-in ones always exist */
const { programs = {}, absent } = programFiles(process.env);
const REAL = absent === null ? "the real runtime with the real programs" : "the real runtime";

const START_MS = 1_764_000_000_000;

const movingClock = () => {
  const clock = { ms: START_MS, now: () => clock.ms };
  return { clock, pass: (ms: number) => void (clock.ms += ms) };
};

async function practiceWorld() {
  const { clock, pass } = movingClock();
  const prices = { label: "none", quote: () => undefined };
  const chain = await createPracticeChain({ ledger: createMemoryLedger(), clock, prices });
  // Far from genesis, where finality follows the normal slot distance
  pass(60_000);
  const give = async (at: Address, lamports: bigint) => {
    await chain.fund(at, { lamports, quoteUnits: 0n });
  };
  return { chain, clock, pass, give };
}

async function liteWorld() {
  const { clock, pass } = movingClock();
  const node = openLiteNode({ clock, programs });
  const give = async (at: Address, lamports: bigint) => node.give(at, lamports);
  return { chain: node.chain, clock, pass, node, give };
}

describe("a chain", () => {
  const servers: RpcServer[] = [];

  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  const overRpc = async (
    world: ConformanceWorld & { clock: Clock },
    served: Chain | RpcBackend,
  ) => {
    const server = await startRpcServer(served);
    servers.push(server);
    const { chain } = await connectRpc([server], world.chain, world);
    return { ...world, chain };
  };

  describe("that is the practice chain", () => {
    describeChain(practiceWorld);
  });

  describe("behind JSON-RPC in front of the practice chain", () => {
    describeChain(async () => {
      const world = await practiceWorld();
      return overRpc(world, world.chain);
    });
  });

  describe(`that is ${REAL}`, () => {
    describeChain(liteWorld);
  });

  describe(`behind JSON-RPC in front of ${REAL}`, () => {
    describeChain(async () => {
      const world = await liteWorld();
      return overRpc(world, world.node);
    });
  });
});
