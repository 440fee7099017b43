import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { build } from "vite";
import { fingerprint, fingerprintFile } from "./fingerprint.mjs";
import { placePage } from "./place-page.mjs";
import { root } from "./root.mjs";

const client = join(root, "src", "client", "index.html");
const server = join(root, "src", "server", "main.ts");
const processes = ["web", "signer"].map((name) => [
  name,
  join(root, "src", "server", "main", `${name}.ts`),
]);
const operate = join(root, "src", "server", "main", "operate.ts");
const out = join(root, "dist");

// Taken first: what is edited while we build makes the build stale again
const madeFrom = fingerprint();
mkdirSync(out, { recursive: true });
rmSync(fingerprintFile, { force: true });
await Promise.all([buildClient(), buildServer()]);
writeFileSync(fingerprintFile, madeFrom);

async function buildClient() {
  if (!existsSync(client)) return console.log("No page to build yet: src/client/index.html.");
  // Beside what is served, which then gives way at once
  const next = join(out, "client-next");
  await build({
    configFile: join(root, "vite.config.ts"),
    root: join(root, "src", "client"),
    logLevel: "warn",
    mode: "production",
    build: { outDir: next },
  });
  await placePage(next, join(out, "client"));
}

async function buildServer() {
  if (!existsSync(server)) return console.log("No server to build yet: src/server/main.ts.");
  rmSync(join(out, "server"), { recursive: true, force: true });
  const bundle = await rolldown({
    input: { main: server, ...Object.fromEntries(processes), operate },
    platform: "node",
    // Packages stay in node_modules, where npm's lock vouches for them
    external: /^[^./\0]/,
    onLog(level, log, report) {
      report(level === "warn" ? "error" : level, log);
    },
  });
  await bundle.write({
    dir: join(out, "server"),
    format: "esm",
    sourcemap: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
  });
  await bundle.close();
}
