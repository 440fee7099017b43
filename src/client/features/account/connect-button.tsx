import { Download, FlaskConical, Wallet, ShieldCheck } from "lucide-react";
import { openDialog } from "../../lib/dialogs.ts";
import { Button } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { WALLET_NAMES, type WalletType } from "../../wallet/wallet-state.ts";
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
  const others = available.filter((type) => type !== "phantom");

  if (isBusy) {
    return (
      <Button tone="primary" busy>
        {status === "connecting" ? "Connecting…" : "Disconnecting…"}
      </Button>
    );
  }
  if (others.length === 0) {
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
        ...others.map((type) => ({
          id: type,
          label: type === "practice" ? "Practice wallet" : `Connect ${WALLET_NAMES[type]}`,
          icon:
            type === "practice" ? (
              <FlaskConical aria-hidden className="text-practice" />
            ) : (
              <Wallet aria-hidden />
            ),
          onSelect: () => onConnect(type),
        })),
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
