import * as z from "zod/mini";
import { createApi } from "./create-api.ts";
import { withLock } from "./locks.ts";
import { storedToken } from "./stored.ts";

// Compiled parsers need eval, which the page's policy forbids
z.config({ jitless: true });

let transport: typeof fetch = (...request) => globalThis.fetch(...request);
const signedOutListeners = new Set<() => void>();

/** Replaces the fetch implementation in tests. */
export function replaceFetch(replacement: typeof fetch): void {
  transport = replacement;
}

/** Registers a listener for a session that ended and cannot be renewed. */
export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

let confirmWith: (message: string) => Promise<string> = () =>
  Promise.reject(new Error("No wallet is there to confirm with"));

/** Registers the handler that has the wallet sign a server's confirmation; it returns the base58 signature. */
export function onConfirmation(confirm: (message: string) => Promise<string>): void {
  confirmWith = confirm;
}

const api = createApi({
  fetch: (...request) => transport(...request),
  now: () => Date.now(),
  readToken: storedToken.read,
  writeToken: storedToken.write,
  removeToken: storedToken.remove,
  exclusively: (task) => withLock("wheelhouse-session", task),
  confirm: (message) => confirmWith(message),
  onSignedOut: () => signedOutListeners.forEach((listener) => listener()),
});

/** `call(ROUTES.listChats, { params: { walletAddress } })`: one call of the contract, typed both ways. */
export const call = api.call;
export const fetchFile = api.fetchFile;
export const authorizedFetch = api.authorizedFetch;
export const refreshSession = api.refresh;

/** Fetch without a bearer header, for public addresses. */
export const plainFetch: typeof fetch = (...request) => transport(...request);
