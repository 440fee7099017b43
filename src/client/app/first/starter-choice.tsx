import type { ChatId } from "../../../domain/ids.ts";
import type { Network } from "../../../domain/network.ts";
import { DEFAULT_VENUE } from "../../../domain/venue-id.ts";
import { templatesFor } from "../../../strategy/templates.ts";
import { VENUE_PROFILES } from "../../../venues/profiles.ts";
import { openAgentDialog, openDialog } from "../../lib/dialogs.ts";
import { Button } from "../../ui/button.tsx";

/** Interval at which a starter begins; the form can change it. */
const INTERVAL = "1h";

/** Number of starters offered here; the others are in the gallery. */
const OFFERED = 3;

interface StarterChoiceProps {
  readonly chatId: ChatId | "";
  readonly network: Network;
}

/** Starters that fill the form of the first agent with one click. */
export default function StarterChoice({ chatId, network }: StarterChoiceProps) {
  const { markets, kind } = VENUE_PROFILES[DEFAULT_VENUE];
  const marketId = markets[0]?.marketId ?? "";
  return (
    <div className="flex flex-wrap items-center gap-1.5 text-xs">
      <span className="text-muted">Begin with</span>
      {templatesFor(kind)
        .slice(0, OFFERED)
        .map(({ id, name }) => (
          <Button
            key={id}
            size="small"
            onClick={() =>
              openAgentDialog(
                { chatId },
                {
                  kind: "starter",
                  id,
                  network,
                  venue: DEFAULT_VENUE,
                  marketId,
                  interval: INTERVAL,
                },
              )
            }
          >
            {name}
          </Button>
        ))}
      <Button
        size="small"
        tone="ghost"
        onClick={() => openDialog({ kind: "browse", page: "starters" })}
      >
        All starters
      </Button>
    </div>
  );
}
