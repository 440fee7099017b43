import { expect, it } from "vitest";
import { whenReachable } from "./open-database-host.ts";

/** Works against a database that answers after some time; returns how it went. */
async function waitFor(upAfterMs: number, code = "ECONNREFUSED") {
  let nowMs = 5_000;
  const said: unknown[] = [];
  const upAtMs = nowMs + upAfterMs;
  const work = async () => {
    if (nowMs < upAtMs) throw Object.assign(new Error("away"), { code });
    return "done";
  };
  const result = await whenReachable(work, {
    monotonicMs: () => nowMs,
    sleep: async (ms) => void (nowMs += ms),
    onWait: (error) => said.push((error as { code: string }).code),
  }).catch((error: unknown) => (error as Error).message);
  return { result, said, tookMs: nowMs - 5_000 };
}

it("does not wait for a database that answers", async () => {
  expect(await waitFor(0)).toEqual({ result: "done", said: [], tookMs: 0 });
});

it.each(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "57P03"])(
  "waits for a database that starts later, seen as %s, and says so once",
  async (code) => {
    expect(await waitFor(59_000, code)).toEqual({ result: "done", said: [code], tookMs: 59_000 });
  },
);

it("gives up after a minute", async () => {
  expect(await waitFor(61_000)).toEqual({
    result: "away",
    said: ["ECONNREFUSED"],
    tookMs: 60_000,
  });
});

it("does not wait on permanent errors", async () => {
  expect(await waitFor(1_000, "28P01")).toEqual({ result: "away", said: [], tookMs: 0 });
});
