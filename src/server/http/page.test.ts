import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { fastify, type FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { writeDigests } from "../../../scripts/place-page.mjs";
import { ConfigError } from "../environment.ts";
import { registerPage } from "./page.ts";

const SCRIPT = "export const word = 'trade';\n".repeat(100);
const HTML = `<!doctype html><script type="module" src="/assets/index-1.js"></script>${" ".repeat(2_000)}`;

describe("the page and its assets", () => {
  let app: FastifyInstance;
  let clientDir: string;

  beforeAll(async () => {
    clientDir = mkdtempSync(join(tmpdir(), "wheelhouse-page-"));
    mkdirSync(join(clientDir, "assets"));
    for (const [name, text] of [
      ["index.html", HTML],
      ["assets/index-1.js", SCRIPT],
    ] as const) {
      writeFileSync(join(clientDir, name), text);
      writeFileSync(join(clientDir, `${name}.br`), brotliCompressSync(text));
      writeFileSync(join(clientDir, `${name}.gz`), gzipSync(text));
    }
    writeFileSync(join(clientDir, "assets", "small-1.js"), "export {};");
    writeDigests(clientDir);
    app = fastify();
    registerPage(app, { clientDir, aiOrigins: [] });
    app.get("/api/health", () => ({}));
    await app.ready();
  });
  afterAll(async () => {
    await app.close();
    rmSync(clientDir, { recursive: true });
  });

  const ask = (url: string, accepted?: string) =>
    app.inject({ url, headers: accepted === undefined ? {} : { "accept-encoding": accepted } });

  it.each([
    ["/", HTML, /^text\/html; charset=utf-8$/],
    ["/chat/0123456789abcdef0123456789abcdef", HTML, /^text\/html; charset=utf-8$/],
    ["/assets/index-1.js", SCRIPT, /^(?:text|application)\/javascript; charset=utf-8$/],
  ])("%s is sent as the build compressed it", async (path, text, type) => {
    const brotli = await ask(path, "gzip, deflate, br, zstd");
    expect(brotli.headers["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(text);
    const gzip = await ask(path, "gzip, br;q=0");
    expect(gzip.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(text);
    for (const plain of [await ask(path), await ask(path, "identity")]) {
      expect(plain.headers["content-encoding"]).toBeUndefined();
      expect(plain.body).toBe(text);
    }
    for (const { headers } of [brotli, gzip, await ask(path)]) {
      expect(headers["content-type"]).toMatch(type);
      expect(headers.vary).toMatch(/accept-encoding/i);
    }
  });

  it("is revalidated each time, and sent only to a browser without it", async () => {
    const { etag, "cache-control": kept } = (await ask("/", "br")).headers;
    expect(kept).toBe("no-cache");
    const again = (url: string) =>
      app.inject({ url, headers: { "accept-encoding": "br", "if-none-match": String(etag) } });
    for (const url of ["/", "/chat/0123456789abcdef0123456789abcdef"]) {
      const known = await again(url);
      expect([known.statusCode, known.payload]).toEqual([304, ""]);
      expect(known.headers["content-security-policy"]).toContain("script-src 'self'");
    }
  });

  it("sends uncompressed files unchanged, and cacheable for ever too", async () => {
    const small = await ask("/assets/small-1.js", "br");
    expect([small.body, small.headers["content-encoding"]]).toEqual(["export {};", undefined]);
    expect(small.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect((await ask("/assets/index-1.js", "br")).headers["cache-control"]).toBe(
      "public, max-age=31536000, immutable",
    );
  });

  it("names the page's script in the health answer, so that an open page notices a newer one", async () => {
    expect((await ask("/api/health")).headers["x-page-script"]).toBe("/assets/index-1.js");
    expect((await ask("/assets/small-1.js")).headers["x-page-script"]).toBeUndefined();
  });

  it("has no address for the compressed files themselves", async () => {
    for (const path of ["/assets/index-1.js.br", "/assets/index-1.js.gz", "/index.html.br"]) {
      expect((await ask(path)).statusCode, path).toBe(404);
    }
  });

  describe("compared with the build's digests", () => {
    let copy: string;
    const at = (name: string) => join(copy, name);
    const open = async () => {
      const served = fastify();
      registerPage(served, { clientDir: copy, aiOrigins: [] });
      await served.ready();
      return served;
    };

    beforeEach(() => {
      copy = mkdtempSync(join(tmpdir(), "wheelhouse-page-"));
      cpSync(clientDir, copy, { recursive: true });
    });
    afterEach(() => rmSync(copy, { recursive: true }));

    it.each<[string, () => void, RegExp]>([
      [
        "a file was changed",
        () => writeFileSync(at("assets/small-1.js"), "export let it;"),
        /: assets\/small-1\.js was changed\./,
      ],
      [
        "a compressed file was changed",
        () => writeFileSync(at("assets/index-1.js.br"), "x"),
        /: assets\/index-1\.js\.br was changed\./,
      ],
      ["a file is missing", () => rmSync(at("index.html.gz")), /: index\.html\.gz is missing\./],
      [
        "a file was added",
        () => writeFileSync(at("assets/evil-1.js"), "steal()"),
        /: assets\/evil-1\.js is not on its list\./,
      ],
      [
        "several are not the build's",
        () => {
          writeFileSync(at("assets/evil-1.js"), "steal()");
          writeFileSync(at("index.html"), "<!doctype html>");
        },
        /: assets\/evil-1\.js is not on its list and 1 more\./,
      ],
      [
        "the list is missing",
        () => rmSync(at(".vite/digests.json")),
        / has no list of its files\./,
      ],
      [
        "the list is torn",
        () => writeFileSync(at(".vite/digests.json"), "{"),
        / has no list of its/,
      ],
    ])("ends the start in one line when %s", async (_, damage, reason) => {
      damage();
      const failure = await open().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ConfigError);
      expect((failure as ConfigError).message).toMatch(reason);
      expect((failure as ConfigError).message).not.toContain("\n");
    });

    it("no longer serves a file that is changed or deleted later, and the others as before", async () => {
      const served = await open();
      const status = async (url: string) => (await served.inject({ url })).statusCode;
      writeFileSync(at("assets/small-1.js"), "export {};");
      expect(await status("/assets/small-1.js")).toBe(200);
      writeFileSync(at("assets/small-1.js"), "steal();  ");
      utimesSync(at("assets/small-1.js"), 0, 0);
      expect(await status("/assets/small-1.js")).toBe(404);
      expect(await status("/assets/index-1.js")).toBe(200);
      writeFileSync(at("assets/index-1.js.gz"), "x");
      expect(await status("/assets/index-1.js")).toBe(404);
      rmSync(at("index.html"));
      expect(await status("/")).toBe(200);
      await served.close();
    });
  });
});
