import { beforeEach, expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import { parseOwner } from "../../domain/ids.ts";
import { toasts } from "../lib/toast.ts";
import type { WalletState, WalletType } from "../wallet/wallet-state.ts";
import { signInAgain } from "./agent-dialog-host.tsx";

const OWNER = parseOwner("A77ytVV59RYYKW9U97puqc8h5MBUxEKjsSe5zPEDWqFo");
const OTHER = parseOwner("2QBkrpZwN5NyGbMJPKUyBEsfCkwnZgNGAcTUBh6xG5Y5");

/** A wallet that is away, and comes back with that account once it is asked. */
function setUp(comesBackAs: string) {
  const store = createStore<WalletState>(() => ({
    status: "disconnected",
    available: ["practice"],
    type: null,
    address: "",
  }));
  const asked: string[] = [];
  const controller = {
    connect(type: WalletType) {
      asked.push(`connect ${type}`);
      if (comesBackAs !== "") {
        store.setState({ status: "connected", type, address: comesBackAs });
      }
      return Promise.resolve();
    },
    signIn() {
      asked.push("sign in");
      return Promise.resolve(store.getState().address !== "");
    },
  };
  const again = () =>
    signInAgain(controller, { store }, { address: OWNER, walletType: "practice" });
  return { asked, again };
}

beforeEach(() => {
  toasts.setState([], true);
});

it("connects the wallet the form was opened with and signs in", async () => {
  const { asked, again } = setUp(OWNER);
  await expect(again()).resolves.toBe(true);
  expect(asked).toEqual(["connect practice", "sign in"]);
});

it("refuses another wallet and names the form's owner", async () => {
  const { asked, again } = setUp(OTHER);
  await expect(again()).resolves.toBe(false);
  expect(asked).toEqual(["connect practice"]);
  expect(toasts.getState()).toMatchObject([
    {
      title: "Another wallet is connected",
      message: "This form belongs to A77y...WqFo. Switch your wallet back to save it.",
    },
  ]);
});

it("does not sign in when the wallet stays away", async () => {
  const { again } = setUp("");
  await expect(again()).resolves.toBe(false);
});
