import type { AgentForm, AlertRow, RuleRow } from "./agent-form.ts";

/** Result of merging two sets of changes to one form. */
export interface MergedForm {
  readonly form: AgentForm;
  /** Names of conflicting changes; the form contains ours. */
  readonly contested: readonly string[];
}

const FIELDS = [
  ["Name", ["name", "replacedName"]],
  ["Venue and asset", ["venue", "marketId"]],
  ["Interval", ["interval", "customCount", "customUnit"]],
  ["Slippage", ["slippage"]],
  ["Position size", ["positionSizePercent"]],
  ["Alert age", ["maxSignalAge"]],
] as const satisfies readonly (readonly [string, readonly (keyof AgentForm)[]])[];

type Row = AlertRow | RuleRow;

/** Returns a row's content for comparison without counts, which change without an edit. */
const contentOf = (row: Row | undefined): string =>
  JSON.stringify(row, (name, value: unknown) => (name === "count" ? undefined : value)) ?? "";

/** Merges rows: ours where we changed, added or deleted one, otherwise theirs; our order, then their additions. */
function mergeRows<R extends Row>(
  label: string,
  base: readonly R[],
  ours: readonly R[],
  theirs: readonly R[],
): { readonly rows: readonly R[]; readonly contested: readonly string[] } {
  const rowOf = (rows: readonly R[], key: string) => rows.find((row) => row.key === key);
  const keys = new Set([...ours, ...theirs, ...base].map(({ key }) => key));
  const rows: R[] = [];
  const contested: string[] = [];
  for (const key of keys) {
    const [was, mine, other] = [rowOf(base, key), rowOf(ours, key), rowOf(theirs, key)];
    const [before, here, there] = [contentOf(was), contentOf(mine), contentOf(other)];
    const isOurs = here !== before;
    if (isOurs && there !== before && here !== there) contested.push(label);
    const kept = isOurs ? mine : other;
    if (kept !== undefined) rows.push(kept);
  }
  return { rows, contested };
}

/** Applies our changes to their form. Rules lose triggers whose alert was deleted. */
export function mergeForms(base: AgentForm, ours: AgentForm, theirs: AgentForm): MergedForm {
  const contested: string[] = [];
  let form: AgentForm = { ...theirs, nextKey: Math.max(ours.nextKey, theirs.nextKey) };
  for (const [label, names] of FIELDS) {
    const textOf = (each: AgentForm) => JSON.stringify(names.map((name) => each[name]));
    if (textOf(ours) === textOf(base)) continue;
    if (textOf(theirs) !== textOf(base) && textOf(theirs) !== textOf(ours)) contested.push(label);
    form = { ...form, ...Object.fromEntries(names.map((name) => [name, ours[name]])) };
  }
  const alerts = mergeRows("Alert", base.alerts, ours.alerts, theirs.alerts);
  const rules = mergeRows("Rule", base.rules, ours.rules, theirs.rules);
  const known = new Set(alerts.rows.map(({ key }) => key));
  return {
    form: {
      ...form,
      alerts: alerts.rows,
      rules: rules.rows.map((rule) => ({
        ...rule,
        triggers: rule.triggers.filter(({ alertKey }) => known.has(alertKey)),
      })),
    },
    contested: [...new Set([...contested, ...alerts.contested, ...rules.contested])],
  };
}
