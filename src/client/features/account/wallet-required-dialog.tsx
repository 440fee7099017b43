import { closeDialog } from "../../lib/dialogs.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";

const DOWNLOAD_PAGE = "https://phantom.com/download";

/** Dialog shown when Phantom was chosen but is not installed. */
export default function WalletRequiredDialog() {
  return (
    <Dialog
      size="small"
      onClose={closeDialog}
      title="Phantom Wallet Required"
      footer={
        <>
          <Button onClick={closeDialog}>Maybe Later</Button>
          <Button
            tone="primary"
            onClick={() => window.open(DOWNLOAD_PAGE, "_blank", "noopener,noreferrer")}
          >
            Install Phantom Wallet
          </Button>
        </>
      }
    >
      <p className="text-sm text-muted">
        Phantom is a browser wallet. It holds your keys and asks you before anything is signed.
        Install it, then reload this page.
      </p>
    </Dialog>
  );
}
