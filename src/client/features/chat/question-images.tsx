import { X } from "lucide-react";
import { IconButton } from "../../ui/icon-button.tsx";

/** Pictures of the newest questions by message id; they stay in this tab and are stored nowhere. */
const images = new Map<string, string>();

const MOST_IMAGES = 5;

/** Words by which a stored question says that a picture went with it. */
export const WITH_PICTURE = "[with a picture of the chart]";

export function keepImage(messageId: string, image: string): void {
  images.set(messageId, image);
  const [oldest] = images.keys();
  if (images.size > MOST_IMAGES && oldest !== undefined) images.delete(oldest);
}

export const imageOf = (messageId: string): string | undefined => images.get(messageId);

export const forgetImages = (): void => images.clear();

interface PictureProps {
  readonly image: string;
  readonly onRemove: () => void;
}

/** Picture that goes with the question being written. */
export function Picture({ image, onRemove }: PictureProps) {
  return (
    <div className="mb-2 flex items-center gap-2">
      <img
        src={image}
        alt="The chart, as it goes with the question"
        className="h-14 rounded border"
      />
      <IconButton
        size="small"
        label="Leave the picture out"
        icon={<X aria-hidden />}
        onClick={onRemove}
      />
    </div>
  );
}
