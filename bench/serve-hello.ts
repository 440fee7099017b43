import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

const SCRIPT = join(import.meta.dirname, "../bench-page/hello-page.js");
const HTML = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Hello</title>
<script type="module" src="/hello-page.js"></script></head><body><div id="root"></div></body></html>`;

/** Serves a hello page, compressed like the product's; returns its address and a stop function. */
export async function serveHello(): Promise<{ url: string; stop: () => void }> {
  const script = brotliCompressSync(readFileSync(SCRIPT));
  const page = brotliCompressSync(HTML);
  const server = createServer((request, response) => {
    const isScript = request.url === "/hello-page.js";
    response.writeHead(isScript || request.url === "/" ? 200 : 404, {
      "content-type": isScript ? "text/javascript" : "text/html; charset=utf-8",
      "content-encoding": "br",
    });
    response.end(isScript ? script : request.url === "/" ? page : brotliCompressSync(""));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, stop: () => server.close() };
}
