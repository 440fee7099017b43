import { test } from "@playwright/test";
import { type AiServer, startAiServer } from "../test/ai-server.ts";
import { freePort, makeDataDir, type Product, startProduct } from "./product.ts";

/** What the tests of a file share; there from the first of them on. */
export interface SharedWithAi {
  readonly product: Product;
  readonly ai: AiServer;
  /** The folder everything is kept in. */
  readonly dataDir: string;
}

/**
 * Starts a product of the file's own before its tests, with an AI provider that answers its page and nobody else's
 * (strict CORS), and ends both after them.
 */
export function shareProductWithAi(): SharedWithAi {
  const dataDir = makeDataDir();
  const shared: { -readonly [K in keyof SharedWithAi]?: SharedWithAi[K] } = {
    dataDir: dataDir.path,
  };
  test.beforeAll(async () => {
    const port = await freePort();
    shared.ai = await startAiServer((origin) => origin === `http://127.0.0.1:${port}`);
    shared.product = await startProduct(dataDir.path, port, { AI_ORIGINS: shared.ai.origin });
  });
  test.afterAll(async () => {
    await shared.product?.stop();
    await shared.ai?.close();
    dataDir.remove();
  });
  return shared as SharedWithAi;
}
