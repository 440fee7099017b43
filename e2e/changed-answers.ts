import type { Page, Route } from "@playwright/test";

/**
 * Shows the page other answers than the server's until the returned function is called.
 *
 * A call whose server has gone meanwhile fails in the page as it would without us, and never the test. The returned
 * function waits for what is under way.
 */
export async function changeAnswers<Body extends object>(
  page: Page,
  address: string | RegExp,
  change: (body: Body) => object,
): Promise<() => Promise<void>> {
  const underWay = new Set<Promise<void>>();
  const answer = async (route: Route): Promise<void> => {
    const answered = await route.fetch().catch(() => null);
    if (answered === null) return await route.abort().catch(() => {});
    const json = answered.ok() ? change((await answered.json()) as Body) : undefined;
    await route.fulfill({ response: answered, ...(json && { json }) }).catch(() => {});
  };
  const handle = (route: Route): Promise<void> => {
    const answering = answer(route).finally(() => underWay.delete(answering));
    underWay.add(answering);
    return answering;
  };
  await page.route(address, handle);
  return async () => {
    await page.unroute(address, handle);
    await Promise.all(underWay);
  };
}
