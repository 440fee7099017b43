import type { ToolResult } from "./assistant/answer-text.ts";

/** Card with a tool's figures and their notes. */
export function ToolResultCard({ result }: { readonly result: ToolResult }) {
  const { title, figures, notes } = result;
  return (
    <section
      aria-label={title}
      className="flex flex-col gap-2 rounded-md border bg-surface p-3 text-xs"
    >
      <h3 className="text-sm font-semibold">{title}</h3>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-1.5 sm:grid-cols-4">
        {figures.map(([term, value]) => (
          <div key={term} className="min-w-0">
            <dt className="text-2xs text-faint">{term}</dt>
            <dd className="text-sm tabular-nums wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      {notes.length > 0 && (
        <ul className="flex list-disc flex-col gap-1 pl-4 text-muted">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
