/** Formats a duration as kubectl prints ages: `12s`, `4m3s`, `3h`, `2d`. */
export function ageText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10 && seconds % 60 > 0) return `${minutes}m${seconds % 60}s`;
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}

/** Formats milliseconds: `3ms`, `1.25s`, `10m0s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Number(milliseconds.toPrecision(3))}ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${Number(seconds.toFixed(2))}s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}m${Math.floor(seconds % 60)}s` : `${Math.floor(minutes / 60)}h${minutes % 60}m`;
}
