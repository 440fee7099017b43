import type { ChatId } from "../../domain/ids.ts";
import type { ChartPreview } from "../lib/chart-preview.ts";
import { showTab } from "./open-tabs.ts";
import { shownPreview } from "./handed-over.ts";

/** Opens the Chart tab with a preview of hypothetical events. */
export function showOnChart(chatId: ChatId | "", preview: ChartPreview): void {
  shownPreview.setState({ chatId, preview }, true);
  showTab("charts");
}
