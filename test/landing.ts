import type { Address, Signature } from "@solana/kit";
import type { Chain, TransactionOutcome } from "../src/solana/chain.ts";
import { decodeLookupTable } from "../src/solana/programs/address-lookup-table.ts";
import { TOKEN_PROGRAM, tokenAccountCodec } from "../src/solana/programs/token.ts";
import { readWire } from "../src/solana/wire.ts";

/** Balance of an account in lamports and, for a token account, in its token. */
export interface Balance {
  readonly lamports: bigint;
  readonly token: {
    readonly mint: Address;
    readonly owner: Address;
    readonly amount: bigint;
  } | null;
}

/** A landed transaction as a node reports it. */
export interface Landing {
  readonly outcome: TransactionOutcome;
  readonly keys: AccountKeys;
  readonly before: ReadonlyMap<Address, Balance>;
  readonly after: ReadonlyMap<Address, Balance>;
}

export interface AccountKeys {
  readonly fixed: readonly Address[];
  readonly writable: readonly Address[];
  readonly readonly: readonly Address[];
}

interface Held {
  readonly lamports: bigint;
  readonly owner: Address;
  readonly data: Uint8Array;
}

export function balanceOf(account: Held | null): Balance {
  if (account === null) return { lamports: 0n, token: null };
  const { lamports, owner, data } = account;
  if (owner !== TOKEN_PROGRAM || data.length !== 165) return { lamports, token: null };
  const { mint, owner: holder, amount } = tokenAccountCodec.decode(data);
  return { lamports, token: { mint, owner: holder, amount } };
}

export const allKeys = ({ fixed, writable, readonly }: AccountKeys): readonly Address[] => [
  ...fixed,
  ...writable,
  ...readonly,
];

/** Returns the accounts a transaction names, those of its lookup tables resolved with `tableData`. */
export async function keysOf(
  wire: Uint8Array,
  tableData: (table: Address) => Promise<Uint8Array | null>,
): Promise<AccountKeys> {
  const { message } = readWire(wire);
  const lookups = "addressTableLookups" in message ? (message.addressTableLookups ?? []) : [];
  const [writable, readonly]: [Address[], Address[]] = [[], []];
  for (const lookup of lookups) {
    const data = await tableData(lookup.lookupTableAddress);
    const addresses = (data === null ? null : decodeLookupTable(data))?.addresses ?? [];
    const at = (index: number) => addresses[index] ?? [];
    writable.push(...lookup.writableIndexes.flatMap(at));
    readonly.push(...lookup.readonlyIndexes.flatMap(at));
  }
  return { fixed: message.staticAccounts, writable, readonly };
}

/**
 * Returns a landed transaction of a chain that keeps only changes: present balances are taken as the balances after it.
 *
 * `sent` are the transaction's bytes, if they were sent through this server.
 */
export async function landingOf(
  chain: Chain,
  signature: Signature,
  sent: Uint8Array | undefined,
): Promise<Landing | null> {
  const outcome = await chain.transaction(signature);
  if (outcome === null) return null;
  const changed = [
    ...outcome.lamportDeltas.keys(),
    ...outcome.tokenDeltas.map(({ account }) => account),
  ];
  const keys =
    sent === undefined
      ? { fixed: [...new Set(changed)], writable: [], readonly: [] }
      : await keysOf(
          sent,
          async (table) => (await chain.accounts([table])).accounts[0]?.data ?? null,
        );
  const addresses = allKeys(keys);
  const { accounts } = await chain.accounts(addresses);
  const after = new Map(addresses.map((key, at) => [key, balanceOf(accounts[at] ?? null)]));
  for (const { account, mint, owner } of outcome.tokenDeltas) {
    const balance = after.get(account);
    // Closed since: it ended with nothing
    if (balance?.token === null)
      after.set(account, { ...balance, token: { mint, owner, amount: 0n } });
  }
  const before = new Map(
    [...after].map(([key, { lamports, token }]) => {
      const moved = outcome.tokenDeltas.find(({ account }) => account === key)?.delta ?? 0n;
      return [
        key,
        {
          lamports: lamports - (outcome.lamportDeltas.get(key) ?? 0n),
          token: token && { ...token, amount: token.amount - moved },
        },
      ];
    }),
  );
  return { outcome, keys, before, after };
}
