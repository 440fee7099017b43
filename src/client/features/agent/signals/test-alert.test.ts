import { describe, expect, it } from "vitest";
import { reasonText } from "../../../../domain/reasons.ts";
import { fillTime, sendTestAlert } from "./test-alert-form.tsx";

const answering =
  (status: number, body: unknown, headers: Record<string, string> = {}): typeof fetch =>
  () =>
    Promise.resolve(Response.json(body, { status, headers }));

const NOW = Date.UTC(2026, 10, 22, 12);

describe("fillTime", () => {
  it("fills in the present time as the platform would", () =>
    expect(fillTime('{"timestamp":"{{timenow}}"}', Date.UTC(2026, 10, 21, 7, 30))).toBe(
      '{"timestamp":"2026-11-21T07:30:00.000Z"}',
    ));
});

describe("sendTestAlert", () => {
  it("posts plain text without a session, as the platform does", async () => {
    const calls: { url: unknown; init: RequestInit | undefined }[] = [];
    const post: typeof fetch = (url, init) => {
      calls.push({ url, init });
      return answering(202, { status: "accepted", eventId: "e" })(url);
    };
    await sendTestAlert("/webhook/a", "{}", post, NOW);
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
    [
      202,
      { status: "ignored", reason: "trading_off" },
      true,
      `202 ignored: ${reasonText("trading_off")}`,
    ],
    [
      422,
      { code: "stale_signal", message: "The alert is too old." },
      false,
      "422 refused: The alert is too old.",
    ],
    [500, "not json of ours", false, "500 refused: no reason given"],
  ])("shows %s %j", async (status, body, ok, text) =>
    expect(await sendTestAlert("/webhook/a", "{}", answering(status, body), NOW)).toEqual({
      ok,
      text,
    }),
  );

  describe("with an alert refused for its time", () => {
    const stale = { code: "stale_signal", message: "Too old." };
    const refusedAt = (ms: number) =>
      sendTestAlert(
        "/webhook/a",
        "{}",
        answering(422, stale, { date: new Date(ms).toUTCString() }),
        NOW,
      );
    const MINUTE = 60_000;

    it.each([
      [NOW + 6 * MINUTE, "6 minutes behind"],
      [NOW - MINUTE, "1 minute ahead of"],
      [NOW - 125 * MINUTE, "2 hours ahead of"],
      [NOW + 72 * 60 * MINUTE, "3 days behind"],
    ])("names a clock that is wrong", async (serverMs, gap) =>
      expect((await refusedAt(serverMs)).text).toBe(
        `422 refused: Too old. This device's clock is ${gap} the server's. Set it right, then send again.`,
      ),
    );

    it("does not blame a clock that is right", async () =>
      expect((await refusedAt(NOW - 2_000)).text).toBe("422 refused: Too old."));

    it("does not blame a clock that it cannot compare", async () => {
      const answer = await sendTestAlert("/webhook/a", "{}", answering(422, stale), NOW);
      expect(answer.text).toBe("422 refused: Too old.");
    });
  });

  it("says when no server answered", async () =>
    expect(
      (await sendTestAlert("/webhook/a", "{}", () => Promise.reject(new TypeError("offline")), NOW))
        .ok,
    ).toBe(false));
});
