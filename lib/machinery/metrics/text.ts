import type { Collector, Family, Labels } from './family.ts';
import { formatNumber } from './format-number.ts';

/** The media type of the output of `expose`: Prometheus' text format. */
export const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

/** Encodes all metrics of the collectors in Prometheus' text format, sorted by name. Omits metrics without series. */
export async function expose(collectors: readonly Collector[]): Promise<string> {
  const families = (await Promise.all(collectors.map(async (collector) => collector.collect()))).flat();
  const nonEmpty = families.filter(({ samples }) => samples.length > 0);
  return nonEmpty
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(familyText)
    .join('');
}

function familyText({ name, help, type, samples }: Family): string {
  let text = `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n`;
  let last: Labels | undefined;
  let pairs = '';
  for (const { suffix = '', labels, le, value, timestamp } of samples) {
    if (labels !== last) pairs = pairsText(labels);
    last = labels;
    text += `${name}${suffix}${labelText(pairs, le)} ${formatNumber(value)}${timestamp === undefined ? '' : ` ${timestamp}`}\n`;
  }
  return text;
}

function labelText(pairs: string, le: string | undefined): string {
  if (le === undefined) return pairs === '' ? '' : `{${pairs}}`;
  return pairs === '' ? `{le="${le}"}` : `{${pairs},le="${le}"}`;
}

const pairsText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`)
    .join(',');

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
