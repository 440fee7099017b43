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
  // A test that passes only on its second try is counted as flaky, so that it is seen
  retries: 1,
  // Limits stop what hangs; a busy machine with two slow cores must not reach them
  timeout: 300_000,
  expect: { timeout: 30_000 },
  use: {
    viewport: { width: 1440, height: 900 },
    // Answers that a test changes would pass by it
    serviceWorkers: "block",
    trace: "on-first-retry",
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
