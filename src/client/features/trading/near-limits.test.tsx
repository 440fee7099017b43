import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { NearLimit } from "../../../contract/agent.ts";
import { timesIn } from "../../lib/time-zone.ts";
import ConditionBar, { describeLimit } from "./condition-bar.tsx";

const MINUTE: NearLimit = {
  limit: "orders_a_minute",
  isReached: false,
  used: "5",
  most: "6",
  easesAt: "2026-11-21T12:00:10.000Z",
};
const FAILURES: NearLimit = { limit: "failures", isReached: false, used: "4", most: "5" };
const LOSS: NearLimit = {
  limit: "daily_loss",
  isReached: false,
  used: "7.25",
  most: "10",
  easesAt: "2026-11-22T00:00:00.000Z",
};

const said = (near: NearLimit, zone = "UTC") => {
  const { what, ends } = describeLimit(near, timesIn(zone));
  return `${what} ${ends}`;
};

describe("a limit that is near", () => {
  it.each<[NearLimit, string]>([
    [MINUTE, "1 of 6 orders a minute left. One more is free at 12:00:10."],
    [
      { ...MINUTE, limit: "orders_an_hour", used: "58", most: "60" },
      "2 of 60 orders an hour left. One more is free at 12:00:10.",
    ],
    [
      { ...MINUTE, used: "6", isReached: true },
      "No new entry: all 6 orders a minute are used. One more is free at 12:00:10.",
    ],
    [
      FAILURES,
      "4 of 5 orders in a row failed. After 5 it only closes. " +
        "An order that fills ends the count, and so does turning Auto-Trade off and on.",
    ],
    [
      LOSS,
      "7.25% of the account is lost today. At 10% it only closes. The count starts again at 00:00 UTC.",
    ],
    [
      { ...LOSS, used: "10.5", isReached: true },
      "10.5% of the account is lost today. It only closes now. The count starts again at 00:00 UTC.",
    ],
    [
      { limit: "losses_in_a_row", isReached: true, used: "3", most: "3" },
      "3 of 3 trades in a row lost. It only closes now. Resuming it starts the count anew.",
    ],
  ])("is shown with what ends it (%#)", (near, words) => {
    expect(said(near)).toBe(words);
  });

  it("shows its end in the page's time zone", () => {
    expect(said(LOSS, "Asia/Tokyo")).toMatch(/starts again at 09:00 Asia\/Tokyo\.$/);
  });

  it("is shown in the header, each limit on its own line, without a condition beside it", () => {
    render(
      <ConditionBar
        address=""
        condition={undefined}
        nearLimits={[MINUTE, { ...FAILURES, used: "5", isReached: true }]}
        nodes={null}
        onDetails={() => {}}
      />,
    );
    const lines = screen.getAllByRole("status").map(({ textContent }) => textContent);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^Near a limit1 of 6 orders a minute left\./);
    expect(lines[1]).toMatch(/^Limit reached5 of 5 orders in a row failed\. It only closes now\./);
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("is not repeated where the trading condition already shows it", () => {
    const fall: NearLimit = { limit: "fall", isReached: true, used: "15.2", most: "15" };
    render(
      <ConditionBar
        address=""
        condition={{
          state: "reducing",
          reason: "It fell too far.",
          endsWhen: "It ends when you resume it.",
          canResume: true,
          exits: [],
        }}
        nearLimits={[fall, FAILURES]}
        nodes={null}
        onDetails={() => {}}
      />,
    );
    const lines = screen.getAllByRole("status").map(({ textContent }) => textContent);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/It fell too far/);
    expect(lines[1]).toMatch(/^Near a limit4 of 5 orders in a row failed/);
  });
});
