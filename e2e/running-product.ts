import { test as plain } from "@playwright/test";
import { type AiServer, startAiServer } from "../test/ai-server.ts";
import { freePort, makeDataDir, type Product, startProduct } from "./product.ts";
import { patient } from "../test/patient.ts";

/** A product on empty data, with an AI provider that answers its page and nobody else's (strict CORS). */
export interface RunningProduct {
  readonly product: Product;
  readonly ai: AiServer;
  /** A second provider that the deployment allows. */
  readonly otherAi: AiServer;
  /** Data folder of the product. */
  readonly dataDir: string;
}

/**
 * `test` with a product that a worker's tests share, file after file: a start costs more than many a test. Whoever uses
 * it brings a wallet of their own, and starts their own product to stop one, to set one up differently or to count
 * what is in its database.
 */
export const test = plain.extend<object, { running: RunningProduct }>({
  running: [
    // The first argument names what a fixture needs, and must be a pattern
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const dataDir = makeDataDir();
      const port = await freePort();
      const isPage = (origin: string) => origin === `http://127.0.0.1:${port}`;
      const [ai, otherAi] = [await startAiServer(isPage), await startAiServer(isPage)];
      const product = await startProduct(dataDir.path, port, {
        AI_ORIGINS: `${ai.origin},${otherAi.origin}`,
        // E-mail is offered, and what becomes of a code that cannot be sent is seen
        SMTP_URL: "smtp://127.0.0.1:1",
        MAIL_FROM: "notices@wheelhouse.example",
      });
      await use({ product, ai, otherAi, dataDir: dataDir.path });
      await product.stop();
      await ai.close();
      await otherAi.close();
      dataDir.remove();
    },
    { scope: "worker", timeout: patient(120_000) },
  ],
});
