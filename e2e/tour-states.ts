import { expect, type Page } from "@playwright/test";
import type * as z from "zod/mini";
import type { agent as agentCodec } from "../src/contract/agent.ts";
import { changeAnswers } from "./changed-answers.ts";
import type { Look } from "./look.ts";
import { approveInWallet } from "./page.ts";

const CONVERSATION = [
  ["user", "When would a breakout strategy on SOL have lost money this month?"],
  [
    "ai",
    "## Two ways\n\nA breakout loses when price comes **straight back**:\n\n1. A spike at the open, gone within the hour\n2. A level that many watch, so that stops lie *behind* it\n\n> Wait for a close beyond the level.\n\n| Day | Breakout | Result |\n|---|---|---|\n| 3 Nov | 171.20 | −2.1 % |\n| 12 Nov | 158.40 | +4.8 % |\n\n```pine\nbreakout = ta.crossover(close, ta.highest(high, 20)[1])\n```\n\nMore in [the manual](https://example.com/manual).",
  ],
  ["user", "Write me the agent."],
  [
    "ai",
    'Here it is.\n\n```wheelhouse-agent\n{"asset":"SOL","alerts":[{"name":"breakout"},{"name":"exit"}],"rules":[{"action":"OPEN_LONG","conditions":[{"alert":"breakout","times":2}]},{"action":"CLOSE_LONG","conditions":[{"alert":"exit","times":1}]}]}\n```\n\nCheck it before you save.',
  ],
] as const;

/** Puts a question and an answer into the chat on screen, as the page would after asking the user's own provider. */
export async function recordConversation(page: Page): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem("jwt_token"));
  const chatId = /\/chat\/([0-9a-f]{32})/.exec(page.url())?.[1] ?? "";
  for (const [index, [type, content]] of CONVERSATION.entries()) {
    const answer = await page.request.post(
      new URL(`/api/chats/${chatId}/messages`, page.url()).href,
      {
        headers: { authorization: `Bearer ${token}` },
        data: {
          _id: String(index).padStart(32, "c"),
          type,
          content,
          timestamp: new Date(Date.UTC(2026, 10, 21, 9, index)).toISOString(),
        },
      },
    );
    expect(answer.status()).toBe(201);
  }
}

/** Path of calls that report a transaction's state. */
const SENT = /\/api\/tx\/[0-9a-f]+(\/(signed|sent))?$/;

/** Shows a slow deposit, followed, closed and reopened from the header, and a failed one. */
export async function lookAtApproval(page: Page, look: Look): Promise<void> {
  const dialog = page.getByRole("dialog");
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
  let id = "";
  const sendNormally = await changeAnswers(page, SENT, (sent: { readonly id: string }) => {
    id = sent.id;
    return { ...sent, state: "sent" };
  });
  const closeNormally = await changeAnswers(page, "**/api/agents/*/custody", (custody) => ({
    ...custody,
    openTransactionId: id === "" ? null : id,
  }));
  await page.getByLabel("USDC amount").fill("10");
  await button("Deposit").click();
  await button("Approve in Practice wallet").click();
  await approveInWallet(page);
  const pill = page.getByRole("banner").getByRole("button", { name: /^Deposit USDC - / });
  const takeUp = async () => {
    const followed = dialog.getByText(/Confirming on chain|Sent. Waiting/);
    // Nothing is clickable until one of the two appears
    await expect(followed.or(pill).first()).toBeVisible();
    if (!(await followed.isVisible())) await pill.click();
    await expect(followed).toBeVisible();
  };
  await takeUp();
  await look("44-confirming", { again: takeUp });
  await takeUp();
  await page.keyboard.press("Escape");
  await expect(pill).toBeVisible();
  await look("45-approval-pill");
  await takeUp();
  await sendNormally();
  await closeNormally();
  await expect(dialog).toHaveCount(0);
  await expect(pill).toHaveCount(0);

  await page.route("**/api/tx/prepare", (route) =>
    route.fulfill({
      status: 503,
      json: {
        code: "unavailable",
        message: "Temporarily unavailable. Try again in a moment.",
        requestId: "x",
      },
    }),
  );
  const fail = async () => {
    if (!(await dialog.isVisible())) {
      await page.getByLabel("USDC amount").fill("10");
      await button("Deposit").click();
    }
    await expect(dialog.getByText("Deposit failed")).toBeVisible();
  };
  await fail();
  await look("46-deposit-failed", { again: fail });
  await page.unroute("**/api/tx/prepare");
  if (await dialog.isVisible()) await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
}

/** Shows the screens while the server is slow and when it fails. */
export async function lookAtFaults(page: Page, look: Look): Promise<void> {
  const chat = page.url().replace(/\?.*/, "");
  await page.route("**/api/logs/**", (route) => route.abort());
  await page.route("**/api/candles*", (route) => route.abort());
  await page.route("**/api/trade/**", (route) => route.abort());
  await page.route("**/api/chats/*/messages", (route) => route.abort());
  await page.goto(`${chat}?tab=charts`);
  const showSample = () =>
    expect(page.getByText("Sample data - not market prices").first()).toBeVisible();
  await showSample();
  await expect(page.getByText("The messages could not be loaded")).toBeAttached();
  await look("47-sample-data", { again: showSample });
  await page.goto(`${chat}?tab=trade-log`);
  const showUnread = () =>
    expect(page.getByText("The trade log could not be loaded")).toBeVisible();
  await showUnread();
  await look("47-log-failed", { again: showUnread });
  await look("47-chat-failed", { phonePage: "Chat" });
  await page.unroute("**/api/logs/**");
  await page.route("**/api/logs/**", () => {});
  await page.goto(`${chat}?tab=trade-log`);
  await expect(page.getByText("Loading trades...")).toBeVisible();
  await look("47-log-loading");
  for (const path of ["logs/**", "candles*", "trade/**", "chats/*/messages"]) {
    await page.unroute(`**/api/${path}`);
  }
  await page.goto(`${chat}?tab=manage-funds`);
  await expect(page.getByText("Current Holdings:")).toBeVisible();
}

const CONDITION = {
  state: "halted",
  reason: "The operator stopped all trading on this server.",
  since: "2026-11-21T09:00:00.000Z",
  endsWhen: "It ends when the operator allows trading again. Then closing goes on by itself.",
  exits: [
    {
      market: "SOL-PERP",
      side: "long",
      askedAt: "2026-11-21T09:00:00.000Z",
      askedBy: "owner",
      attempts: 3,
      nextAttemptAt: "2026-11-21T09:05:30.000Z",
      lastReason: "The venue's price is too old to trade on.",
      limitPercent: "1.5",
    },
  ],
};

const NEAR_LIMITS = [
  {
    limit: "orders_a_minute",
    isReached: true,
    used: "6",
    most: "6",
    easesAt: "2026-11-21T09:05:30.000Z",
  },
  { limit: "failures", isReached: false, used: "4", most: "5" },
  {
    limit: "daily_loss",
    isReached: false,
    used: "7.25",
    most: "10",
    easesAt: "2026-11-22T00:00:00.000Z",
  },
];

const NODES = [
  {
    name: "Node 1",
    isUsed: false,
    trouble: { kind: "limited", since: "2026-11-21T09:00:00.000Z" },
  },
  { name: "Node 2", isUsed: true, trouble: null },
];

interface Deployment {
  readonly networks: readonly object[];
}

const changeAgents = (
  page: Page,
  facts: object | ((agent: z.input<typeof agentCodec>) => object),
) =>
  changeAnswers(
    page,
    "**/api/chats/wallet/*/agents",
    (chats: readonly { readonly agent?: z.input<typeof agentCodec> }[]) =>
      chats.map(({ agent, ...chat }) => {
        if (agent === undefined) return chat;
        const changed = typeof facts === "function" ? facts(agent) : facts;
        return { ...chat, agent: { ...agent, ...changed } };
      }),
  );

const POWER = {
  at: "2026-11-21T09:00:00.000Z",
  text: "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin may move tokens out of the vault: 7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj.",
};

/** Shows the funds of agents with an unfinished deletion and an unfinished set-up changed from outside. */
export async function lookAtHalfDone(page: Page, look: Look): Promise<void> {
  const keepNormally = await changeAgents(page, ({ squadsMultisig }) => ({
    tradingStatus: "off",
    squadsMultisig: squadsMultisig && { ...squadsMultisig, status: "deleting" },
  }));
  await page.reload();
  await expect(page.getByText(/goes on from where it was left/)).toBeVisible();
  await look("48-being-deleted");
  await keepNormally();

  const setUpNormally = await changeAgents(page, ({ squadsMultisig }) => ({
    number: undefined,
    squadsMultisig: squadsMultisig && {
      ...squadsMultisig,
      venueConfig: { ...squadsMultisig.venueConfig, delegated: false },
    },
  }));
  const readNormally = await changeAnswers(page, "**/custody/access", (access) => ({
    ...access,
    delegateState: "pending",
    delegateOnChain: null,
    notices: [POWER],
  }));
  await page.reload();
  await expect(page.getByText("Set-up is not finished")).toBeVisible();
  await expect(page.getByText("Changed outside Wheelhouse")).toBeVisible();
  await look("48-set-up-not-finished");
  await setUpNormally();
  await readNormally();
  await page.reload();
}

/** Shows the header of an agent close to several limits. */
export async function lookAtNearLimits(page: Page, look: Look): Promise<void> {
  const tradeNormally = await changeAgents(page, { nearLimits: NEAR_LIMITS });
  await page.reload();
  await expect(page.getByRole("banner").getByText(/^7\.25% of the account/)).toBeVisible();
  await look("48-near-limits");
  await tradeNormally();
  await page.reload();
}

/** Shows the header of an agent whose trading key may be stolen. */
export async function lookAtStolenKey(page: Page, look: Look): Promise<void> {
  const trading = {
    state: "reducing",
    mayBeStolen: true,
    reason:
      "This agent's money was traded with in a transaction that was not made here. If it was not you, its trading key is stolen: revoke it now.",
    endsWhen:
      "It ends when you revoke the key, or turn Auto-Trade off and on, which says that it was you.",
    exits: [],
  };
  const tradeNormally = await changeAgents(page, { trading });
  await page.reload();
  const revoke = page.getByRole("banner").getByRole("button", { name: "Revoke the trading key" });
  await expect(revoke).toBeVisible();
  await look("48-key-may-be-stolen");
  await tradeNormally();
  await page.reload();
}

/** Shows header, list and dialog of a stopping agent with a closing position and a faulty node. */
export async function lookAtCondition(page: Page, look: Look): Promise<void> {
  const dialog = page.getByRole("dialog");
  const tradeNormally = await changeAgents(page, { trading: CONDITION });
  const nodesNormally = await changeAnswers(
    page,
    "**/api/deployment",
    (deployment: Deployment) => ({
      ...deployment,
      networks: deployment.networks.map((network) => ({ ...network, nodes: NODES })),
    }),
  );
  await page.reload();
  await expect(page.getByRole("banner").getByText(CONDITION.reason)).toBeVisible();
  await expect(page.getByRole("banner").getByText(/^Node 1 has refused/)).toBeVisible();
  await look("48-halted");
  await look("48-halted-agents", { phonePage: "Agents" });
  await page.getByRole("banner").getByRole("button", { name: "Details" }).click();
  await expect(dialog.getByText("Closing the long position in SOL-PERP")).toBeVisible();
  await look("49-halted-agent");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await tradeNormally();
  await nodesNormally();
  await page.reload();
}
