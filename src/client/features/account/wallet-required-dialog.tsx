import { closeDialog } from "../../lib/dialogs.ts";
import { Button, buttonStyles } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";

const DOWNLOAD_PAGE = "https://phantom.com/download";

/** Wallets whose own browser on a phone opens an address. Sources: docs.phantom.com, docs.solflare.com, "browse". */
const OPENERS = {
  Phantom: "https://phantom.com/ul/browse",
  Solflare: "https://solflare.com/ul/v1/browse",
};

/** Returns the link that opens this page in a wallet's browser; what stands behind the path may be secret. */
function linkInto(opener: string): string {
  const [address, origin] = [location.origin + location.pathname, location.origin].map(
    encodeURIComponent,
  );
  return `${opener}/${address}?ref=${origin}`;
}

const isPhone = () => /Android|iPhone|iPad|iPod/.test(navigator.userAgent);

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
            tone={isPhone() ? "secondary" : "primary"}
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
      {isPhone() && (
        <div className="mt-4 flex flex-col gap-2">
          <p className="text-sm text-muted">
            On a phone, open this page in the browser of your wallet:
          </p>
          {Object.entries(OPENERS).map(([name, opener]) => (
            <a
              key={name}
              href={linkInto(opener)}
              className={buttonStyles({
                tone: name === "Phantom" ? "primary" : "secondary",
                size: "large",
              })}
            >
              Open in {name}
            </a>
          ))}
        </div>
      )}
    </Dialog>
  );
}
