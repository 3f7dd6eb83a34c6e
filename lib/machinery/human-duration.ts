const UNITS = { day: 24, year: 24 * 365 } as const;

/** Upstream's `HumanDuration`: `90s`, `3h5m`, `2y30d`. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return pair(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return pair(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  return daysText(hours);
}

function daysText(hours: number): string {
  const days = Math.floor(hours / UNITS.day);
  if (days < 8) return pair(days, 'd', hours % UNITS.day, 'h');
  if (hours < 2 * UNITS.year) return `${days}d`;
  const years = Math.floor(hours / UNITS.year);
  return years < 8 ? pair(years, 'y', days % 365, 'd') : `${years}y`;
}

const pair = (a: number, unit: string, b: number, smaller: string): string =>
  b === 0 ? `${a}${unit}` : `${a}${unit}${b}${smaller}`;
