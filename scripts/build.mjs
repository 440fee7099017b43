import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { build } from "vite";
import { fingerprint, fingerprintFile } from "./fingerprint.mjs";
import { placePage } from "./place-page.mjs";
import { root } from "./root.mjs";
import { thirdPartyNotices } from "./third-party-notices.mjs";
import { serverBundle, serverOutput } from "./server-bundle.mjs";

const out = join(root, "dist");

// Taken first, so that edits during the build make it stale
const madeFrom = fingerprint();
mkdirSync(out, { recursive: true });
rmSync(fingerprintFile, { force: true });
await Promise.all([buildClient(), buildServer()]);
// Assistants read them to owners; decisions are for developers
cpSync(join(root, "docs"), join(out, "docs"), {
  recursive: true,
  filter: (path) => path === join(root, "docs") || path.endsWith(".md"),
});
writeFileSync(fingerprintFile, madeFrom);

async function buildClient() {
  // Built beside the served page, then swapped
  const next = join(out, "client-next");
  await build({
    configFile: join(root, "vite.config.ts"),
    root: join(root, "src", "client"),
    logLevel: "warn",
    mode: "production",
    build: { outDir: next },
  });
  writeFileSync(join(next, "third-party-notices.txt"), thirdPartyNotices(root));
  await placePage(next, join(out, "client"));
}

async function buildServer() {
  const folder = join(out, "server");
  rmSync(folder, { recursive: true, force: true });
  const bundle = await rolldown(serverBundle);
  await bundle.write(serverOutput(folder));
  await bundle.close();
}
