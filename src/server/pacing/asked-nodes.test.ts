import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  type AskedMessage,
  type AskedNodes,
  isAskedMessage,
  spendAsked,
  TELL_MS,
  tellAsked,
} from "./asked-nodes.ts";
import type { Asker } from "../../solana/request-budget.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("tells requests of one moment together, and those of the next anew", () => {
  const told: AskedMessage[] = [];
  const add = tellAsked((message) => told.push(message));
  for (const network of ["mainnet", "devnet", "mainnet"] as const) add(network);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(TELL_MS);
  add("devnet");
  vi.advanceTimersByTime(TELL_MS);
  expect(told).toEqual([{ asked: { mainnet: 2, devnet: 1 } }, { asked: { devnet: 1 } }]);
  expect(told.every(isAskedMessage)).toBe(true);
  expect([null, "asked", { up: true }, { asked: null }, { asked: 3 }].some(isAskedMessage)).toBe(
    false,
  );
});

it("counts what is told for each network, and nothing that is no number of requests", () => {
  const spent: [number, Asker][] = [];
  const networks = new Map([
    ["mainnet", { spent: (requests: number, by: Asker) => void spent.push([requests, by]) }],
    ["practice", {}],
  ] as const);
  for (const said of [3, 0, -7, Number.NaN, "8", null, undefined]) {
    spendAsked(networks, { mainnet: said, practice: 5 } as AskedNodes, "pages");
  }
  expect(spent).toEqual([[3, "pages"]]);
});
