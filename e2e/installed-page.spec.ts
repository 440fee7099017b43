import { expect, test } from "@playwright/test";
import { createTrader } from "../test/trader.ts";
import { openAs } from "./page.ts";
import { type Product, startAlone } from "./product.ts";

test.use({ serviceWorkers: "allow", permissions: ["notifications"] });

// The last one stops the product that they share
test.describe.configure({ mode: "default" });

let product: Product;

test.beforeAll(async () => {
  product = await startAlone();
});

test.afterAll(() => product.stop());

test("a browser that blocks notifications is told what to do, and the page goes on", async ({
  page,
}) => {
  const trader = await createTrader(product.url);
  await page.context().clearPermissions();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Browser.setPermission", {
    permission: { name: "notifications" },
    setting: "denied",
    origin: product.url,
  });
  await openAs(page, trader, product.url);
  await page.getByRole("button", { name: /^[1-9A-Za-z]{4}\.\.\.[1-9A-Za-z]{4}$/ }).click();
  await page.getByRole("button", { name: "Notices", exact: true }).click();
  await page.getByRole("button", { name: "This browser" }).click();
  await expect(
    page.getByText("The browser does not let this page show notices.", { exact: false }),
  ).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Get practice money" })).toBeEnabled();
});

test("the installed page shows push notifications, says when it is offline, and caches no answers", async ({
  page,
}) => {
  await page.goto(product.url);
  const manifest = await page.request.get(`${product.url}/manifest.webmanifest`);
  const { icons, start_url: startUrl } = await manifest.json();
  expect(startUrl).toBe("/");
  for (const { src } of icons) {
    expect((await page.request.get(product.url + src)).status()).toBe(200);
  }
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));

  const devtools = await page.context().newCDPSession(page);
  const found = new Promise<string>((resolve) => {
    devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [registration] = registrations;
      if (registration !== undefined) resolve(registration.registrationId);
    });
  });
  await devtools.send("ServiceWorker.enable");
  const registrationId = await found;
  const push = (title: string) =>
    devtools.send("ServiceWorker.deliverPushMessage", {
      origin: product.url,
      registrationId,
      data: JSON.stringify({ id: "7", title, body: "Open long SOL-PERP.", url: product.url }),
    });
  const shown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      return (await registration.getNotifications()).map(({ title, body }) => [title, body]);
    });
  // The browser drops what is delivered before it has started the worker; push services deliver again
  const pushedAndShown = async () => {
    await push("Agent: traded");
    return shown();
  };
  await expect.poll(pushedAndShown).toEqual([["Agent: traded", "Open long SOL-PERP."]]);
  // Delivery is at least once: a duplicate notification replaces the first
  await push("Agent: traded again");
  await expect.poll(shown).toEqual([["Agent: traded again", "Open long SOL-PERP."]]);

  await page.reload();
  await expect(page.getByRole("button", { name: "Connect wallet" }).first()).toBeVisible();
  expect(await page.evaluate(() => caches.keys())).toEqual([]);
  await product.stop();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Wheelhouse is not reachable" })).toBeVisible();
});
