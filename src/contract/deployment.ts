import * as z from "zod/mini";
import { network, venue } from "./fields.ts";
import { defineRoute } from "./route.ts";

/** Which networks, venues and AI providers this deployment offers, read once by the page. */
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
