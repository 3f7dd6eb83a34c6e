const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'];

/** A byte count for messages: `512 B`, `1.5 GiB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  let size = bytes / 1024;
  let unit = 0;
  for (; size >= 1024 && unit < UNITS.length - 1; unit++) size /= 1024;
  return `${size.toFixed(1)} ${UNITS[unit] ?? ''}`;
}
