import type { AgentHealth } from "../../../contract/agent-health.ts";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { agentIdOf } from "../../../../test/ids.ts";
import { parseOwner } from "../../../domain/ids.ts";
import { replaceFetch } from "../../lib/api.ts";
import { HealthCard } from "./health-card.tsx";
import { timesIn } from "../../lib/time-zone.ts";
import type { LivePrices, Node } from "../../queries/deployment.ts";
import { healthParts, priceParts } from "./health-words.ts";
import { session } from "../../lib/session.ts";

session.setState({
  status: "signed-in",
  address: parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn"),
});

const NOW = Date.parse("2026-11-22T09:00:00.000Z");
const ago = (seconds: number): string => new Date(NOW - seconds * 1_000).toISOString();

const WELL: AgentHealth = {
  at: ago(0),
  isTrading: true,
  awaitsAlerts: true,
  lastAlert: { at: ago(190), outcome: "accepted" },
  candles: { state: "on_time" },
  reconciledAt: ago(40),
  book: { state: "right", checkedAt: ago(45) },
  venue: { id: "drift", isAnswering: true },
  key: "ours",
  stopMissingSince: null,
  unsettled: { orders: 0 },
  fills: { count: 12, p50Ms: 640, p95Ms: 12_400 },
};
const BOT = agentIdOf("a");
const TIMES = timesIn("UTC");

const said = (changes: Partial<AgentHealth>, tone: string) =>
  healthParts({ ...WELL, ...changes }, null, TIMES).flatMap((part) =>
    part.tone === tone ? part.text : [],
  );

function open(answer: () => Response, nodes: readonly Node[] = []) {
  const networks = [{ network: "mainnet", explorerUrl: null, venues: [], nodes }];
  replaceFetch((input) =>
    Promise.resolve(
      (input as string).startsWith("/api/deployment") ? Response.json({ networks }) : answer(),
    ),
  );
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <HealthCard agent={{ id: BOT, network: "mainnet", venue: "drift", marketId: "SOL-PERP" }} />
    </QueryClientProvider>,
  );
  return client;
}

describe("the health line", () => {
  it("describes every part of a healthy agent", () => {
    expect(said({}, "well")).toEqual([
      "Last alert 3 min ago",
      "Checked against the chain 40 s ago",
      "Book equals chain, checked 45 s ago",
      "Candles on time",
      "Drift answers",
      "Key may trade",
      "No order on the way",
      "Alert to fill of the last day: half in 0.6 s, 95 % in 12 s",
    ]);
  });

  it.each<[Partial<AgentHealth>, string]>([
    [{ lastAlert: { at: ago(2 * 86_400), outcome: "accepted" } }, "No alert for 2 d"],
    [{ reconciledAt: ago(301) }, "Not checked against the chain for 5 min"],
    [{ book: { state: "different", since: ago(60) } }, "Book differs from chain for 1 min"],
    [{ book: { state: "right", checkedAt: ago(7_200) } }, "Book not compared with chain for 2 h"],
    [{ candles: { state: "late", since: ago(90) } }, "Candles are late since Nov 22, 08:58"],
    [
      { candles: { state: "missing", reason: "Binance rests." } },
      "No usable candles: Binance rests",
    ],
    [
      { venue: { id: "jupiter", isAnswering: false, since: ago(120) } },
      "Jupiter has not answered since Nov 22, 08:58",
    ],
    ...[true, null].map((isAnswering): [Partial<AgentHealth>, string] => [
      { venue: { id: "jupiter", isAnswering, since: ago(60), reason: "It wants a key." } },
      "Jupiter cannot be traded on since Nov 22, 08:59: It wants a key",
    ]),
    [
      {
        venue: { id: "drift", isAnswering: false, since: ago(60), reason: "The node is behind." },
      },
      "Drift has not answered since Nov 22, 08:59: The node is behind",
    ],
    [{ key: "none" }, "Key may not trade"],
    [{ key: "foreign" }, "Another key may trade"],
    [{ stopMissingSince: ago(90) }, "Position without its plan's stop since Nov 22, 08:58"],
    [{ key: "pending" }, "Set-up not finished"],
    [{ unsettled: { orders: 1, since: ago(60) } }, "1 order without an outcome for 1 min"],
  ])("names the fault first: %j", (changes, words) => {
    expect(said(changes, "fault")).toEqual([words]);
    expect(healthParts({ ...WELL, ...changes }, null, TIMES)[0]?.text).toBe(words);
  });

  it("calls unknown parts unknown", () => {
    const unseen: Partial<AgentHealth> = {
      lastAlert: null,
      candles: { state: "waiting" },
      reconciledAt: null,
      book: { state: "unchecked" },
      venue: { id: "drift", isAnswering: null },
      key: null,
    };
    expect(said(unseen, "unknown")).toEqual([
      "Not checked against the chain yet",
      "Book not compared yet",
      "Conditions wait for the next bar",
      "Drift unknown",
      "Key unknown",
    ]);
  });

  it("reports no fault in parts that an idle agent does not need", () => {
    const resting: Partial<AgentHealth> = {
      isTrading: false,
      lastAlert: { at: ago(3 * 86_400), outcome: "ignored" },
      candles: { state: "resting" },
      key: "none",
      unsettled: { orders: 2, since: ago(20) },
      fills: null,
    };
    expect(said(resting, "fault")).toEqual([]);
    expect(said(resting, "well")).toEqual([
      "Last alert 3 d ago, ignored",
      "Checked against the chain 40 s ago",
      "Book equals chain, checked 45 s ago",
      "Conditions rest while Auto-Trade is off",
      "Drift answers",
      "Key revoked",
      "2 orders on the way",
    ]);
    expect(said({ ...resting, candles: null }, "well")).not.toContain("Candles on time");
  });

  it("shows the time of a single fill unchanged", () => {
    expect(said({ fills: { count: 1, p50Ms: 900, p95Ms: 900 } }, "well")).toContain(
      "Alert to fill of the last day: 0.9 s",
    );
  });

  it("marks a fault not only by colour", async () => {
    open(() => Response.json({ ...WELL, key: "foreign" }));
    const region = await screen.findByRole("region", { name: "Health" });
    const [first, second] = await within(region).findAllByRole("listitem");
    expect(within(first as HTMLElement).getByLabelText("Wrong:")).toBeTruthy();
    expect(first?.textContent).toBe("Another key may trade");
    expect(second?.textContent).toBe("Last alert 3 min ago");
  });

  it("marks old figures when the refresh failed", async () => {
    let isDown = false;
    const client = open(() => Response.json(isDown ? {} : WELL, { status: isDown ? 500 : 200 }));
    await screen.findByText("Drift answers");
    expect(screen.queryByText(/Unavailable since/)).toBeNull();
    isDown = true;
    await client.invalidateQueries();
    expect(await screen.findByText(/^Unavailable since \d\d:\d\d\./)).toBeTruthy();
  });

  it("names a node's fault before what is well", async () => {
    const since = ago(600);
    open(
      () => Response.json(WELL),
      [
        { name: "Node 1", isUsed: false, trouble: { kind: "unreachable", since } },
        { name: "Node 2", isUsed: true, trouble: null },
      ],
    );
    const fault = await screen.findByText(/^Node 1 has not answered since/);
    expect(within(fault).getByLabelText("Wrong:")).toBeTruthy();
    expect(screen.getAllByRole("listitem")[0]).toBe(fault);
  });

  it("says when it could not be read", async () => {
    open(() => Response.json({}, { status: 500 }));
    expect((await screen.findByRole("alert")).textContent).toContain("Health could not be read.");
  });
});

describe("the words for live prices", () => {
  const asset = (name: string, changes: Partial<LivePrices["assets"][number]> = {}) => ({
    asset: name,
    price: "129.5",
    at: ago(0),
    sources: 3,
    isConfirmed: true,
    missing: null,
    ...changes,
  });
  const texts = (prices: LivePrices, of?: string) =>
    priceParts(prices, of, TIMES).map(({ text }) => text);

  it("are none while every source gives every price", () => {
    expect(texts({ assets: [asset("SOL")], sources: [{ name: "Pyth", trouble: null }] })).toEqual(
      [],
    );
  });

  it("say since when an asset has none and what is wrong with the sources, of the asset alone", () => {
    const since = "2026-11-22T07:02:00.000Z";
    const text = "Bybit refuses this country";
    const trouble = { kind: "country" as const, text, since, assets: ["SOL"] };
    const prices: LivePrices = {
      assets: [
        asset("SOL", { at: since, missing: "stale" }),
        asset("BTC", { sources: 1, isConfirmed: false }),
      ],
      sources: [{ name: "Bybit", trouble }],
    };
    expect(texts(prices, "SOL")).toEqual([
      `No prices of SOL since ${TIMES.short(since)}: nothing fills and exits wait`,
      `Bybit refuses this country since ${TIMES.short(since)}`,
    ]);
    expect(texts(prices, "BTC")).toEqual(["BTC has one price source alone"]);
    expect(texts(prices)).toHaveLength(3);
  });

  it("say why prices that arrive are not taken", () => {
    const of = (changes: Partial<LivePrices["assets"][number]>) =>
      texts({ assets: [asset("SOL", changes)], sources: [] })[0];
    expect(of({ at: null, missing: "stale" })).toMatch(/^No price of SOL yet: /);
    expect(of({ missing: "apart" })).toMatch(/, because its sources disagree: /);
    expect(of({ missing: "unconfirmed" })).toMatch(/, because one source alone is not believed: /);
  });
});
