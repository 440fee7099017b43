import { type ReactElement, type ReactNode, useState } from "react";
import { isBuiltIn } from "../../domain/network.ts";
import { FaucetButton } from "../custody/faucet-button.tsx";
import WalletPanel from "../features/account/wallet-panel.tsx";
import { openDialog } from "../lib/dialogs.ts";
import { Popover } from "../ui/popover.tsx";
import type { WalletType } from "../wallet/wallet-state.ts";
import { useActionContext } from "../actions/action-context.ts";

interface WalletPopoverProps {
  readonly trigger: ReactElement;
  readonly signIn: ReactNode;
  readonly address: string;
  readonly type: WalletType;
}

/** Popover with the wallet panel; initially open, because the first click on its button loads it. */
export default function WalletPopover(props: WalletPopoverProps) {
  const [isOpen, setOpen] = useState(true);
  const { trigger, signIn, address, type } = props;
  const { address: owner, network, explorerOf, controller } = useActionContext();
  const faucet = isBuiltIn(network) && <FaucetButton wide network={network} />;
  return (
    <Popover
      label="Wallet"
      open={isOpen}
      onOpenChange={setOpen}
      className="w-[360px] max-w-[calc(100vw-16px)]"
      trigger={trigger}
    >
      <WalletPanel
        address={address}
        type={type}
        owner={owner}
        network={network}
        explorerOf={explorerOf}
        action={owner === "" ? signIn : faucet}
        onLeave={() => setOpen(false)}
        onSignedOut={(changes) => {
          setOpen(false);
          void controller.disconnect().then(() => {
            if (changes.length > 0) openDialog({ kind: "signed-out", changes });
          });
        }}
      />
    </Popover>
  );
}
