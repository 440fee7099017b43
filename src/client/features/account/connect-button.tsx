import { Download, FlaskConical, Wallet, ShieldCheck } from "lucide-react";
import { openDialog } from "../../lib/dialogs.ts";
import { Button } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";
import type { WalletType } from "../../wallet/wallet-state.ts";
import { useSessionStatus } from "../../lib/session.ts";
import { useWallet } from "../../wallet/wallet.ts";

/** Button that connects Phantom, or offers a choice of wallets when there are several. */
export function ConnectButton({ onConnect }: { readonly onConnect: (type: WalletType) => void }) {
  const status = useWallet((state) => state.status);
  const available = useWallet((state) => state.available);
  const hasPhantom = available.includes("phantom");
  const isBusy = status === "connecting" || status === "disconnecting";
  const askPhantom = () =>
    hasPhantom ? onConnect("phantom") : openDialog({ kind: "wallet-required" });
  const phantomLabel = hasPhantom || status !== "absent" ? "Connect Phantom" : "Install Phantom";

  if (isBusy) {
    return (
      <Button tone="primary" busy>
        {status === "connecting" ? "Connecting…" : "Disconnecting…"}
      </Button>
    );
  }
  if (!available.includes("practice")) {
    return (
      <Button tone="primary" onClick={askPhantom}>
        {phantomLabel === "Install Phantom" ? <Download aria-hidden /> : <Wallet aria-hidden />}
        {phantomLabel}
      </Button>
    );
  }
  return (
    <Menu
      trigger={
        <Button tone="primary">
          <Wallet aria-hidden />
          Connect wallet
        </Button>
      }
      entries={[
        {
          id: "practice",
          label: "Practice wallet",
          icon: <FlaskConical aria-hidden className="text-practice" />,
          onSelect: () => onConnect("practice"),
        },
        {
          id: "phantom",
          label: hasPhantom ? "Connect Phantom" : "Install Phantom",
          icon: hasPhantom ? <Wallet aria-hidden /> : <Download aria-hidden />,
          onSelect: askPhantom,
        },
      ]}
    />
  );
}

/** Button that signs in with one wallet request. */
export function SignInButton({ onSignIn }: { readonly onSignIn: () => void }) {
  const status = useSessionStatus();
  const isBusy = status === "signing-in" || status === "restoring";
  return (
    <Button tone="primary" busy={isBusy} onClick={onSignIn}>
      {!isBusy && <ShieldCheck aria-hidden />}
      {status === "signing-in" ? "Approve in your wallet…" : "Sign in"}
    </Button>
  );
}
