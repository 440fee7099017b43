import { describe, expect, it } from "vitest";
import { fillTime, sendTestAlert } from "./test-alert.ts";

const answering =
  (status: number, body: unknown): typeof fetch =>
  () =>
    Promise.resolve(Response.json(body, { status }));

describe("fillTime", () => {
  it("puts the present time where the platform would", () =>
    expect(fillTime('{"timestamp":"{{timenow}}"}', Date.UTC(2026, 10, 21, 7, 30))).toBe(
      '{"timestamp":"2026-11-21T07:30:00.000Z"}',
    ));
});

describe("sendTestAlert", () => {
  it("posts plain text without a session, as the platform does", async () => {
    const calls: { url: unknown; init: RequestInit | undefined }[] = [];
    await sendTestAlert("/webhook/a", "{}", (url, init) => {
      calls.push({ url, init });
      return answering(202, { status: "accepted", eventId: "e" })(url);
    });
    expect(calls).toMatchObject([
      { url: "/webhook/a", init: { method: "POST", credentials: "omit", body: "{}" } },
    ]);
    expect(new Headers(calls[0]?.init?.headers).has("authorization")).toBe(false);
  });

  it.each([
    [202, { status: "accepted", eventId: "e" }, true, "202 accepted"],
    [
      200,
      { status: "duplicate", eventId: "e" },
      true,
      "200 duplicate: this alert had already arrived",
    ],
    [202, { status: "ignored", reason: "trading_off" }, true, "202 ignored: trading_off"],
    [
      422,
      { code: "stale_signal", message: "The alert is too old." },
      false,
      "422 refused: The alert is too old.",
    ],
    [500, "not json of ours", false, "500 refused: no reason given"],
  ])("shows %s %j", async (status, body, ok, text) =>
    expect(await sendTestAlert("/webhook/a", "{}", answering(status, body))).toEqual({ ok, text }),
  );

  it("says when nothing answered", async () =>
    expect(
      (await sendTestAlert("/webhook/a", "{}", () => Promise.reject(new TypeError("offline")))).ok,
    ).toBe(false));
});
