import type { Address } from "@solana/kit";
import { type Account, ChainUnavailableError } from "./chain.ts";
import { type Ask, type Call, handling, type Link } from "./chain-links.ts";
import type { PooledNode } from "./node-pool.ts";
import { SYSTEM_PROGRAM } from "./programs/system.ts";

/** Last state of an account that the nodes of a network agreed on. `gone`: confirmed as missing. */
type Known =
  | "gone"
  | {
      readonly owner: Address;
      readonly length: number;
      /** Number of non-zero bytes, as a layout-independent measure of the account's content. */
      readonly content: number;
    };

/** How an answer falls short of the known state; `unseen`: nothing was known. */
type Loss = "gone" | "other owner" | "empty" | "thinner" | "unseen";

/** Known states of the accounts of one network, shared by all its nodes. */
export interface AccountMemory {
  readonly known: Map<Address, Known>;
  /** Slot at which a single node first missed a known account. */
  readonly missedAt: Map<Address, bigint>;
}

export const createAccountMemory = (): AccountMemory => ({ known: new Map(), missedAt: new Map() });

/** Largest number of accounts remembered; beyond it the memory is cleared, at the cost of asking twice again. */
const MEMORY_SIZE = 50_000;

/** Wait before the same question is repeated, milliseconds. */
export const PAUSE_MS = 400;

/** Number of slots for which a single node must say what nothing confirms before it is believed: the block is final then. */
export const ALONE_SLOTS = 32n;

/**
 * Returns a link in front of a node whose answer that an account is missing, emptier or owned by another program must be confirmed: by
 * another node at the same slot or later, or, where it is the only node, by itself a while later.
 *
 * Otherwise the call throws `ChainUnavailableError`: an account without its content is not a flat position. Accounts a
 * process sees for the first time are also compared with another node's answer, where there is one.
 */
export function crossCheckedAccounts(options: {
  readonly others: readonly PooledNode[];
  readonly memory: AccountMemory;
  sleep(ms: number): Promise<unknown>;
}): Link {
  const { others, memory, sleep } = options;

  /** Asks the other nodes; undefined when none can answer. */
  const askOthers = async (call: Call<"accounts">) => {
    for (const other of others) {
      if (other.record.isResting()) continue;
      try {
        return (await other.ask(call)).accounts;
      } catch (error) {
        if (!(error instanceof ChainUnavailableError)) throw error;
        // A node one or two slots behind is not faulty
        if (error.trouble !== undefined && error.trouble !== "behind") {
          other.record.failed(error.trouble);
        }
      }
    }
    return undefined;
  };

  /** Asks the other nodes, asks them again later, and finally asks the node itself. */
  const confirm = async (call: Call<"accounts">, node: Ask) => {
    const first = await askOthers(call);
    if (first !== undefined) return { accounts: first, isAlone: false };
    await sleep(PAUSE_MS);
    const second = await askOthers(call);
    if (second !== undefined) return { accounts: second, isAlone: false };
    return { accounts: (await node(call)).accounts, isAlone: true };
  };

  return handling({
    /** Rent is the same at every node: where others answer, one of them has to say the same. */
    async minimumBalance(call, node) {
      const rent = await node(call);
      const answers = await Promise.all(
        others.map(({ ask }) =>
          ask(call).catch((error: unknown) => {
            if (error instanceof ChainUnavailableError) return null;
            throw error;
          }),
        ),
      );
      const known = answers.filter((answer) => answer !== null);
      if (known.length === 0 || known.includes(rent)) return rent;
      throw new ChainUnavailableError("The nodes tell different rents.", {
        trouble: "wrong_answer",
      });
    },

    async accounts(call, node) {
      const [addresses] = call.input;
      const answer = await node(call);
      const seen = answer.accounts.map(knownOf);
      const doubted = new Map<Address, Known>();
      seen.forEach((state, at) => {
        const address = addresses[at] as Address;
        const loss = lossOf(memory.known.get(address), state);
        if (loss === null || (loss === "unseen" && others.length === 0)) return;
        doubted.set(address, state);
      });
      if (doubted.size > 0) {
        const again = { ...call, input: [[...doubted.keys()]] } satisfies Call<"accounts">;
        const { accounts, isAlone } = await confirm(notBefore(answer.slot, again), node);
        for (const [at, [address, said]] of [...doubted].entries()) {
          const loss = lossOf(memory.known.get(address), said);
          if (lossOf(knownOf(accounts[at] ?? null), said) !== null) throw contradicted(address);
          const isLost = loss === "gone" || loss === "empty" || loss === "other owner";
          if (isAlone && isLost) requireLasting(memory, address, answer.slot);
        }
      }
      seen.forEach((state, at) => remember(memory, addresses[at] as Address, state));
      return answer;
    },
  });
}

/**
 * Accepts at once that accounts are missing that a landed transaction is known to have closed, although this process
 * has seen them: another process may have followed that transaction.
 */
export function forgetAccounts(
  { known, missedAt }: AccountMemory,
  addresses: readonly Address[],
): void {
  for (const address of addresses) {
    known.delete(address);
    missedAt.delete(address);
  }
}

const contradicted = (address: Address) =>
  new ChainUnavailableError(`What the node says of account ${address} is not confirmed.`, {
    trouble: "wrong_answer",
  });

function contentOf(data: Uint8Array): number {
  let content = 0;
  // By index: iterating takes six times as long, for every account of every read
  for (let at = 0; at < data.length; at += 1) if (data[at] !== 0) content += 1;
  return content;
}

function lossOf(known: Known | undefined, seen: Known): Loss | null {
  if (seen === "gone") return known === "gone" ? null : "gone";
  const { owner, length, content } = seen;
  if (known === undefined || known === "gone") {
    if (content === 0 && owner !== SYSTEM_PROGRAM) return "empty";
    return known === undefined ? "unseen" : null;
  }
  if (owner !== known.owner) return "other owner";
  if (length < known.length || (content === 0 && known.content > 0)) return "empty";
  return content * 8 < known.content * 7 ? "thinner" : null;
}

/** Accepts a single node's loss of a known account only once the block it is missing from is final. */
function requireLasting({ known, missedAt }: AccountMemory, address: Address, slot: bigint): void {
  const before = known.get(address);
  if (before === undefined || before === "gone") return;
  const since = missedAt.get(address) ?? slot;
  missedAt.set(address, since);
  if (slot < since + ALONE_SLOTS) throw contradicted(address);
}

function knownOf(account: Account | null): Known {
  if (account === null) return "gone";
  return {
    owner: account.owner,
    length: account.data.length,
    content: contentOf(account.data),
  };
}

function remember({ known, missedAt }: AccountMemory, address: Address, state: Known) {
  missedAt.delete(address);
  if (known.size >= MEMORY_SIZE) known.clear();
  known.set(address, state);
}

/** Returns an account read whose answer must not be older than a slot. */
export function notBefore(slot: bigint, call: Call<"accounts">): Call<"accounts"> {
  const [addresses, { minContextSlot = 0n } = {}] = call.input;
  const least = minContextSlot > slot ? minContextSlot : slot;
  return { ...call, input: [addresses, least === 0n ? {} : { minContextSlot: least }] };
}

/**
 * Returns a link that reads accounts at the slot of the newest transaction whose outcome it passed on, or later.
 *
 * A node that has not reached that slot counts as unavailable. The slot is kept in this process only.
 */
export function monotonicReads(): Link {
  let reached = 0n;
  return handling({
    accounts: (call, next) => next(notBefore(reached, call)),
    async transaction(call, next) {
      const outcome = await next(call);
      if (outcome !== null && outcome.slot > reached) reached = outcome.slot;
      return outcome;
    },
  });
}
