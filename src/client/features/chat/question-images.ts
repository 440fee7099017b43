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
