import type { WalletSession } from "./wallet-session.ts";

/** Says whether the wallet can be asked to sign, connecting once more without a prompt when it went away. */
export async function ensureConnected({
  store,
  connectSilently,
}: Pick<WalletSession, "store" | "connectSilently">): Promise<boolean> {
  const { status, type, available } = store.getState();
  if (type === null) return false;
  if (status === "connected" && available.includes(type)) return true;
  return (await connectSilently(type)) !== null;
}
