import * as z from "zod/mini";
import { NODE_TROUBLES } from "../domain/node-trouble.ts";
import { isoTime, network, venue } from "./fields.ts";
import { defineRoute } from "./route.ts";

/** One of a network's nodes, by its place in the setting; `trouble` says what is wrong with it and since when. */
const node = z.strictObject({
  name: z.string(),
  /** Asked first at the moment. */
  isUsed: z.boolean(),
  trouble: z.nullable(
    z.strictObject({
      kind: z.enum(NODE_TROUBLES),
      since: isoTime,
    }),
  ),
});

/** Which networks, venues and AI providers this deployment offers, and how well its nodes are. */
export const getDeployment = defineRoute({
  method: "GET",
  path: "/api/deployment",
  access: { kind: "public" },
  status: 200,
  response: z.strictObject({
    networks: z.array(
      z.strictObject({
        network,
        explorerUrl: z.nullable(z.string()),
        /** Empty where the chain has no nodes of its own, as on practice. */
        nodes: z._default(z.array(node), []),
        venues: z.array(
          z.strictObject({
            venue,
            status: z.enum(["available", "paused", "coming soon", "retired"]),
            reason: z.optional(z.string()),
            quoteSymbol: z.string(),
            quoteDecimals: z.int(),
          }),
        ),
      }),
    ),
    /** Origins of AI providers the page's content policy lets it call. */
    aiOrigins: z._default(z.array(z.string()), []),
  }),
});

/** Says that the server can work, its database included; 503 while it cannot. For balancers and monitors. */
export const getHealth = defineRoute({
  method: "GET",
  path: "/api/health",
  access: { kind: "public" },
  status: 200,
  response: z.strictObject({ status: z.literal("ok") }),
});

/** Says that the server can be reached, whatever else is away. For pages that ask whether they are online. */
export const headHealth = defineRoute({
  method: "HEAD",
  path: "/api/health",
  access: { kind: "public" },
  status: 200,
});
