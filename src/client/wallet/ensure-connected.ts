import type { WalletSession } from "./wallet-session.ts";

/** Returns whether the wallet can sign; reconnects once without a prompt after a lost connection. */
export async function ensureConnected({
  store,
  connectSilently,
}: Pick<WalletSession, "store" | "connectSilently">): Promise<boolean> {
  const { status, type, available } = store.getState();
  if (type === null) return false;
  if (status === "connected" && available.includes(type)) return true;
  return (await connectSilently(type)) !== null;
}
