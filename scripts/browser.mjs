import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fail } from "./fail.mjs";
import { bin, root } from "./root.mjs";

/** The same engine without windows: less work for the processors, but it shows no notifications. */
const SHELL = "/usr/bin/chromium-headless-shell";

const KNOWN_PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** Returns the browser on this machine; undefined leaves the choice to Playwright. Throws when CHROMIUM_PATH is wrong. */
export function findBrowser(env) {
  const named = env.CHROMIUM_PATH;
  if (named !== undefined && named !== "") {
    if (existsSync(named)) return named;
    throw new Error(`CHROMIUM_PATH: there is no file ${named}.`);
  }
  return KNOWN_PLACES.find((place) => existsSync(place));
}

/**
 * Returns the browser for tests that need neither window nor notification: the named one, else Chromium's headless shell,
 * else what `findBrowser` returns.
 */
export function findShell(env) {
  const isNamed = env.CHROMIUM_PATH !== undefined && env.CHROMIUM_PATH !== "";
  return !isNamed && existsSync(SHELL) ? SHELL : findBrowser(env);
}

/** Installs a browser where there is none; ends the script with one line when that is impossible. */
export async function ensureBrowser(env) {
  await installBrowser(env).catch((error) => fail(error.message));
}

async function installBrowser(env) {
  if (findBrowser(env) !== undefined || (await hasPlaywrightBrowser())) return;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    console.log("Installing Chromium from the system's packages…");
    const apt = { stdio: "inherit", env: { ...env, DEBIAN_FRONTEND: "noninteractive" } };
    spawnSync("apt-get", ["update", "-qq"], apt);
    const install = ["install", "-y", "-qq", "--no-install-recommends", "chromium"];
    const both = spawnSync("apt-get", [...install, "chromium-headless-shell"], apt);
    // Only Debian has the second
    if (both.status !== 0) spawnSync("apt-get", install, apt);
    const found = findBrowser(env);
    // On Ubuntu the package is only a wrapper around a snap
    if (found !== undefined && spawnSync(found, ["--version"]).status === 0) return;
  }
  console.log("Downloading Playwright's Chromium…");
  spawnSync(bin("playwright"), ["install", "chromium"], { cwd: root, stdio: "inherit" });
  if (await hasPlaywrightBrowser()) return;
  throw new Error(
    "No browser: install Chromium or Chrome, or set CHROMIUM_PATH to one; neither the system's packages nor Playwright's download worked.",
  );
}

async function hasPlaywrightBrowser() {
  const { chromium } = await import("@playwright/test");
  return existsSync(chromium.executablePath());
}
