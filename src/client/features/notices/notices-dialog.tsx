import { useQuery } from "@tanstack/react-query";
import { describeProblem } from "../../lib/problem.ts";
import { closeDialog } from "../../lib/dialogs.ts";
import { noticesQuery, useNoticeChanges } from "../../queries/notices.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { AddChannel } from "./add-channel.tsx";
import { ChannelCard } from "./channel-card.tsx";
import { NoticeHistory } from "./notice-history.tsx";
import { QuietHoursForm } from "./quiet-hours-form.tsx";
import type { SignedInWallet } from "../../lib/session.ts";

interface NoticesDialogProps {
  readonly address: SignedInWallet;
}

/** Dialog of the wallet's channels, quiet hours and sent messages. */
export default function NoticesDialog({ address }: NoticesDialogProps) {
  const read = useQuery(noticesQuery(address));
  const changes = useNoticeChanges(address);
  const notices = read.data;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && closeDialog()}
      title="Notices"
      description="What you are told while this page is closed, and where"
      footer={<Button onClick={closeDialog}>Done</Button>}
    >
      {notices === undefined ? (
        read.isError ? (
          <div role="alert" className="flex flex-col items-start gap-3 text-sm">
            <p>Your notices could not be loaded. {describeProblem(read.error).message}</p>
            <Button onClick={() => void read.refetch()}>Try again</Button>
          </div>
        ) : (
          <Spinner label="Loading notices..." />
        )
      ) : (
        <div className="flex flex-col gap-5">
          <section aria-label="Where" className="flex flex-col gap-2">
            <h3 className="text-sm font-semibold">Where</h3>
            {notices.channels.length === 0 && (
              <p className="text-xs text-muted">
                You are told nothing yet. Add a place and choose what is sent there.
              </p>
            )}
            {notices.channels.map((channel) => (
              <ChannelCard key={channel.id} channel={channel} changes={changes} />
            ))}
            <AddChannel notices={notices} changes={changes} />
          </section>
          <QuietHoursForm
            quietHours={notices.quietHours}
            onChange={(next) => changes.setQuietHours.mutateAsync(next)}
          />
          <NoticeHistory history={notices.history} />
        </div>
      )}
    </Dialog>
  );
}
