import { getBase64Codec } from "@solana/kit";
import {
  orderActionRecordCodec,
  type OrderActionRecord,
  LOG_PREFIX,
} from "../src/venues/drift/order-action-record.ts";

/** Returns the log line the program emits for the record. */
export function orderActionLog(record: OrderActionRecord): string {
  return LOG_PREFIX + getBase64Codec().decode(orderActionRecordCodec.encode(record));
}
