import { decodeNotice, type Hints, STALE_TOPIC } from "../push/create-stale-publisher.ts";
import type { AccountReader } from "./account-reader.ts";

/**
 * Outdates an account's reading at each notice that it changed: the browser asks again at once, and would be shown what
 * was read just before the deposit or trade. Returns a function that stops.
 */
export function invalidateAccountCache(
  hints: Pick<Hints, "subscribe">,
  accounts: Pick<AccountReader, "outdate">,
): () => void {
  return hints.subscribe(STALE_TOPIC, (word) => {
    const notice = decodeNotice(word);
    if (notice?.topic !== "position" && notice?.topic !== "custody") return;
    if (notice.id !== undefined) accounts.outdate(notice.id);
  });
}
