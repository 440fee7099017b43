import { expect, it } from "vitest";
import { WalletError } from "./wallet-error.ts";

it.each([
  ["connection", "Phantom", "Failed to connect to Phantom wallet"],
  ["connection", "Practice wallet", "Failed to connect to Practice wallet"],
  ["disconnection", "Phantom", "Failed to disconnect from Phantom wallet"],
  ["disconnection", "Practice wallet", "Failed to disconnect from Practice wallet"],
] as const)("names a failed %s of %s once", (kind, wallet, message) => {
  expect(new WalletError(kind, wallet).message).toBe(message);
});
