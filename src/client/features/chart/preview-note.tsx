import { Button } from "../../ui/button.tsx";

interface PreviewNoteProps {
  readonly title: string;
  readonly onLeave: () => void;
  /** Returns to the kept draft; absent without one. */
  readonly onEdit: (() => void) | undefined;
}

/** Note that the chart shows a preview instead of the current market. */
export function PreviewNote({ title, onLeave, onEdit }: PreviewNoteProps) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-y border-line bg-accent-soft px-3 py-1.5 text-xs"
    >
      <p className="min-w-0 grow basis-64">{title}</p>
      {onEdit && (
        <Button size="small" onClick={onEdit}>
          Back to editing
        </Button>
      )}
      <Button size="small" onClick={onLeave}>
        Show the market
      </Button>
    </div>
  );
}
