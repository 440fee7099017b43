import { defineConfig } from "@playwright/test";
import { findBrowser } from "./scripts/browser.mjs";

const needsNoSandbox = process.getuid?.() === 0 || process.env["CI"] !== undefined;
const executablePath = findBrowser(process.env);

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  workers: 2,
  fullyParallel: true,
  forbidOnly: process.env["CI"] !== undefined,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  use: {
    viewport: { width: 1440, height: 900 },
    trace: "retain-on-failure",
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        ...(needsNoSandbox ? ["--no-sandbox", "--disable-dev-shm-usage"] : []),
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
