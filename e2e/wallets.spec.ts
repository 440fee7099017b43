import { devices, expect, type Page } from "@playwright/test";
import { approveInWallet, createNewcomer, expectSession, keepAllTabs } from "./page.ts";
import { test } from "./running-product.ts";

/**
 * Has the practice wallet sign as a Ledger does: messages in the envelope of an off-chain message alone, or none at all.
 * Its key and its window stay; what it is asked to show and what it signs are the device's bytes.
 */
async function playLedger(page: Page, signs: "envelopes" | "no messages"): Promise<void> {
  await page.addInitScript((kind) => {
    type Input = { account: { publicKey: Uint8Array }; message: Uint8Array; chain?: string };
    type Sign = (input: Input) => Promise<unknown>;
    interface Features {
      "solana:signMessage": { signMessage: Sign };
      "solana:signTransaction": { signTransaction: Sign };
    }
    const envelope = ({ account, message }: Input) =>
      Uint8Array.from([
        0xff,
        ...new TextEncoder().encode("solana offchain"),
        0,
        ...new Uint8Array(32),
        // A Ledger takes text with line feeds for printable ASCII
        0,
        1,
        ...account.publicKey,
        message.length & 0xff,
        message.length >> 8,
        ...message,
      ]);
    addEventListener("wallet-standard:register-wallet", (event) => {
      const { detail } = event as CustomEvent<(api: { register(wallet: unknown): void }) => void>;
      detail({
        register(wallet) {
          const { features } = wallet as { features: Features };
          const messages = features["solana:signMessage"];
          const transactions = features["solana:signTransaction"];
          const { signMessage } = messages;
          const { signTransaction } = transactions;
          messages.signMessage = (input) =>
            kind === "envelopes"
              ? signMessage({ ...input, message: envelope(input) })
              : Promise.reject(new Error("Ledger signing is not supported"));
          // The sign-in is a transaction of mainnet, where the practice wallet signs nothing
          transactions.signTransaction = (input) =>
            signTransaction({ ...input, chain: "solana:practice" });
        },
      });
    });
  }, signs);
}

test("a hardware wallet that signs envelopes only signs in and turns an agent on", async ({
  page,
  running: { product },
}) => {
  test.setTimeout(120_000);
  await playLedger(page, "envelopes");
  const newcomer = createNewcomer(page, product.url);
  await newcomer.connectAndSignIn();
  await newcomer.takePracticeMoney();
  await newcomer.openNewChat();
  await newcomer.createAgent();
  await newcomer.approveCustody();
  // The first deposit turns the agent on, which the server and its signer hold to the signed text
  await newcomer.deposit("500");
  await expect(page.getByText("Auto-Trade on").first()).toBeVisible();
});

test("a hardware wallet that signs no messages signs in with a transaction", async ({
  page,
  running: { product },
}) => {
  await playLedger(page, "no messages");
  await keepAllTabs(page);
  await page.goto(product.url);
  await page.getByRole("button", { name: "Connect wallet" }).first().click();
  await page.getByRole("menuitem", { name: /Practice wallet/ }).click();
  await expect(page.getByText("Message not signed")).toBeVisible();
  await expect(
    page.getByText("A hardware wallet needs a Solana app that signs messages."),
  ).toBeVisible();
  await page.screenshot({ path: "test-results/sign-in-by-transaction.png" });
  await page.getByRole("button", { name: "Sign in with a transaction" }).click();
  await approveInWallet(page);
  await expectSession(page);
});

test("a phone without a wallet opens the page in one that it has", async ({
  browser,
  running: { product },
}) => {
  const context = await browser.newContext({
    ...devices["iPhone 14"],
    defaultBrowserType: undefined,
  } as object);
  const page = await context.newPage();
  await page.goto(`${product.url}/?kept=here#and-this`);
  await page.getByRole("button", { name: "Connect wallet" }).first().click();
  await page.getByRole("menuitem", { name: "Install Phantom" }).click();
  const dialog = page.getByRole("dialog", { name: "Phantom Wallet Required" });
  const address = encodeURIComponent(`${new URL(product.url).origin}/`);
  const origin = encodeURIComponent(new URL(product.url).origin);
  await expect(dialog.getByRole("link", { name: "Open in Phantom" })).toHaveAttribute(
    "href",
    `https://phantom.com/ul/browse/${address}?ref=${origin}`,
  );
  await expect(dialog.getByRole("link", { name: "Open in Solflare" })).toHaveAttribute(
    "href",
    `https://solflare.com/ul/v1/browse/${address}?ref=${origin}`,
  );
  await page.screenshot({ path: "test-results/phone-without-wallet.png" });
  await context.close();
});
