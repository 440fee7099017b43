import { ChevronDown } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { FaucetButton } from "../features/faucet/faucet-button.tsx";
import { SignInButton } from "../features/sign-in/sign-in-button.tsx";
import { ConnectButton } from "../features/wallet-menu/connect-button.tsx";
import { shortenAddress } from "../lib/format.ts";
import { useSessionStatus } from "../lib/session.ts";
import { Button } from "../ui/button.tsx";
import { Popover } from "../ui/popover.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { useWallet } from "../wallet/wallet.ts";
import { useController } from "./app-context.ts";
import { openDialog } from "./dialogs.ts";
import type { WorkspaceData } from "./use-workspace.ts";

const WalletPanel = lazy(() => import("../features/wallet-menu/wallet-panel.tsx"));

/** The wallet's corner of the header: connect, sign in, or the address with its panel. */
export function WalletCorner({ workspace }: { readonly workspace: WorkspaceData }) {
  const controller = useController();
  const [isOpen, setOpen] = useState(false);
  const wallet = useWallet((state) => state);
  const status = useSessionStatus();
  const { address, network } = workspace;

  if (wallet.status !== "connected" || wallet.type === null) {
    if (status === "restoring") return <Skeleton className="h-8 w-28" />;
    return (
      <ConnectButton
        onConnect={(type) => void controller.connect(type)}
        onPhantomMissing={() => openDialog({ kind: "wallet-required" })}
      />
    );
  }
  const signIn = <SignInButton onSignIn={() => void controller.signIn()} />;
  return (
    <div className="flex items-center gap-2">
      {address === "" && <span className="max-md:hidden">{signIn}</span>}
      <Popover
        label="Wallet"
        open={isOpen}
        onOpenChange={setOpen}
        className="w-[360px] max-w-[calc(100vw-16px)]"
        trigger={
          <Button>
            <span className="font-mono text-xs">{shortenAddress(wallet.address)}</span>
            <ChevronDown aria-hidden />
          </Button>
        }
      >
        <Suspense fallback={<Skeleton className="m-3 h-24" />}>
          <WalletPanel
            address={wallet.address}
            type={wallet.type}
            owner={address}
            network={network}
            explorerOf={workspace.explorerOf}
            action={
              address === "" ? (
                signIn
              ) : network === "practice" ? (
                <FaucetButton address={address} wide />
              ) : null
            }
            onDisconnect={() => {
              setOpen(false);
              void controller.disconnect();
            }}
          />
        </Suspense>
      </Popover>
    </div>
  );
}
