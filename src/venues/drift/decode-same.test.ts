import type { Address } from "@solana/kit";
import { expect, it } from "vitest";
import { stateLayout } from "./layout-state.ts";
import { userLayout } from "./layout-user.ts";
import { decodeSame } from "./owned-account.ts";

const at = (n: number) => `account ${n}` as Address;
const user = userLayout.encode({ ...userLayout.zero(), subAccountId: 7 });

it("decodes the same bytes of an account once, and other bytes anew", () => {
  const first = decodeSame(userLayout, at(1), user);
  expect(decodeSame(userLayout, at(1), user.slice())).toBe(first);
  // The bytes may be written to afterwards
  const changed = user.slice();
  for (const index of [8, 2_000, user.length - 1]) {
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(decodeSame(userLayout, at(1), changed)).toEqual(userLayout.decode(changed));
  }
  expect(decodeSame(userLayout, at(1), user)).toEqual(first);
  expect(decodeSame(userLayout, at(1), Uint8Array.from([...user, 0]))).toEqual(first);
});

it("keeps accounts and layouts apart", () => {
  const state = stateLayout.encode(stateLayout.zero());
  decodeSame(userLayout, at(2), user);
  expect(decodeSame(stateLayout, at(3), state)).toEqual(stateLayout.decode(state));
  expect(decodeSame(userLayout, at(2), user)).toEqual(userLayout.decode(user));
  expect(() => decodeSame(stateLayout, at(2), user)).toThrow("another discriminator");
});

it("forgets the account that was read longest ago", () => {
  const first = decodeSame(userLayout, at(10), user);
  const second = decodeSame(userLayout, at(11), user);
  for (let n = 12; n < 110; n += 1) {
    decodeSame(userLayout, at(n), user);
    decodeSame(userLayout, at(10), user);
  }
  decodeSame(userLayout, at(200), user);
  expect(decodeSame(userLayout, at(10), user)).toBe(first);
  expect(decodeSame(userLayout, at(11), user)).not.toBe(second);
});
