import { AlertDialog } from "../../ui/alert-dialog.tsx";

interface LinkDialogProps {
  readonly url: URL;
  readonly onClose: () => void;
}

/** Shows the whole address before another site opens. */
export default function LinkDialog({ url, onClose }: LinkDialogProps) {
  return (
    <AlertDialog
      open
      tone="primary"
      title={`Open ${url.host}?`}
      actionLabel="Open in new tab"
      onOpenChange={(open) => !open && onClose()}
      onAction={() => {
        window.open(url.href, "_blank", "noopener,noreferrer");
        onClose();
      }}
    >
      <p>The assistant wrote this link. It leaves Wheelhouse.</p>
      <p className="mt-2 max-h-32 overflow-y-auto font-mono text-xs break-all text-ink">
        {url.href}
      </p>
    </AlertDialog>
  );
}
