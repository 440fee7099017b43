/** Starts a browser download of a file. */
export function downloadFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The click has already read the URL; revoking it frees the content
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
