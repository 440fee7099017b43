import { queryOptions } from "@tanstack/react-query";
import type { ResponseOf } from "../../contract/route.ts";
import { ROUTES } from "../../contract/routes.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";

export type Custody = ResponseOf<typeof ROUTES.getCustody>;

export const custodyQuery = (address: string, botId: string) =>
  queryOptions({
    queryKey: keysOf(address).custody(botId),
    queryFn: () => call(ROUTES.getCustody, { params: { botId } }),
    enabled: address !== "" && botId !== "",
  });
