import type { listAlerts } from "../../../contract/alerts.ts";
import type { ResponseOf } from "../../../contract/route.ts";
import type { listRules } from "../../../contract/rules.ts";

export type Alert = ResponseOf<typeof listAlerts>[number];
export type Rule = ResponseOf<typeof listRules>[number];
