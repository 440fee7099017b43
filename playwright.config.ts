import { defineConfig } from "@playwright/test";
import { findBrowser, findShell } from "./scripts/browser.mjs";
import { patient } from "./test/patient.ts";

const needsNoSandbox = process.getuid?.() === 0 || process.env["CI"] !== undefined;

/** The test file that needs notifications, which Chromium's headless shell does not have. */
const WHOLE_BROWSER = "installed-page.spec.ts";

/** Files that mostly wait: for a lease's end, a bar's close, a restart. Each is named without its ending. */
const WAITING = [
  "backup",
  "conditions",
  "halted",
  "kill-loop",
  "machine-troubles",
  "operate",
  "paper",
  "primary-lost",
  "processes",
  "real-programs",
  "service",
  "several-servers",
  "sigkill",
  "signer-alone",
  "start",
  "two-servers",
].map((name) => `${name}.spec.ts`);

/** Returns launch options with a browser of this machine, or with the one Playwright has downloaded. */
const launched = (executablePath: string | undefined) => ({
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
});
const whole = findBrowser(process.env);

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  // The last begun must not be the longest: what waits runs from the start on, beside two that compute
  workers: 5,
  fullyParallel: true,
  forbidOnly: process.env["CI"] !== undefined,
  // A test that passes only on its second try is counted as flaky, so that it is seen
  retries: 1,
  // Limits stop what hangs; a busy machine with two slow cores must not reach them
  timeout: patient(300_000),
  expect: { timeout: patient(60_000) },
  use: {
    viewport: { width: 1440, height: 900 },
    // Answers that a test changes would pass by it
    serviceWorkers: "block",
    // Motion is drawn frame by frame by the processors that run the tests; `motion.ts` says where it is left on
    contextOptions: { reducedMotion: "reduce" },
    trace: "on-first-retry",
  },
  projects: [
    {
      name: "waiting",
      testMatch: WAITING,
      workers: 3,
      use: { launchOptions: launched(findShell(process.env)) },
    },
    {
      name: "shell",
      workers: 4,
      testIgnore: [
        WHOLE_BROWSER,
        ...WAITING,
        // Takes pictures and tests nothing: `npm run pictures`
        ...(process.env["PICTURES"] === undefined ? ["readme-pictures.spec.ts"] : []),
      ],
      use: { launchOptions: launched(findShell(process.env)) },
    },
    {
      name: "browser",
      testMatch: WHOLE_BROWSER,
      // Without a path Playwright would take its own shell here too
      use: {
        launchOptions: launched(whole),
        ...(whole === undefined ? { channel: "chromium" } : {}),
      },
    },
  ],
});
