import { expect, type Page } from "@playwright/test";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { createTrader } from "../test/trader.ts";
import { approveInWallet, createNewcomer, openAs } from "./page.ts";
import { test } from "./running-product.ts";
import { patient } from "../test/patient.ts";

const json = { "content-type": "application/json" };

/** Calls a tool and returns the data it answers with. */
async function ask(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content } = await client.callTool({ name, arguments: args });
  const [first] = content;
  return JSON.parse(first?.type === "text" ? first.text : "").data;
}

/** Lets an assistant in that signs in by OAuth as desktop programs do, and returns the official client. */
async function signInAssistant(page: Page, url: string): Promise<Client> {
  // Where the owner is sent back to
  const callback = createServer().listen(0, "127.0.0.1");
  await once(callback, "listening");
  const redirectUrl = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`;
  const kept: Record<string, unknown> = {};
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { client_name: "Claude", redirect_uris: [redirectUrl] },
    clientInformation: () => kept["client"] as never,
    saveClientInformation: (client) => void (kept["client"] = client),
    tokens: () => kept["tokens"] as never,
    saveTokens: (tokens) => void (kept["tokens"] = tokens),
    redirectToAuthorization: (at) => void (kept["at"] = at.href),
    saveCodeVerifier: (verifier) => void (kept["verifier"] = verifier),
    codeVerifier: () => kept["verifier"] as string,
    saveDiscoveryState: (state) => void (kept["discovery"] = state),
    discoveryState: () => kept["discovery"] as never,
  };
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: provider });
  const first = new Client({ name: "journey", version: "1" });
  await expect(first.connect(transport())).rejects.toThrow();

  // A tab of its own, as a program opens one. It stays open: closing it was once seen to wait for what it was sent back to
  const tab = await page.context().newPage();
  await tab.goto(String(kept["at"]));
  await expect(tab.getByRole("heading", { name: "Claude wants to connect" })).toBeVisible();
  const sentBack = once(callback, "request") as Promise<[IncomingMessage, ServerResponse]>;
  await tab.getByRole("button", { name: "Connect and sign" }).click();
  await expect(tab.getByText('Connect the assistant "Claude"')).toBeVisible();
  await approveInWallet(tab);
  const [request, response] = await sentBack;
  response.end("You can close this page.");
  await transport().finishAuth(new URL(request.url ?? "", redirectUrl).searchParams);
  callback.close();
  callback.closeAllConnections();
  const client = new Client({ name: "journey", version: "1" });
  await client.connect(transport());
  return client;
}

/** Makes a token in the page and returns the official client that connected with it. */
async function connectAssistant(page: Page, url: string): Promise<Client> {
  await page.keyboard.press("Control+k");
  await page.getByRole("option", { name: /Read-only tokens/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Claude");
  await dialog.getByRole("combobox", { name: "For" }).click();
  await page.getByRole("option", { name: "Assistant that may propose" }).click();
  await expect(dialog).toContainText("holds only once your wallet has signed it");
  await dialog.getByRole("button", { name: "Create" }).click();
  await approveInWallet(page);
  const token = await dialog.locator("code").first().textContent();
  await dialog.getByRole("button", { name: "I have copied it" }).click();
  const requestInit = { headers: { authorization: `Bearer ${token ?? ""}` } };
  const client = new Client({ name: "journey", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return client;
}

async function openSessions(page: Page): Promise<void> {
  await page.getByRole("banner").locator("[aria-haspopup=dialog]").last().click();
  await page.getByRole("tab", { name: "Sessions" }).click();
}

const DRAFT = {
  asset: "SOL",
  interval: "1h",
  positionSizePercent: 50,
  alerts: [{ name: "enter" }, { name: "exit", condition: { kind: "every-bars", bars: 5 } }],
  rules: [
    { action: "OPEN_LONG", conditions: [{ alert: "enter" }] },
    { action: "CLOSE_LONG", conditions: [{ alert: "exit" }] },
  ],
};

test("an assistant reads, simulates and proposes an agent, which trades once it was approved", async ({
  page,
  running: { product },
}) => {
  test.setTimeout(patient(180_000));
  const without = await fetch(`${product.url}/mcp`, { method: "POST", headers: json, body: "{}" });
  expect(without.status).toBe(401);

  const trader = await createTrader(product.url);
  await trader.takePracticeMoney("5", "1000");
  await openAs(page, trader, product.url);
  const client = await signInAssistant(page, product.url);
  expect((await ask(client, "list_agents")).agents).toEqual([]);
  expect((await ask(client, "simulate", { agent: DRAFT, days: 20 })).asset).toBe("SOL");

  await ask(client, "propose_agent", { name: "By Claude", agent: DRAFT });
  expect((await ask(client, "list_agents")).agents).toEqual([]);
  await expect(page.getByText("Claude proposes a change.")).toBeVisible();
  await page.getByRole("button", { name: "Review" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("New agent: By Claude");
  await expect(dialog).toContainText("Open long when enter × 1");
  await dialog.getByRole("button", { name: "Approve and sign" }).click();
  await expect(page.getByText("SHA-256 of the proposal")).toBeVisible();
  await approveInWallet(page);
  await expect(page.getByText("Agent Created")).toBeVisible();
  await expect(page.getByText("Claude proposes a change.")).toBeHidden();

  const newcomer = createNewcomer(page, product.url);
  await newcomer.approveCustody();
  await newcomer.deposit("200");
  const [agent] = (await ask(client, "list_agents")).agents;
  expect(agent).toMatchObject({ name: "By Claude", autoTrade: "on" });
  const webhook = await trader.call<{ url: string; token: string }>(
    "GET",
    `/api/agents/${agent.id}/webhook`,
  );
  const fired = {
    agentId: agent.id,
    alertName: "enter",
    timestamp: new Date().toISOString(),
    token: webhook.token,
  };
  const answer = await fetch(webhook.url, {
    method: "POST",
    headers: json,
    body: JSON.stringify(fired),
  });
  expect(answer.status).toBe(202);
  await expect
    .poll(async () => (await ask(client, "read_trades", { agent: agent.id })).trades[0]?.status)
    .toBe("success");

  await openSessions(page);
  await expect(page.getByText(/From 127\.0\.0\.1:\d+, may read, simulate, propose/)).toBeVisible();
  await page.getByRole("button", { name: "Disconnect Claude" }).click();
  await expect(page.getByText("Connected assistants")).toBeHidden();
  await expect(client.listTools()).rejects.toThrow();
});

/** Opens what an assistant proposed, looks at it and approves it with the wallet. */
async function agree(page: Page, words: string): Promise<void> {
  await page.getByRole("button", { name: "Review" }).click();
  const dialog = page.getByRole("dialog", { name: "Proposals" });
  await expect(dialog).toContainText(words);
  await dialog.getByRole("button", { name: "Approve and sign" }).click();
  await expect(page.getByText("SHA-256 of the proposal")).toBeVisible();
  await approveInWallet(page);
}

test("a proposed deposit, stop of all, withdrawal and deletion end in the page's own dialogs", async ({
  page,
  running: { product },
}) => {
  const trader = await createTrader(product.url);
  await trader.takePracticeMoney("5", "1000");
  const { chatId } = await trader.createAgent("Funded");
  await openAs(page, trader, `${product.url}/chat/${chatId}`);
  const client = await connectAssistant(page, product.url);
  const autoTrade = async () => (await ask(client, "list_agents")).agents[0]?.autoTrade;

  await ask(client, "propose_deposit", { amount: "50" });
  await agree(page, "Deposit 50 USDC from your wallet into its vault");
  await page.getByRole("button", { name: "Deposit 50 USDC" }).click();
  await expect(page.getByText("Moves 50 USDC into the vault")).toBeVisible();
  await approveInWallet(page);
  await expect(page.getByText("Deposit successful")).toBeVisible();

  expect(await autoTrade()).toBe("on");
  await ask(client, "propose_stop_all");
  await agree(page, "Auto-trade of Funded off, its position closed");
  await expect.poll(autoTrade).toBe("off");
  await expect(page.getByRole("dialog")).toBeHidden();

  await ask(client, "propose_withdrawal", { amount: "550" });
  await agree(page, "Withdraw 550 USDC from it to your wallet");
  const withdrawal = page.getByRole("dialog", { name: "Withdraw" });
  await expect(withdrawal).toContainText("550 USDC");
  await withdrawal.getByRole("button", { name: "Approve in Practice wallet" }).click();
  await approveInWallet(page);
  await expect(page.getByText("Withdrawal successful")).toBeVisible();

  await ask(client, "propose_deletion");
  await agree(page, "Delete the agent, its rules, its log and its chat");
  const deletion = page.getByRole("dialog", { name: "Confirm Deletion" });
  await expect(deletion.getByRole("list", { name: "Steps left" })).toBeVisible();
  await deletion.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("dialog", { name: "Delete agent" })).toBeVisible();
  expect((await ask(client, "list_agents")).agents).toHaveLength(1);
});

test("an assistant with a token made in the page is out once the token was revoked", async ({
  page,
  running: { product },
}) => {
  const trader = await createTrader(product.url);
  await openAs(page, trader, product.url);
  const client = await connectAssistant(page, product.url);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("propose_agent");
  await page.keyboard.press("Control+k");
  await page.getByRole("option", { name: /Read-only tokens/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Revoke Claude" }).click();
  await expect(dialog.getByText("Nothing outside this page")).toBeVisible();
  await expect(client.listTools()).rejects.toThrow();
});
