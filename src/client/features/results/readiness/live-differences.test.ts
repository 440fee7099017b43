import { describe, expect, it } from "vitest";
import { buildAgent } from "../../../../../test/shown-agent.ts";
import type { Deployment } from "../../../queries/deployment.ts";
import { liveChoices, liveDifferences } from "./readiness-card.tsx";

type Offered = Deployment["networks"][number];

const offer = (
  network: Offered["network"],
  venues: readonly Offered["venues"][number]["venue"][],
): Offered => ({
  network,
  explorerUrl: null,
  nodes: [],
  venues: venues.map((venue) => ({
    venue,
    status: "available",
    quoteSymbol: "USDC",
    quoteDecimals: 6,
  })),
});

describe("the networks an agent can go live on", () => {
  it("are the real ones, each with what stands in the way", () => {
    const networks = [
      offer("paper", ["drift", "jupiter"]),
      offer("devnet", ["jupiter"]),
      offer("mainnet", ["drift", "jupiter"]),
    ];
    expect(liveChoices(buildAgent(), networks)).toEqual([
      { network: "devnet", obstacle: "Drift is not offered there." },
      { network: "mainnet", obstacle: null },
    ]);
    expect(liveChoices(buildAgent({ marketId: "NONE-PERP" }), networks)[1]?.obstacle).toBe(
      "Drift does not trade NONE-PERP.",
    );
    expect(liveChoices(buildAgent(), [offer("practice", ["drift"])])).toEqual([]);
  });
});

describe("what differs with real money", () => {
  const differences = (changes: object = {}) =>
    liveDifferences(buildAgent(changes), offer("mainnet", ["drift", "jupiter"]));

  it("is a tenth of size and loss, whatever was larger before", () => {
    expect(differences()).toEqual(
      expect.arrayContaining([
        "Position size 10% instead of 100%.",
        "Largest loss a day 10%, where none was set.",
      ]),
    );
    const careful = { positionSizePercent: 4, limits: { dayLossBps: 300 } };
    expect(differences(careful)).toEqual(
      expect.arrayContaining([
        "Position size 4% instead of 4%.",
        "Largest loss a day 3%, before 3%.",
      ]),
    );
  });

  it("names a spot venue's missing shorts and limits, and a plan that is only watched", () => {
    const spot = differences({ venue: "jupiter", marketId: "SOL" }).join(" ");
    expect(spot).toContain("spot only: no short position");
    expect(spot).toContain("daily limits, which your wallet approves");
    expect(differences().join(" ")).not.toContain("no short position");
    const plan = { stop: { at: { kind: "percent", bps: 500 } } };
    expect(differences({ plan }).join(" ")).toContain("no stop rests at the venue");
    expect(differences().join(" ")).not.toContain("rests at the venue");
  });

  it("says which prices it knew, and whether the venue is paused there", () => {
    expect(differences({ network: "practice" }).join(" ")).toContain("made its prices up");
    expect(differences({ network: "paper" }).join(" ")).toContain("live prices");
    const paused = offer("mainnet", ["drift"]);
    const [venue] = paused.venues;
    const closed = {
      ...paused,
      venues: [{ ...venue!, status: "paused" as const, reason: "Hacked" }],
    };
    expect(liveDifferences(buildAgent(), closed).join(" ")).toContain("paused there now: Hacked");
  });
});
