import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { agentIdOf } from "../../../test/ids.ts";
import { listAlerts } from "../../contract/alerts.ts";
import { getAgentHealth } from "../../contract/agent-health.ts";
import { getAgentByChat, savePrompts } from "../../contract/agents.ts";
import { listChats } from "../../contract/chats.ts";
import { getCustody, getCustodyAccess, getDeletion } from "../../contract/custody.ts";
import { getPerformance } from "../../contract/performance.ts";
import { getPortfolio } from "../../contract/portfolio.ts";
import type { Route } from "../../contract/route.ts";
import { getPosition } from "../../contract/trade.ts";
import { listUserPositions } from "../../contract/wallet-trades.ts";
import { getBalances } from "../../contract/wallet.ts";
import { parseChatId, parseOwner } from "../../domain/ids.ts";
import {
  type Asked,
  read,
  createStaleQueries,
  markChanged,
  markStale,
  ROUND_GAP_MS,
  type StaleMark,
} from "./read.ts";

const owner = parseOwner("So11111111111111111111111111111111111111112");
const other = parseOwner("7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU");
const [id, another] = [agentIdOf("a"), agentIdOf("b")];
const chatId = parseChatId("c".repeat(32));

let asked: string[] = [];
let client: QueryClient;
let stops: (() => void)[] = [];

/** Shows the answer of a call; `asked` names it each time it is read again. */
function show<R extends Route>(name: string, route: R, parts: Asked<R>, of = owner) {
  const query = client.getQueryCache().build(client, {
    ...(read(of, route, parts) as object as { queryKey: readonly unknown[] }),
    queryFn: () => Promise.resolve(asked.push(name)),
  });
  query.setData(0);
  vi.spyOn(query, "isActive").mockReturnValue(true);
}

const ofAgent = (agentId = id) => ({ params: { agentId } });

beforeEach(() => {
  asked = [];
  client = new QueryClient();
  vi.useFakeTimers();
});
afterEach(() => {
  for (const stop of stops) stop();
  stops = [];
  client.clear();
  vi.useRealTimers();
});

describe("markStale", () => {
  it("refetches everything that shows an agent's money when it moved", async () => {
    show("position", getPosition, { query: { agentId: id } });
    show("custody", getCustody, ofAgent());
    show("portfolio", getPortfolio, { params: { walletAddress: owner }, query: { range: "30d" } });
    show("performance", getPerformance, { ...ofAgent(), query: { range: "7d" } });
    const both = ["position", "custody", "portfolio", "performance"];
    show("balances", getBalances, {
      params: { walletAddress: owner },
      query: { network: "practice" },
    });
    show("positions", listUserPositions, { query: { owner } });
    await markStale(client, owner, [{ topic: "custody", id }]);
    expect(asked.toSorted()).toEqual([...both, "balances"].toSorted());
    asked = [];
    await markStale(client, owner, [{ topic: "position", id }]);
    expect(asked.toSorted()).toEqual([...both, "positions"].toSorted());
  });

  it("leaves queries of another agent or wallet alone", async () => {
    show("mine", listAlerts, ofAgent());
    show("another", listAlerts, ofAgent(another));
    show("a stranger's", listAlerts, ofAgent(), other);
    await markStale(client, owner, [{ topic: "agent", id }]);
    expect(asked).toEqual(["mine"]);
  });

  it("refetches for every agent when a notice names none, as after missed notices", async () => {
    show("one", getPosition, { query: { agentId: id } });
    show("two", getPosition, { query: { agentId: another } });
    await markStale(client, owner, [{ topic: "position" }]);
    expect(asked).toEqual(["one", "two"]);
  });
});

describe("markChanged", () => {
  it("refetches what the call's route says it changes", async () => {
    show("chats", listChats, { params: { walletAddress: owner }, query: {} });
    show("agent", getAgentByChat, { params: { chatId } });
    show("alerts", listAlerts, ofAgent());
    show("another's alerts", listAlerts, ofAgent(another));
    await markChanged(client, owner, savePrompts, {
      ...ofAgent(),
      body: { agent: { buyReportPrompt: "", sellReportPrompt: "" } },
    });
    expect(asked).toEqual(["chats", "agent", "alerts"]);
  });
});

describe("createStaleQueries", () => {
  const build = () => {
    const queries = createStaleQueries(client, owner);
    stops.push(queries.stop);
    return queries;
  };
  const chats: StaleMark = { topic: "chats" };

  beforeEach(() => {
    show("chats", listChats, { params: { walletAddress: owner }, query: {} });
  });

  it("refetches at once", async () => {
    build().mark(chats);
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toEqual(["chats"]);
  });

  it("refetches once for many notices, and loses none of them", async () => {
    show("x0", listAlerts, ofAgent());
    show("x1", listAlerts, ofAgent(another));
    const queries = build();
    queries.mark(chats);
    for (let notice = 0; notice < 20; notice += 1) {
      queries.mark(chats);
      queries.mark({ topic: "agent", id: notice % 2 === 0 ? id : another });
    }
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toEqual(["chats"]);
    await vi.advanceTimersByTimeAsync(ROUND_GAP_MS);
    expect(asked).toEqual(["chats", "chats", "x0", "x1"]);
    await vi.advanceTimersByTimeAsync(10 * ROUND_GAP_MS);
    expect(asked).toHaveLength(4);
    queries.mark(chats);
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toHaveLength(5);
  });

  it("refetches once for all queries that show parts of the same data", async () => {
    show("custody", getCustody, ofAgent());
    show("access", getCustodyAccess, ofAgent());
    show("deletion", getDeletion, ofAgent());
    show("health", getAgentHealth, ofAgent());
    const queries = build();
    queries.mark(chats);
    queries.mark({ topic: "custody", id });
    queries.mark({ topic: "position", id });
    await vi.advanceTimersByTimeAsync(10 * ROUND_GAP_MS);
    expect(asked).toEqual(["chats", "chats", "custody", "access", "deletion", "health"]);
  });

  it("refetches nothing once stopped", async () => {
    const queries = build();
    queries.mark(chats);
    queries.mark(chats);
    queries.stop();
    await vi.advanceTimersByTimeAsync(10 * ROUND_GAP_MS);
    expect(asked).toEqual(["chats"]);
  });
});
