import type { FormDifference } from "./describe-changes.ts";

/** List of removed and added lines. */
export function DifferenceList({ changes }: { readonly changes: readonly FormDifference[] }) {
  return (
    <ul className="flex flex-col gap-1">
      {changes.map(({ label, before: old, after }, index) => (
        <li key={index} className="flex flex-wrap gap-x-2">
          <span className="w-20 shrink-0 text-muted">{label}</span>
          <span className="min-w-0 grow basis-40 wrap-break-word">
            {old !== null && old !== "" && (
              <del className="text-down">
                <span className="sr-only">removed </span>
                {old}
              </del>
            )}
            {old !== null && old !== "" && after !== null && after !== "" && " "}
            {after !== null && after !== "" && (
              <ins className="text-up no-underline">
                <span aria-hidden>+ </span>
                <span className="sr-only">added </span>
                {after}
              </ins>
            )}
            {after === "" && <span className="text-warn"> left open: choose one</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}
