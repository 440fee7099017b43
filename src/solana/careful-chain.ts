import type { Address } from "@solana/kit";
import { type Account, type Chain, ChainUnavailableError } from "./chain.ts";
import { wrapChain } from "./wrap-chain.ts";

/** What the nodes of a network last agreed on of an account. `gone`: it is not there, confirmed. */
type Known =
  | "gone"
  | (Pick<Account, "owner"> & { readonly length: number; readonly isEmpty: boolean });

/** What is remembered of the accounts of one network, by all its nodes together. */
export interface AccountMemory {
  readonly known: Map<Address, Known>;
  /** The slot at which a node alone first missed an account that was there. */
  readonly missedAt: Map<Address, bigint>;
}

export const createAccountMemory = (): AccountMemory => ({ known: new Map(), missedAt: new Map() });

/** Accounts remembered at once; more are begun anew, at the price of asking twice. */
const MEMORY_SIZE = 50_000;

/** Wait before the same question is asked again. */
const PAUSE_MS = 400;

/** How long a node without another to ask must miss an account that was there: that block is final then. */
const ALONE_SLOTS = 32n;

/**
 * Returns a node that says of no account that it is gone, shorter, empty or another program's before that is confirmed:
 * by another node at the same slot or later, or by itself a while later where it is the only one.
 *
 * Otherwise it throws `ChainUnavailableError`: an account without its content is not a flat position.
 */
export function createCarefulChain(
  chain: Chain,
  options: {
    readonly others: readonly Chain[];
    readonly memory: AccountMemory;
    sleep(ms: number): Promise<unknown>;
  },
): Chain {
  const { others, memory, sleep } = options;

  /** Asks the other nodes; undefined when none can tell. */
  const askOthers = async (addresses: readonly Address[], slot: bigint) => {
    for (const other of others) {
      try {
        return (await other.accounts(addresses, { minContextSlot: slot })).accounts;
      } catch (error) {
        if (!(error instanceof ChainUnavailableError)) throw error;
      }
    }
    return undefined;
  };

  const confirm = async (inner: Chain, addresses: readonly Address[], slot: bigint) => {
    const first = await askOthers(addresses, slot);
    if (first !== undefined) return { accounts: first, isAlone: false };
    await sleep(PAUSE_MS);
    const second = await askOthers(addresses, slot);
    if (second !== undefined) return { accounts: second, isAlone: false };
    const again = await inner.accounts(addresses, { minContextSlot: slot });
    return { accounts: again.accounts, isAlone: true };
  };

  return wrapChain(chain, (inner) => ({
    async accounts(addresses, readOptions) {
      const answer = await inner.accounts(addresses, readOptions);
      const doubted = new Map(
        answer.accounts.flatMap((account, at) => {
          const address = addresses[at] as Address;
          return isDoubtful(memory.known.get(address), account) ? [[address, account]] : [];
        }),
      );
      if (doubted.size > 0) {
        const asked = [...doubted.keys()];
        const { accounts, isAlone } = await confirm(inner, asked, answer.slot);
        for (const [at, address] of asked.entries()) {
          const said = doubted.get(address) ?? null;
          if (!isSame(said, accounts[at] ?? null)) throw contradicted(address);
          if (isAlone) requireLasting(memory, address, answer.slot);
        }
      }
      answer.accounts.forEach((account, at) => remember(memory, addresses[at] as Address, account));
      return answer;
    },
  }));
}

const contradicted = (address: Address) =>
  new ChainUnavailableError(`What the node says of account ${address} is not confirmed.`, {
    trouble: "wrong_answer",
  });

const isZero = (data: Uint8Array): boolean => data.length > 0 && data.every((byte) => byte === 0);

function isDoubtful(known: Known | undefined, account: Account | null): boolean {
  if (account === null) return known !== "gone";
  if (known === undefined || known === "gone") return isZero(account.data);
  return (
    account.data.length < known.length ||
    account.owner !== known.owner ||
    (isZero(account.data) && !known.isEmpty)
  );
}

function isSame(said: Account | null, confirmed: Account | null): boolean {
  if (said === null || confirmed === null) return said === confirmed;
  return (
    said.owner === confirmed.owner &&
    said.data.length === confirmed.data.length &&
    isZero(said.data) === isZero(confirmed.data)
  );
}

/** A node alone that loses an account it knew is believed once the block it is missing from is final. */
function requireLasting({ known, missedAt }: AccountMemory, address: Address, slot: bigint): void {
  const before = known.get(address);
  if (before === undefined || before === "gone") return;
  const since = missedAt.get(address) ?? slot;
  missedAt.set(address, since);
  if (slot < since + ALONE_SLOTS) throw contradicted(address);
}

function remember({ known, missedAt }: AccountMemory, address: Address, account: Account | null) {
  missedAt.delete(address);
  if (known.size >= MEMORY_SIZE) known.clear();
  known.set(
    address,
    account === null
      ? "gone"
      : { owner: account.owner, length: account.data.length, isEmpty: isZero(account.data) },
  );
}
