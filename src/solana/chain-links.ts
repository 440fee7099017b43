import type { Network } from "../domain/network.ts";
import { type Chain, ChainUnavailableError } from "./chain.ts";
import type { CallClass } from "./request-budget.ts";

/** The calls of the port by name. A group of calls bound to one node is one call as well. */
interface Methods extends Omit<Chain, "network" | "withOneNode"> {
  withOneNode(work: (node: Ask) => Promise<unknown>): Promise<unknown>;
}

export type Method = keyof Methods;

/** One call of the port as data. */
export interface Call<M extends Method = Method> {
  readonly method: M;
  readonly input: Parameters<Methods[M]>;
  readonly class: CallClass;
}

type Answers = { readonly [M in Method]: Awaited<ReturnType<Methods[M]>> };

export type Answer<M extends Method> = Answers[M];

/** Answers calls: a node, several nodes, or links in front of them. */
export type Ask = <M extends Method>(call: Call<M>) => Promise<Answer<M>>;

/** Returns an `Ask` that does something around the calls of the next one. */
export type Link = (next: Ask) => Ask;

/** Returns the links in front of `last`; the first link sees a call first. */
export const through = (links: readonly Link[], last: Ask): Ask =>
  links.reduceRight((next, link) => link(next), last);

/** Returns a link that handles calls by method; methods without a handler pass unchanged. */
export function handling(handlers: {
  readonly [M in Method]?: (call: Call<M>, next: Ask) => Promise<Answer<M>>;
}): Link {
  return (next) =>
    <M extends Method>(call: Call<M>) => {
      const handle: ((call: Call<M>, next: Ask) => Promise<Answer<M>>) | undefined =
        handlers[call.method];
      return handle === undefined ? next(call) : handle(call, next);
    };
}

/** Returns a link that is applied to each call of a group, instead of to the group as one call. */
export const withinGroups =
  (link: Link): Link =>
  (next) =>
    handling({
      withOneNode: (call) =>
        next({ ...call, input: [(node) => call.input[0](link(node))] satisfies Call["input"] }),
    })(link(next)) as Ask;

/** Returns the typed port whose calls, made for one purpose, are answered by `ask`. */
export function chainOf(network: Network, ask: Ask, callClass: CallClass): Chain {
  const call =
    <M extends Method>(method: M) =>
    (...input: Parameters<Methods[M]>): Promise<Answer<M>> =>
      ask({ method, input, class: callClass });
  return {
    network,
    genesisHash: call("genesisHash"),
    accounts: call("accounts"),
    accountsOf: call("accountsOf"),
    latestBlockhash: call("latestBlockhash"),
    progress: call("progress"),
    historyStart: call("historyStart"),
    simulate: call("simulate"),
    send: call("send"),
    signatureStatuses: call("signatureStatuses"),
    transaction: call("transaction"),
    recentUnitPrices: call("recentUnitPrices"),
    minimumBalance: call("minimumBalance"),
    slotDurationMs: call("slotDurationMs"),
    signaturesFor: call("signaturesFor"),
    withOneNode: <T>(work: (node: Chain) => Promise<T>) =>
      call("withOneNode")((node) => work(chainOf(network, node, callClass))) as Promise<T>,
  };
}

/** Returns the calls of a chain as an `Ask`. */
export function askOf(chain: Chain): Ask {
  const methods: Methods = {
    ...chain,
    withOneNode: (work) => chain.withOneNode((node) => work(askOf(node))),
  };
  return <M extends Method>({ method, input }: Call<M>) => {
    const answer = methods[method] as (...input: Parameters<Methods[M]>) => Promise<Answer<M>>;
    return answer(...input);
  };
}

/** Returns a chain with links in front of it. */
export const linkChain = (chain: Chain, ...links: readonly Link[]): Chain =>
  chainOf(chain.network, through(links, askOf(chain)), "owner");

/**
 * Returns a link after whose time limit, in milliseconds by class, a call counts as unanswered: nodes that hang are
 * otherwise asked one after the other, and twice. Classes without a limit wait.
 */
export function timeLimit(
  network: Network,
  limitsMs: Partial<Readonly<Record<CallClass, number>>>,
  sleep: (ms: number, signal: AbortSignal) => Promise<unknown>,
): Link {
  return (next) => async (call) => {
    const limitMs = limitsMs[call.class];
    if (limitMs === undefined) return next(call);
    const done = new AbortController();
    const late = sleep(limitMs, done.signal).then(() => {
      throw new ChainUnavailableError(`No node of ${network} answered in time.`);
    });
    // Rejects unobserved when the answer came in time
    late.catch(() => {});
    try {
      return await Promise.race([next(call), late]);
    } finally {
      done.abort();
    }
  };
}
