import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { practiceNodeSettings } from "./practice-node.ts";

/** What a node allows: each answer takes that long, and requests beyond the rate are answered with 429. */
export interface NodeLimits {
  readonly answerMs: number;
  readonly perSecond: number;
}

export type NodeRequest =
  | { readonly calls: true }
  | { readonly limits: NodeLimits }
  | { readonly owner: string; readonly lamports: string; readonly quoteUnits: string };

export type NodeAnswer =
  | { readonly url: string }
  | { readonly calls: readonly string[] }
  | { readonly funded: string };

/** The practice chain as a JSON-RPC node in a process of its own, which the product takes for mainnet's. */
export interface ChainNode {
  readonly pid: number;
  /** The product's settings for it. */
  readonly settings: Readonly<Record<string, string>>;
  fund(owner: string, lamports: bigint, quoteUnits: bigint): Promise<void>;
  limit(limits: NodeLimits): void;
  /** Returns the methods called since the last time it was asked. */
  takeCalls(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

const SOL = 1_000_000_000n;

/** Starts the node and gives the product's fee payer money. */
export async function startNode(): Promise<ChainNode> {
  const child = fork(join(import.meta.dirname, "chain-node.js"));
  const waiting = new Map<string, () => void>();
  let takeCalls = (_calls: readonly string[]): void => {};
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", () => reject(new Error("The node ended")));
    child.on("message", (answer: NodeAnswer) => {
      if ("url" in answer) resolve(answer.url);
      else if ("calls" in answer) takeCalls(answer.calls);
      else waiting.get(answer.funded)?.();
    });
  });
  const ask = (request: NodeRequest) => void child.send(request);
  const fund: ChainNode["fund"] = (owner, lamports, quoteUnits) =>
    new Promise((resolve) => {
      waiting.set(owner, resolve);
      ask({ owner, lamports: lamports.toString(), quoteUnits: quoteUnits.toString() });
    });
  const { feePayer, settings } = practiceNodeSettings(url);
  await fund(feePayer, 1_000n * SOL, 0n);
  return {
    pid: child.pid ?? 0,
    settings: {
      ...settings,
      // A high limit, because the order's path is measured and not a node's rate limit
      RPC_REQUESTS_PER_SECOND: "10000",
    },
    fund,
    limit: (limits) => ask({ limits }),
    takeCalls: () =>
      new Promise((resolve) => {
        takeCalls = resolve;
        ask({ calls: true });
      }),
    async stop() {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}
