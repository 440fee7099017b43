import { describe, expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import { ensureConnected } from "./ensure-connected.ts";
import type { WalletState } from "./wallet-state.ts";

const ADDRESS = "5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn";

function ask(state: Partial<WalletState>, answer: string | null = null) {
  const asked: string[] = [];
  const store = createStore<WalletState>(() => ({
    status: "connected",
    type: "phantom",
    address: ADDRESS,
    available: ["phantom"],
    ...state,
  }));
  const connectSilently = (type: string) => {
    asked.push(type);
    return Promise.resolve(answer);
  };
  return ensureConnected({ store, connectSilently }).then((isThere) => ({ isThere, asked }));
}

describe("ensuring that the wallet is connected", () => {
  it("does not prompt a connected wallet", async () => {
    expect(await ask({})).toEqual({ isThere: true, asked: [] });
  });

  it("tries once to reconnect, without a prompt", async () => {
    const gone = { available: [] };
    expect(await ask(gone, ADDRESS)).toEqual({ isThere: true, asked: ["phantom"] });
    expect(await ask(gone, null)).toEqual({ isThere: false, asked: ["phantom"] });
    expect((await ask({ status: "disconnected" }, ADDRESS)).isThere).toBe(true);
  });

  it("fails when no wallet was chosen", async () => {
    expect(await ask({ status: "disconnected", type: null })).toEqual({
      isThere: false,
      asked: [],
    });
  });
});
