/** Role of a process: `people` answers pages and webhooks, `trading` evaluates conditions and trades. */
export const ROLES = ["people", "trading"] as const;
export type Role = (typeof ROLES)[number];
