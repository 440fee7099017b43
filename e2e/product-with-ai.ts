import { type RunningProduct, test } from "./running-product.ts";

/** Gives a file's tests the worker's product, and its AI providers as if nobody had asked it yet. */
export function shareProductWithAi(): RunningProduct {
  const shared: { -readonly [K in keyof RunningProduct]?: RunningProduct[K] } = {};
  test.beforeAll(({ running }) => {
    running.ai.forget();
    running.otherAi.forget();
    Object.assign(shared, running);
  });
  return shared as RunningProduct;
}
