import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer as createListener } from "node:net";
import { join, resolve } from "node:path";
import { watch } from "rolldown";
import { createServer } from "vite";
import { createRestarter } from "./dev-server.mjs";
import { fail } from "./fail.mjs";
import { writeDigests } from "./place-page.mjs";
import { root } from "./root.mjs";
import { serverBundle, serverOutput } from "./server-bundle.mjs";
import { seed, walletFile } from "./seed-agent.mjs";

const host = process.env.HOST ?? "127.0.0.1";
const pagePort = Number(process.env.PORT ?? 4600);
const serverPort = pagePort + 1;
/** Paths of the server; all others are the page's. */
const SERVED = "^/(api|webhook|metrics|mcp|oauth|status|\\.well-known)(?=[/?]|$)";
const folder = join(root, ".cache", "dev");
const dataDir = resolve(process.env.DATA_DIR ?? join(folder, "data"));
const address = process.env.PUBLIC_URL || `http://${host}:${pagePort}`;

/** Sets the seeded agent's wallet in browsers without a practice wallet. It only works on the practice network. */
const seededWallet = {
  name: "seeded-wallet",
  transformIndexHtml() {
    if (!existsSync(walletFile(dataDir))) return [];
    const { secret } = JSON.parse(readFileSync(walletFile(dataDir), "utf8"));
    const stored = JSON.stringify({ version: 1, value: { secret, isTrusted: true } });
    return [
      { tag: "script", children: `localStorage["practice-wallet"] ??= ${JSON.stringify(stored)};` },
    ];
  },
};

/** Delays calls while the server restarts. */
const waitsForServer = {
  name: "waits-for-server",
  configureServer: ({ middlewares }) =>
    void middlewares.use(async (request, _response, next) => {
      if (new RegExp(SERVED).test(request.url)) await server.settled();
      next();
    }),
};

const server = createRestarter(join(folder, "server", "main.js"), {
  ...process.env,
  HOST: host,
  PORT: String(serverPort),
  PUBLIC_URL: address,
  DATA_DIR: dataDir,
});
const page = await servePage();
await requireServerPort();
const watcher = watchServer();
// Vite ends the process itself on SIGTERM, before the server has been told
process.removeAllListeners("SIGTERM");
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => void end());

/** Ends with one line when the server's port is taken, which the user has not named. */
async function requireServerPort() {
  const probe = createListener().listen(serverPort, host);
  await once(probe, "listening").catch(() =>
    fail(`PORT: ${serverPort} is taken on ${host}; the server needs the port above ${pagePort}.`),
  );
  probe.close();
  await once(probe, "close");
}

/** Serves the page's sources with hot reload and proxies every other path to the server. */
async function servePage() {
  const target = `http://${host}:${serverPort}`;
  const made = await createServer({
    configFile: join(root, "vite.config.ts"),
    plugins: [seededWallet, waitsForServer],
    server: {
      host,
      port: pagePort,
      strictPort: true,
      proxy: { [SERVED]: { target, changeOrigin: false } },
    },
  });
  await made.listen().catch((error) => {
    const isTaken = /already in use/.test(error.message);
    fail(isTaken ? `PORT: ${pagePort} is taken on ${host}.` : error.message);
  });
  return made;
}

function watchServer() {
  // The server requires a page folder, but the development page comes from here
  const unused = join(folder, "client");
  mkdirSync(unused, { recursive: true });
  writeFileSync(join(unused, "index.html"), `The page is at ${address}\n`);
  writeDigests(unused);
  let isUp = false;
  const made = watch({ ...serverBundle, output: serverOutput(join(folder, "server")) });
  made.on("event", async (event) => {
    if (event.code === "BUNDLE_END") await event.result.close();
    if (event.code === "ERROR") console.error(event.error.message);
    if (event.code !== "END") return;
    await server.restart();
    // A later failure is mended by the next change; the first is a wrong setting, and the server has said which
    if (isUp) return;
    if (!server.isStarted()) return void end(1);
    isUp = true;
    await greet();
  });
  return made;
}

/** Seeds an agent when the data folder has none, and prints the page's address. */
async function greet() {
  if (!existsSync(walletFile(dataDir))) {
    await seed(address, dataDir).catch((error) => console.error(`Not seeded: ${error.message}`));
  }
  console.log(`Page with hot reload: ${address}`);
}

async function end(exitCode = 0) {
  await watcher.close();
  await server.stop();
  await page.close();
  process.exit(exitCode);
}
