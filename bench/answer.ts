import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { openAs } from "../e2e/page.ts";
import { type AiReply, startAiServer } from "../test/ai-server.ts";
import { createTrader } from "../test/trader.ts";
import {
  launchBrowser,
  type LongFrame,
  type MainThread,
  noteLongFrames,
  takeLongFrames,
  watchMainThread,
} from "./browser.ts";
import { fixed, say } from "./figures.ts";
import { longAnswer, TOKEN_LENGTH } from "./long-answer.ts";
import { withProduct } from "./with-product.ts";

const PAGE = join(import.meta.dirname, "../bench-page/answer-page.js");
const TOKENS = 20_000;
const WARM_UP_TOKENS = 1_000;
/** Number of last tokens measured separately, where costs that grow with the length are highest. */
const LAST_TOKENS = TOKENS / 10;
const LIMIT = 1.5;
/** Render interval of the plain text in milliseconds: that of a short answer in the product; long ones render less often. */
const STEP_MS = 60;
/** Wait for rendering and storing after the last token, in milliseconds. */
const SETTLE_MS = 1_500;

interface Streamed {
  readonly all: MainThread;
  /** From the first of the last tokens to the end. */
  readonly last: MainThread;
  readonly longFrames: readonly LongFrame[];
}

type Sink = (tokenCount: number) => Promise<void>;

const minus = (now: MainThread, before: MainThread): MainThread => ({
  allMs: now.allMs - before.allMs,
  scriptMs: now.scriptMs - before.scriptMs,
  layoutMs: now.layoutMs - before.layoutMs,
  styleMs: now.styleMs - before.styleMs,
});

const ai = await startAiServer();
let sent = 0;
const replyOf = (tokenCount: number): AiReply => ({
  text: longAnswer(tokenCount),
  pieceLength: TOKEN_LENGTH,
  pauseMs: 1,
  onSent: (count) => {
    sent = count;
  },
});

/** Streams one answer into the page and measures its main thread. */
async function measure(page: Page, stream: Sink): Promise<Streamed> {
  const read = await watchMainThread(page.context(), page);
  // Hit-testing a pointer over the text costs time per frame, so both pages have it at the same place
  await page.mouse.move(1, 1);
  await stream(WARM_UP_TOKENS);
  await page.waitForTimeout(SETTLE_MS);
  await takeLongFrames(page);
  const before = await read();
  sent = 0;
  let atLast = before;
  const streaming = stream(TOKENS);
  while (sent < TOKENS - LAST_TOKENS) await page.waitForTimeout(10);
  atLast = await read();
  await streaming;
  await page.waitForTimeout(SETTLE_MS);
  const after = await read();
  return {
    all: minus(after, before),
    last: minus(after, atLast),
    longFrames: await takeLongFrames(page),
  };
}

/** Baseline: plain text from the same stream. */
async function measurePlain(browser: Browser): Promise<Streamed> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await noteLongFrames(page);
  // Uses the provider's origin, so that only the stream is requested
  await page.route(`${ai.origin}/`, (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><body></body>" }),
  );
  await page.goto(`${ai.origin}/`);
  await page.addScriptTag({ path: PAGE });
  const measured = await measure(page, async (tokenCount) => {
    ai.answer(replyOf(tokenCount));
    const length = await page.evaluate(
      ([address, stepMs]) => {
        const { streamPlainText } = globalThis as unknown as {
          streamPlainText(address: string, stepMs: number): Promise<number>;
        };
        return streamPlainText(address, stepMs);
      },
      [`${ai.baseUrl}/chat/completions`, STEP_MS] as const,
    );
    if (length !== tokenCount * TOKEN_LENGTH) throw new Error(`${length} characters came.`);
  });
  await page.close();
  return measured;
}

/** The built page, signed in, with its chart beside the chat. */
async function measureProduct(browser: Browser): Promise<Streamed> {
  let measured: Streamed | undefined;
  await withProduct({ AI_ORIGINS: ai.origin }, async (url) => {
    const trader = await createTrader(url);
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await noteLongFrames(page);
    await page.addInitScript((baseUrl) => {
      const value = { currentModel: "test-model", baseUrl, api: "chat-tools" };
      localStorage.setItem("ai-model", JSON.stringify({ version: 1, value }));
      localStorage.setItem("openai_api_key", "sk-bench");
    }, ai.baseUrl);
    await openAs(page, trader, url);
    await page.getByRole("button", { name: "New Chat" }).click();
    await page.waitForURL(/\/chat\//);
    measured = await measure(page, async (tokenCount) => {
      ai.answer(replyOf(tokenCount));
      await page.getByRole("textbox", { name: "Message" }).fill(`Write ${tokenCount} tokens.`);
      await page.getByRole("button", { name: "Send message" }).click();
      // Waiting for an element would poll every frame and distort the measurement
      await page.waitForResponse(
        (response) => response.request().postDataJSON()?.["type"] === "ai" && response.ok(),
        { timeout: 180_000 },
      );
    });
  });
  if (measured === undefined) throw new Error("Nothing was measured.");
  return measured;
}

const perToken = ({ allMs }: MainThread, count: number) => (allMs * 1000) / count;
const longest = ({ longFrames }: Streamed) =>
  Math.max(0, ...longFrames.map(({ durationMs }) => durationMs));
const parts = ({ scriptMs, layoutMs, styleMs }: MainThread) =>
  `script ${fixed(scriptMs, 0)}, style ${fixed(styleMs, 0)}, layout ${fixed(layoutMs, 0)} ms`;

const browser = await launchBrowser();
try {
  const plain = await measurePlain(browser);
  const product = await measureProduct(browser);
  const compare = (part: "all" | "last", count: number) => {
    const [ours, theirs] = [perToken(product[part], count), perToken(plain[part], count)];
    return { ratio: ours / theirs, text: `${fixed(ours, 0)} µs against ${fixed(theirs, 0)} µs` };
  };
  const [all, last] = [compare("all", TOKENS), compare("last", LAST_TOKENS)];
  say(
    `answer of ${TOKENS} tokens, main thread per token: ${all.text} of plain text ` +
      `(${fixed(all.ratio)}x of at most ${LIMIT}x); the last ${LAST_TOKENS}: ${last.text} (${fixed(last.ratio)}x)`,
  );
  say(`  product: ${parts(product.all)}; plain text: ${parts(plain.all)}`);
  say(
    `frames of 50 ms or more: ${product.longFrames.length}, longest ${fixed(longest(product), 0)} ms; ` +
      `plain text: ${plain.longFrames.length}, longest ${fixed(longest(plain), 0)} ms`,
  );
  for (const { startMs, durationMs, scripts } of product.longFrames) {
    say(`  at ${fixed(startMs, 0)} ms: ${fixed(durationMs, 0)} ms: ${scripts.join(", ")}`);
  }
  const isMet = all.ratio <= LIMIT && last.ratio <= LIMIT && product.longFrames.length === 0;
  if (!isMet) process.exitCode = 1;
} finally {
  await browser.close();
  await ai.close();
}
