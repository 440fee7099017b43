import * as z from "zod/mini";
import { encode } from "../../contract/codec.ts";
import { chatId, ownerAddress } from "../../contract/fields.ts";

/** Entry of local storage: validated when read, dropped when invalid; never throws. */
export interface Stored<T> {
  read(): T | null;
  write(value: T): void;
  remove(): void;
}

function quietly<T>(act: () => T, otherwise: T): T {
  try {
    return act();
  } catch {
    return otherwise;
  }
}

/** Returns whether the browser denies local storage, as in private windows or by its settings. */
export function isStorageRefused(storage: () => Storage = () => localStorage): boolean {
  return quietly(() => {
    storage().setItem("storage-probe", "");
    storage().removeItem("storage-probe");
    return false;
  }, true);
}

/** Returns the names of all entries; none where the browser denies the storage. */
export const storedNames = (storage: () => Storage = () => localStorage): readonly string[] =>
  quietly(() => {
    const entries = storage();
    return Array.from({ length: entries.length }, (_, at) => entries.key(at) ?? "");
  }, []);

/** An entry kept as plain text under a name other tools may read, for instance `jwt_token`. */
export function storedText(
  key: string,
  storage: () => Storage = () => localStorage,
): Stored<string> {
  return {
    read: () => quietly(() => storage().getItem(key), null),
    write: (value) => quietly(() => storage().setItem(key, value), undefined),
    remove: () => quietly(() => storage().removeItem(key), undefined),
  };
}

/** An entry kept as JSON with a version; another version or another shape reads as absent. */
export function storedValue<S extends z.core.$ZodType>(
  key: string,
  version: number,
  schema: S,
): Stored<z.infer<S>> {
  const text = storedText(key);
  const envelope = z.object({ version: z.literal(version), value: z.unknown() });
  return {
    read() {
      const raw = text.read();
      if (raw === null) return null;
      const parsed = envelope.safeParse(quietly<unknown>(() => JSON.parse(raw), null));
      const value = z.safeParse(schema, parsed.data?.value);
      if (value.success) return value.data;
      text.remove();
      return null;
    },
    write: (value) => text.write(JSON.stringify({ version, value: encode(schema, value) })),
    remove: text.remove,
  };
}

/** Local storage entries under one prefix, one key per id, so that tabs do not overwrite each other's writes. */
export interface StoredEntries<T> {
  /** Every entry by its id. */
  read(): ReadonlyMap<string, T>;
  write(id: string, value: T): void;
  remove(id: string): void;
  /** Returns the id of the entry a key of local storage belongs to; null for any other key. */
  idOf(key: string): string | null;
}

/** Creates entries that are stored like `storedValue`. */
export function storedEntries<S extends z.core.$ZodType>(
  name: string,
  version: number,
  schema: S,
): StoredEntries<z.infer<S>> {
  const prefix = `${name}/`;
  const entryOf = (id: string) => storedValue(`${prefix}${id}`, version, schema);
  const idOf = (key: string) => (key.startsWith(prefix) ? key.slice(prefix.length) : null);
  return {
    read() {
      const ids = storedNames().flatMap((key) => idOf(key) ?? []);
      return new Map(
        ids.flatMap((id) => {
          const value = entryOf(id).read();
          return value === null ? [] : [[id, value] as const];
        }),
      );
    },
    write: (id, value) => entryOf(id).write(value),
    remove: (id) => entryOf(id).remove(),
    idOf,
  };
}

/** Bearer token of our server, 10 minutes. */
export const storedToken = storedText("jwt_token");

/** Name of the user's key at OpenAI, in local or session storage. Never sent to our server. */
export const AI_KEY_NAME = "openai_api_key";

/** Name of the key of any other provider, before its origin. */
export const AI_KEY_PREFIX = "ai_api_key/";

/** Deletes the keys of all providers from local and session storage. */
export function forgetAiKeys(): void {
  for (const storage of [() => sessionStorage, () => localStorage]) {
    for (const name of storedNames(storage)) {
      if (name === AI_KEY_NAME || name.startsWith(AI_KEY_PREFIX))
        storedText(name, storage).remove();
    }
  }
}

/** Shortened address of the connected wallet. */
export const storedWalletDisplay = storedText("wallet_display");

/** Wallet to reconnect to; no other data of the wallet is stored. */
export const storedWallet = storedValue(
  "wallet-storage",
  1,
  z.object({ walletType: z.string(), walletAddress: z.string() }),
);

export const storedTheme = storedText("theme");

/** Time zone of all times shown; absent means the device's. */
export const storedTimeZone = storedText("time-zone");

/** Network of new agents, where the deployment offers several with play money. */
export const storedNetwork = storedText("network");

/** Panel sizes in percent by panel id, per layout. */
export const storedLayout = storedValue(
  "panel-layout",
  1,
  z.record(z.string(), z.number().check(z.minimum(0), z.maximum(100))),
);

/** Workspace tab shown last. */
export const storedTab = storedText("workspace-tab");

/** Chat shown last, with its wallet. */
export const storedChat = storedValue(
  "workspace-chat",
  1,
  z.object({ owner: ownerAddress, chatId }),
);
