import { AlertDialog } from "../../ui/alert-dialog.tsx";

interface LinkDialogProps {
  readonly url: URL;
  /** True when the host name has letters that resemble others. */
  readonly mayImitate: boolean;
  readonly onClose: () => void;
}

/** Confirmation with the full address before another site opens. */
export default function LinkDialog({ url, mayImitate, onClose }: LinkDialogProps) {
  return (
    <AlertDialog
      tone="primary"
      title={`Open ${url.host}?`}
      actionLabel="Open in new tab"
      onClose={onClose}
      onAction={() => {
        window.open(url.href, "_blank", "noopener,noreferrer");
        onClose();
      }}
    >
      <p>The assistant wrote this link. It leaves Wheelhouse.</p>
      {mayImitate && (
        <p className="mt-2 text-warn">
          This name holds letters that can look like others: it may imitate another site.
        </p>
      )}
      <p className="mt-2 max-h-32 overflow-y-auto font-mono text-xs break-all text-ink">
        {url.href}
      </p>
    </AlertDialog>
  );
}
