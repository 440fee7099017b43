import type { Custody } from "../custody/custody.ts";
import type { Networks } from "../networks.ts";
import type { Db } from "../store/postgres/db.ts";
import type { Handlers } from "../http/handler.ts";
import { AppError } from "../../contract/errors.ts";
import { findHome } from "../custody/account/custody-context.ts";
import type { CustodyRow } from "../store/custody/custody.ts";
import { findCustodyAgent } from "../store/custody/multisigs.ts";
import type { followedTransaction } from "../../contract/tx.ts";
import type * as z from "zod/mini";
import { formatDecimal } from "../../domain/amount.ts";
import type { CustodyIntent } from "../../domain/custody-intent.ts";

/** Answers every call of custody: its summary and the transactions an owner signs. */
export function custodyHandlers(deps: {
  readonly db: Db;
  readonly networks: Networks;
  readonly custody: Custody;
}) {
  return {
    ...txHandlers(deps),
    getCustodyAccess: ({ params }) => deps.custody.summariseAccess(params.agentId),
    getDeletion: ({ params }) => deps.custody.summariseDeletion(params.agentId),
    getCustody: ({ params }) => deps.custody.summarise(params.agentId),
  } satisfies Partial<Handlers>;
}

/** Answers the calls for transactions an owner signs. */
function txHandlers(deps: {
  readonly db: Db;
  readonly networks: Networks;
  readonly custody: Custody;
}) {
  const { db, networks, custody } = deps;
  const present = async (row: CustodyRow | null) => {
    const agent = row === null ? null : await findCustodyAgent(db, row.agentId);
    if (row === null || agent === null) throw new AppError("not_found");
    return presentTransaction(row, findHome(networks, agent).venue.instance.quote.decimals);
  };

  return {
    async prepareTransaction({ body, session }) {
      const prepared = await custody.prepare(body);
      // From now on a change of the set-up needs a signature; one made meanwhile was not signed with the deposit
      await session.judgeAgain?.(db);
      return prepared === null ? { done: true } : { done: false, prepared };
    },
    renewTransaction: ({ params }) => custody.renew(params.id),
    reportSent: async ({ params, body }) =>
      present(await custody.acceptSent(params.id, body.signature)),
    submitSigned: async ({ params, body }) =>
      present(
        await custody.acceptSigned(
          params.id,
          Uint8Array.from(Buffer.from(body.transaction, "base64")),
        ),
      ),
    getTransaction: async ({ params }) => present(await custody.find(params.id)),
  } satisfies Partial<Handlers>;
}

/** Returns a transaction in its wire format. Amounts in whole quote units. */
function presentTransaction(
  row: CustodyRow,
  quoteDecimals: number,
): z.infer<typeof followedTransaction> {
  return {
    id: row.id,
    agentId: row.agentId,
    intent: row.intent as CustodyIntent,
    step: row.step,
    stepCount: row.stepCount,
    label: row.label,
    state: row.state,
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.amount === null ? {} : { amount: formatDecimal(row.amount, quoteDecimals) }),
    ...(row.signature === null ? {} : { signature: row.signature }),
    ...(row.sentAt === null ? {} : { sentAt: row.sentAt.toISOString() }),
    hasNext: row.step < row.stepCount,
  };
}
