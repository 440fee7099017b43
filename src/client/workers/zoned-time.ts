const OWN_ZONE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/;
const WALL = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/**
 * Creates a reader of the times of export files, which name their zone or are local times of the given one, for instance
 * Europe/Berlin. It returns Unix milliseconds; null for text that is not a time.
 */
export function createTimeReader(zone: string): (text: string) => number | null {
  const format = new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  /** Returns the zone's UTC offset at a time, in milliseconds. */
  const ahead = (timeMs: number): number => {
    const parts: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(timeMs)) parts[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return (
      Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(timeMs / 1_000) * 1_000
    );
  };
  return (text) => {
    const trimmed = text.trim();
    if (OWN_ZONE.test(trimmed)) {
      const atMs = Date.parse(trimmed.replace(/([+-]\d{2})(\d{2})$/, "$1:$2"));
      return Number.isNaN(atMs) ? null : atMs;
    }
    const match = WALL.exec(trimmed);
    if (match === null) return null;
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
      .slice(1)
      .map((each) => Number(each ?? 0));
    if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59) return null;
    const wall = Date.UTC(year, month - 1, day, hour, minute, second);
    if (new Date(wall).getUTCDate() !== day) return null;
    // Iterated twice, so that the offset is correct around a daylight-saving change
    return wall - ahead(wall - ahead(wall));
  };
}
