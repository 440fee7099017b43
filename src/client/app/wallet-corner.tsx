import { ChevronDown } from "lucide-react";
import { Suspense, useState } from "react";
import { SignInButton } from "../features/sign-in/sign-in-button.tsx";
import { ConnectButton } from "../features/wallet-menu/connect-button.tsx";
import { shortenAddress } from "../lib/format.ts";
import { useSessionStatus } from "../lib/session.ts";
import { Button } from "../ui/button.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { PartExit } from "../ui/part-exit.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { useWallet } from "../wallet/wallet.ts";
import { useController } from "./app-context.ts";
import { openDialog } from "../lib/dialogs.ts";
import type { WorkspaceData } from "./use-workspace.ts";

const WalletPopover = lazyPart(() => import("./wallet-popover.tsx"), {
  isAbove: true,
  standIn: ({ trigger }) => trigger,
});

/** Wallet area of the header: connect, sign in, or the address with its panel. */
export function WalletCorner({ workspace }: { readonly workspace: WorkspaceData }) {
  const controller = useController();
  const [wasOpened, setOpened] = useState(false);
  const wallet = useWallet((state) => state);
  const status = useSessionStatus();
  const { address } = workspace;

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
  const trigger = (
    <Button
      aria-haspopup="dialog"
      onPointerEnter={WalletPopover.preload}
      onFocus={WalletPopover.preload}
      onClick={() => setOpened(true)}
    >
      <span className="font-mono text-xs">{shortenAddress(wallet.address)}</span>
      <ChevronDown aria-hidden />
    </Button>
  );
  return (
    <div className="flex items-center gap-2">
      {address === "" && <span className="max-md:hidden">{signIn}</span>}
      {wasOpened ? (
        <PartExit value={() => setOpened(false)}>
          <Suspense fallback={trigger}>
            <WalletPopover
              workspace={workspace}
              trigger={trigger}
              signIn={signIn}
              address={wallet.address}
              type={wallet.type}
            />
          </Suspense>
        </PartExit>
      ) : (
        trigger
      )}
    </div>
  );
}
