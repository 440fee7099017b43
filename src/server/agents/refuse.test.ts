import { expect, it } from "vitest";
import { AppError } from "../../contract/errors.ts";
import { VENUE_PROFILES } from "../../venues/profiles.ts";
import { validateAgentFields } from "../../domain/agent-validation.ts";
import { networkFor, refusalOf } from "./agent-changes.ts";
import type { Networks } from "../networks.ts";
import * as z from "zod/mini";
import { saveAgent } from "../../contract/save-agent.ts";

const SENT = {
  agentName: "Agent ** SOL-1h",
  assetPair: "SOL-PERP",
  interval: "1h",
  venue: "drift",
  slippageTolerance: "0.5",
} as const;

function refusedField(changes: Partial<Record<keyof typeof SENT, string>>): string | undefined {
  const { agent } = z.parse(saveAgent.body, { agent: { ...SENT, ...changes } });
  const checked = validateAgentFields(agent, VENUE_PROFILES);
  if (checked.ok) return undefined;
  const refusal = refusalOf(checked);
  expect(refusal).toBeInstanceOf(AppError);
  return Object.keys(refusal.fields ?? {})[0];
}

it.each([
  [{}, undefined],
  [{ assetPair: "" }, "agent.assetPair"],
  [{ assetPair: "DOGE2-PERP" }, "agent.assetPair"],
  [{ agentName: " " }, "agent.agentName"],
  [{ slippageTolerance: "5.01" }, "agent.slippageTolerance"],
  [{ interval: "1m" }, "agent.interval"],
])("names a refused field as it was sent: %o", (changes, field) => {
  expect(refusedField(changes)).toBe(field);
});

it.each(["mainnet", "paper", "practice"] as const)(
  "takes a stock where it has a price: %s",
  (network) => {
    const { agent } = z.parse(saveAgent.body, {
      agent: { ...SENT, venue: "jupiter", assetPair: "TSLAx" },
    });
    const checked = validateAgentFields(agent, VENUE_PROFILES);
    if (!checked.ok) throw new Error(checked.reason);
    const offered = new Map([
      [network, { network, venues: new Map([["jupiter", {}]]) }],
    ]) as unknown as Networks;
    const choose = () => networkFor(offered, network, checked.value);
    if (network === "practice") expect(choose()).toBe("practice");
    else expect(choose).toThrow("no price on this network");
  },
);
