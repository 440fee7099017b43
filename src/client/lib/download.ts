/** Hands a file to the browser's downloads. */
export function downloadFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The click has read the address; keeping it would keep the content in memory
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
